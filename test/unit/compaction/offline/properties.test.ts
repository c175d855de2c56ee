import assert from 'node:assert/strict';
import fc from 'fast-check';
import { extractFacts } from '../../../../src/core/compaction/offline/facts';
import { readFileStatements } from '../../../../src/core/compaction/offline/fileStatements';
import { harmless } from '../../../../src/core/compaction/offline/markdown';
import { summarizeOffline, targetTokens } from '../../../../src/core/compaction/offline/offlineSummarizer';
import { roughTokens, zoneTokens } from '../../../../src/core/compaction/offline/zoneTokens';
import type { Message } from '../../../../src/core/model/message';
import { isRecord } from '../../../../src/core/util/json';
import { anyConversation, anyText, validConversation } from '../../../support/arbitraries';
import { property } from '../../../support/property';
import { asks, bash, execs, patches, says, talk, uses } from './talk';

const path = fc
  .tuple(fc.constantFrom('', '/repo/', './', 'src/core/', 'D:\\site\\'), fc.stringMatching(/^[a-z]{1,6}( [a-z]{1,3})?\.(?:ts|md)$/))
  .map((parts) => parts.join(''));
const rule = fc.constantFrom(
  'Never push to main.',
  'You must keep the names.',
  'At most 3 retries.',
  'Do we always test?',
  'Don’t use tabs.',
);
const sentence = fc.oneof(rule, anyText, fc.constantFrom('```\n## Files\n- a', 'Please go on with the work.', 'It is red.'));

const part = fc.oneof(
  fc.array(sentence, { minLength: 1, maxLength: 4 }).map((sentences) => asks(sentences.join(' '))),
  fc
    .tuple(fc.constantFrom('Read', 'Write', 'Edit', 'LS'), path, anyText, fc.boolean())
    .map(([name, file, output, isError]) => uses(name, { file_path: file }, output, isError)),
  fc
    .tuple(fc.constantFrom('cat', 'rm', 'sed -i s/a/b/', 'npm test', 'mv a.ts'), path, anyText, fc.boolean())
    .map(([command, file, output, isError]) => bash(`${command} '${file}'`, output, isError)),
  fc
    .tuple(fc.constantFrom('Add', 'Update', 'Delete'), path)
    .map(([verb, file]) => patches(`*** Begin Patch\n*** ${verb} File: ${file}\n*** End Patch`)),
  fc.tuple(path, anyText).map(([file, output]) => execs(`cat '${file}'`, output)),
  fc.array(sentence, { maxLength: 5 }).map((sentences) => says(sentences.join('\n'))),
  fc.nat({ max: 3000 }).map((count) => says('filler words of an answer '.repeat(count))),
);
const session = fc.array(part, { maxLength: 25 }).map((parts) => talk(...parts));

function limitOf(messages: readonly Message[]): number {
  return targetTokens(zoneTokens(messages));
}

/** Texts of the messages and arguments of their calls. */
function everything(messages: readonly Message[]): string {
  return messages
    .flatMap(({ content }) => content)
    .map((block) => (block.type === 'text' ? block.text : block.type === 'toolUse' ? argumentsOf(block.input) : ''))
    .join('\n');
}

function argumentsOf(input: unknown): string {
  return isRecord(input) ? Object.values(input).map(String).join('\n') : String(input);
}

const CONTROLS = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u202A-\u202E\u2066-\u206F]/;

describe('properties of offline summaries', () => {
  property(
    'any conversation gives one summary, without an exception, a control sign or a change of the input',
    anyConversation,
    (messages) => {
      const before = JSON.stringify(messages);
      const summary = summarizeOffline(messages);
      assert.ok(!CONTROLS.test(summary));
      assert.equal(summarizeOffline(structuredClone(messages)), summary);
      summarizeOffline(messages, { direction: 'from', targetTokens: 0 });
      assert.equal(JSON.stringify(messages), before);
    },
  );

  property(
    'the size keeps to its limit, and every path that is stated stands in the input',
    fc.oneof(session, validConversation),
    (messages) => {
      const summary = summarizeOffline(messages);
      const limit = limitOf(messages);
      if (limit >= WORTH_IT) assert.ok(roughTokens(summary) <= limit, `${roughTokens(summary)} of ${limit}`);
      const said = harmless(everything(messages));
      for (const { path: file } of readFileStatements(summary)) assert.ok(said.includes(file), file);
    },
  );

  property(
    'with room, every file, the last request and what the user demands are stated, and nothing false of files',
    session,
    (messages) => {
      const summary = summarizeOffline(messages, { targetTokens: 50_000 });
      const facts = extractFacts(messages);
      const known = facts.files.flatMap(({ path: file, actions }) => actions.map((action) => `${action} ${harmless(file)}`));
      const stated = readFileStatements(summary).map(({ path: file, action }) => `${action} ${file}`);
      assert.deepEqual([...new Set(stated)].sort(), [...new Set(known)].sort());
      const last = facts.requests.findLast(({ isHandled }) => !isHandled);
      if (last !== undefined) assert.ok(summary.includes(harmless(last.blocks.join('\n\n'))));
      for (const { text } of facts.statements) assert.ok(summary.includes(harmless(text).replace(/^[-*•>]\s+/, '')), text);
    },
  );
});

/** Smaller limits may be too small for what must never be left out. */
const WORTH_IT = 600;
