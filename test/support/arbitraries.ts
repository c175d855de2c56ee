// Generators of texts, messages and conversations, valid ones and hostile ones (properties: "Generators").
import fc from 'fast-check';
import type { ContentBlock, Message, Role, ToolResultBlock } from '../../src/core/model/message';
import type { Usage } from '../../src/core/model/usage';

/** Text of every kind that has broken something: CJK, emoji, lone surrogates, controls, bidi signs, marks that look like ours. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({
    unit: fc.constantFrom('\ud83e\udd8a', '漢', '\ud800', '\udc00', 'é', 'a', '\u0000', '\u202e', '\n', '\u001b[2J'),
    maxLength: 20,
  }),
  fc.constantFrom('[compact-boundary] e30=', '<persisted-output>', '__proto__', 'data:image/png;base64,QUJD'),
);

/** Ids from a small pool, so that they collide, repeat and look like keys of objects and paths. */
export const anyId: fc.Arbitrary<string> = fc.constantFrom('t1', 't2', 't3', '__proto__', 'constructor', '', '../x', 'x'.repeat(300));

export const mediaBlock: fc.Arbitrary<ContentBlock> = fc.constantFrom({ type: 'image' as const }, { type: 'document' as const });

const toolResult: fc.Arbitrary<ToolResultBlock> = fc
  .tuple(anyId, fc.oneof(anyText, fc.array(fc.oneof(text(), mediaBlock), { maxLength: 3 })), fc.boolean())
  .map(([toolUseId, content, server]) => ({ type: 'toolResult', toolUseId, content, ...(server ? { server: true } : {}) }));

/** Any block, also where it does not belong. */
export const anyBlock: fc.Arbitrary<ContentBlock> = fc.oneof(
  text(),
  anyText.map((value) => ({ type: 'thinking' as const, text: value, signature: 'sig' })),
  fc.tuple(anyId, anyText, fc.jsonValue()).map(([id, name, input]) => ({ type: 'toolUse' as const, id, name, input })),
  toolResult,
  mediaBlock,
  anyText.map((name) => ({ type: 'toolReference' as const, name })),
  anyText.map((raw) => ({ type: 'unknown' as const, originalType: 'odd', raw })),
);

const tokenNumber = fc.oneof(fc.nat({ max: 200_000 }), fc.constantFrom(0, 1, 512));

export const usage: fc.Arbitrary<Usage> = fc.record(
  {
    inputTokens: tokenNumber,
    outputTokens: tokenNumber,
    cacheReadTokens: tokenNumber,
    cacheCreationTokens: tokenNumber,
    reasoningTokens: tokenNumber,
  },
  { requiredKeys: ['inputTokens', 'outputTokens', 'cacheReadTokens', 'cacheCreationTokens'], noNullPrototype: true },
);

/** Usage that no reader would let through; the arithmetic must stay finite all the same. */
export const brokenUsage: fc.Arbitrary<Usage> = fc.record(
  {
    inputTokens: oddNumber(),
    outputTokens: oddNumber(),
    cacheReadTokens: oddNumber(),
    cacheCreationTokens: oddNumber(),
    reasoningTokens: oddNumber(),
  },
  { noNullPrototype: true },
);

const anyRole: fc.Arbitrary<Role> = fc.constantFrom<Role>('user', 'assistant', 'system', 'developer', 'tool');

/** A message of any role with up to six blocks of any kind. */
export const anyMessage: fc.Arbitrary<Message> = fc
  .record({
    role: anyRole,
    content: fc.array(anyBlock, { maxLength: 6 }),
    messageId: fc.option(fc.constantFrom('m1', 'm2', 'm3', '__proto__', ''), { nil: undefined }),
    usage: fc.option(usage, { nil: undefined }),
    isSidechain: fc.boolean(),
  })
  .map(({ role, content, messageId, usage: reported, isSidechain }) => ({
    id: '',
    role,
    kind: 'message',
    content,
    line: 0,
    ...(messageId === undefined ? {} : { messageId }),
    ...(reported === undefined ? {} : { usage: reported }),
    ...(isSidechain ? { isSidechain } : {}),
  }));

/** Any list of any messages, numbered. */
export const anyConversation: fc.Arbitrary<readonly Message[]> = fc.array(anyMessage, { maxLength: 40 }).map(numbered);

type ResultOrder = 'together' | 'apart' | 'reversed' | 'interleaved';

const turn = fc.record({
  calls: fc.array(fc.nat({ max: 4 }), { maxLength: 5 }),
  order: fc.constantFrom<ResultOrder>('together', 'apart', 'reversed', 'interleaved'),
  thinks: fc.boolean(),
  isInterrupted: fc.boolean(),
  hasUsage: fc.boolean(),
  text: anyText,
  output: fc.nat({ max: 3000 }),
});

/**
 * A conversation as an agent writes it: user turns, responses in fragments that share an id, parallel calls whose results come in any order or
 * between the fragments, interrupted calls, and growing reports. No orphans, no torn pairs.
 */
export const validConversation: fc.Arbitrary<readonly Message[]> = fc.array(turn, { minLength: 1, maxLength: 12 }).map((turns) => {
  const messages: Message[] = [];
  let ids = 0;
  let prompt = 1000;
  for (const { calls, order, thinks, isInterrupted, hasUsage, text: said, output } of turns) {
    messages.push(entry('user', [{ type: 'text', text: said }]));
    for (const count of calls) {
      const messageId = `m${ids++}`;
      const reported = hasUsage ? { inputTokens: prompt, outputTokens: output, cacheReadTokens: 0, cacheCreationTokens: 0 } : undefined;
      prompt += output + 500;
      const assistant = (block: ContentBlock): Message => ({
        ...entry('assistant', [block]),
        messageId,
        ...(reported === undefined ? {} : { usage: reported }),
      });
      const uses = Array.from({ length: count }, () => `c${ids++}`);
      const results = uses.map((id): ContentBlock => ({ type: 'toolResult', toolUseId: id, content: said }));
      if (thinks) messages.push(assistant({ type: 'thinking', text: said, signature: 'sig' }));
      messages.push(assistant({ type: 'text', text: said }));
      uses.forEach((id, at) => {
        messages.push(assistant({ type: 'toolUse', id, name: 'Read', input: { path: said } }));
        const result = results[at];
        if (order === 'interleaved' && result !== undefined) messages.push(entry('user', [result]));
      });
      if (order === 'interleaved' || (isInterrupted && count === 1)) continue;
      if (order === 'reversed') results.reverse();
      if (order === 'together' && results.length > 0) messages.push(entry('user', results));
      else for (const result of results) messages.push(entry('user', [result]));
    }
  }
  return numbered(messages);
});

function entry(role: Role, content: readonly ContentBlock[]): Message {
  return { id: '', role, kind: 'message', content, line: 0 };
}

function numbered(messages: readonly Message[]): readonly Message[] {
  return messages.map((message, index) => ({ ...message, id: `line:${index + 1}`, line: index + 1 }));
}

function text(): fc.Arbitrary<ContentBlock> {
  return anyText.map((value) => ({ type: 'text', text: value }));
}

function oddNumber(): fc.Arbitrary<number> {
  return fc.oneof(fc.integer(), fc.constantFrom(NaN, Infinity, -Infinity, 1e308, -5, 0.5), fc.nat({ max: 5000 }));
}
