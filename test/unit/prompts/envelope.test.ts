import assert from 'node:assert/strict';
import { isCompactError } from '../../../src/core/errors/compactError';
import { parseEnvelope, tidySummary } from '../../../src/core/prompts/envelope';
import { summaryFromReply } from '../../../src/core/prompts/summaryReply';

const form = (summary: string): string => JSON.stringify({ schema: 'compact-summary/v2', summary });

describe('reading the answer envelope', () => {
  const accepted: readonly [string, string, string][] = [
    ['the bare object', form(' hi '), 'hi'],
    ['white space around it', `  \n${form('hi')}\n`, 'hi'],
    ['plain words around it', `Here it is: ${form('hi')} That is all.`, 'hi'],
    ['tabs and line ends around it', `a\tb\r\n${form('hi')}`, 'hi'],
    ['one of the keys in another case', '{"schema":"compact-summary/v2","SUMMARY":"hi"}', 'hi'],
    ['a key twice: the later counts', '{"schema":"compact-summary/v2","summary":"a","summary":"hi"}', 'hi'],
    ['JSON as text of the summary', form('use {"a":1} and {"schema":1} and []'), 'use {"a":1} and {"schema":1} and []'],
    ['an empty object as text of the summary', form('call f({}) here'), 'call f({}) here'],
    ['code fences in the summary', form('```ts\nx\n```'), '```ts\nx\n```'],
    ['a word that only begins like a tag', form('the <table> and <span>'), 'the <table> and <span>'],
  ];
  for (const [name, reply, summary] of accepted) it(`accepts ${name}`, () => assert.equal(parseEnvelope(reply), summary));

  const rejected: readonly [string, string][] = [
    ['nothing', ''],
    ['plain words', 'just text'],
    ['two answers', form('a') + form('b')],
    ['another schema', '{"schema":"compact-summary/v1","summary":"a"}'],
    ['no summary', '{"schema":"compact-summary/v2"}'],
    ['no schema', '{"summary":"a"}'],
    ['a number as summary', '{"schema":"compact-summary/v2","summary":5}'],
    ['null as summary', '{"schema":"compact-summary/v2","summary":null}'],
    ['a blank summary', form(' \n ')],
    ['one more field', '{"schema":"compact-summary/v2","summary":"a","x":1}'],
    ['a field named __proto__', '{"schema":"compact-summary/v2","summary":"a","__proto__":1}'],
    ['both keys in another case', '{"Schema":"compact-summary/v2","SUMMARY":"a"}'],
    ['an answer inside another object', `{"other":${form('a')}}`],
    ['an answer inside a list', `[${form('a')}]`],
    ['another object beside it', `{"a":1} ${form('hi')}`],
    ['brackets beside it', `[note] ${form('hi')}`],
    ['a code fence around it', `\`\`\`json\n${form('hi')}\n\`\`\``],
    ['a tilde fence around it', `~~~\n${form('hi')}\n~~~`],
    ['a control character beside it', `\u0001${form('hi')}`],
    ['a C1 control beside it', `x\u009b${form('hi')}`],
    ['a prompt tag beside it', `<thinking>so</thinking> ${form('hi')}`],
    ['an object that is cut off', form('hi').slice(0, -2)],
    ...['analysis', 'Thinking', 'reasoning', 'system', 'developer', 'assistant', 'toolbar', 'private', 'SUMMARY'].flatMap(
      (tag): [string, string][] => [
        [`<${tag} in the summary`, form(`x <${tag}> y`)],
        [`</${tag} in the summary`, form(`x </${tag}`)],
      ],
    ),
  ];
  for (const [name, reply] of rejected) it(`rejects ${name}`, () => assert.equal(parseEnvelope(reply), undefined));

  it('stays fast on text that was made to be slow', () => {
    const deep = '{"a":'.repeat(16_000);
    const slow = [
      deep,
      `${deep}1${'}'.repeat(16_000)}`,
      '{'.repeat(100_000),
      '{ "'.repeat(30_000),
      '{}'.repeat(50_000),
      '{"{"'.repeat(25_000),
    ];
    const begin = performance.now();
    for (const reply of slow) assert.equal(parseEnvelope(reply), undefined);
    assert.ok(performance.now() - begin < 3000, `${performance.now() - begin} ms`);
  });
});

describe('tidying a summary', () => {
  const table: readonly [string, string][] = [
    ['a\n\n\nb', 'a\n\nb'],
    ['\n\n\n\n\na\n\nb\n', 'a\n\nb'],
    ['a\r\n\r\n\r\nb', 'a\r\n\r\n\r\nb'],
    ['a\nb', 'a\nb'],
    ['', ''],
  ];
  for (const [from, to] of table) it(`${JSON.stringify(from)} → ${JSON.stringify(to)}`, () => assert.equal(tidySummary(from), to));
});

describe('taking the summary out of a model’s reply', () => {
  const stop = 'stop';
  it('accepts a valid answer, also behind a reasoning tag of a local model', () => {
    assert.equal(summaryFromReply({ text: form('a\n\n\nb'), stopReason: stop }), 'a\n\nb');
    assert.equal(summaryFromReply({ text: `<think>{not this}</think>\n${form('a')}`, stopReason: undefined }), 'a');
  });

  const refused: readonly [string, string, string | undefined, string][] = [
    ['an answer that reached the output limit', form('a'), 'length', 'incomplete'],
    ['the same in another provider’s word', form('a'), 'max_tokens', 'incomplete'],
    ['an empty answer', ' \n', stop, 'noSummary'],
    ['a refusal in words', 'I’m not able to summarise this conversation as asked.', stop, 'noSummary'],
    ['nothing but reasoning', '<think>hm', stop, 'noSummary'],
    ['an error text in place of an answer', 'API Error: 529 overloaded', stop, 'api'],
  ];
  for (const [name, text, stopReason, code] of refused) {
    it(`refuses ${name}`, () =>
      assert.throws(
        () => summaryFromReply({ text, stopReason }),
        (error) => isCompactError(error) && error.code === code,
      ));
  }
});

describe('a tidy summary', () => {
  const table: readonly (readonly [string, string, string])[] = [
    ['is trimmed and has no two empty lines in a row', '\n a\n\n\n\nb \n', 'a\n\nb'],
    ['keeps a fenced quotation as it is', 'a\n\n\n```\nx\n\n\n\ny\n```\n\n\nb', 'a\n\n```\nx\n\n\n\ny\n```\n\nb'],
    ['knows a longer fence around a shorter one', '````\n```\n\n\n\n```\n````\n\n\nb', '````\n```\n\n\n\n```\n````\n\nb'],
    ['takes an open fence to the end', 'a\n\n\n```ts\nx\n\n\n\ny', 'a\n\n```ts\nx\n\n\n\ny'],
    ['of nothing is nothing', ' \n ', ''],
  ];
  for (const [name, text, expected] of table) it(name, () => assert.equal(tidySummary(text), expected));
});
