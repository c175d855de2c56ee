// The fixtures of each format: whole ones and damaged ones, made for this project.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { textOf } from '../../../src/core/model/message';
import { FORMATS } from '../../../src/core/transcript/formats';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { contextUsage } from '../../../src/core/window/contextUsage';
import { filesBelow } from '../../support/folders';

const FOLDER = join(process.cwd(), 'test', 'fixtures');

interface Expected {
  readonly messages: number;
  /** First words of what is in the context, `#` for what has no text. */
  readonly context: readonly string[];
  readonly reported?: number;
  readonly damage?: readonly string[];
}

const CHAT = ['How many pebbles', 'I look.', '#', 'There are 7 pebb'];
const OPENAI = ['You count pebble', 'How many pebbles', '#', '#', '#', 'There are 7 pebb'];
const EXPECTED = new Map<string, Expected>([
  [
    'claude-code/ok.jsonl',
    {
      messages: 17,
      context: ['This session goe', '4 pebbles.', 'Write the number', '#', '#', 'The number is wr'],
      reported: 14_290,
      damage: ['abandoned_branch@0'],
    },
  ],
  [
    'claude-code/damaged.jsonl',
    {
      messages: 9,
      context: ['How many pebbles', '#', 'I read both file', '#', '#', '#', 'There are 7 p\uFFFDbb', 'The record befor', 'It was.'],
      reported: 14_290,
      damage: [
        'nul_padding@4',
        'dangling_parent@4',
        'fused_records@6',
        'bad_json@7',
        'invalid_utf8@9',
        'dangling_parent@9',
        'dangling_parent@10',
        'truncated_tail@12',
      ],
    },
  ],
  [
    'codex/ok.jsonl',
    {
      messages: 17,
      context: [
        'How many pebbles',
        'And without the ',
        'Work in the fold',
        'The user counts ',
        'Write the number',
        '#',
        '#',
        'It is written do',
      ],
      reported: 3630,
      damage: ['abandoned_branch@18'],
    },
  ],
  [
    'codex/damaged.jsonl',
    {
      messages: 8,
      context: ['Work in the fold', '<environment_con', 'How many pebbles', '#', '#', '#', '#', 'There are 7 pebb'],
      reported: 9080,
      damage: ['fused_records@6', 'nul_padding@7', 'bad_json@9', 'bad_json@13', 'truncated_tail@15'],
    },
  ],
  ['anthropic-messages/request.json', { messages: 5, context: ['You count pebble', ...CHAT] }],
  ['anthropic-messages/list.json', { messages: 4, context: CHAT }],
  ['anthropic-messages/ok.jsonl', { messages: 4, context: CHAT, reported: 2043 }],
  [
    'anthropic-messages/damaged.jsonl',
    {
      messages: 3,
      context: ['How many pebbles', '#', '#'],
      damage: ['bad_json@2', 'unknown_record@3', 'odd_content@4', 'truncated_tail@6'],
    },
  ],
  ['openai-chat/request.json', { messages: 6, context: OPENAI }],
  ['openai-chat/list.json', { messages: 6, context: OPENAI }],
  ['openai-chat/ok.jsonl', { messages: 6, context: OPENAI }],
  [
    'openai-chat/damaged.jsonl',
    {
      messages: 5,
      context: ['You count pebble', 'How many pebbles', '#', '#', 'There are 7 pebb'],
      damage: ['fused_records@2', 'bad_json@3', 'nul_padding@5', 'truncated_tail@6'],
    },
  ],
]);

describe('fixtures', () => {
  it('there are whole and damaged ones of every format', () => {
    for (const { id } of FORMATS) {
      for (const name of ['ok.jsonl', 'damaged.jsonl']) assert.ok(EXPECTED.has(`${id}/${name}`), `${id}/${name}`);
      const files = filesBelow(join(FOLDER, id), '').map((path) => path.slice(FOLDER.length + 1));
      assert.deepEqual(
        files.filter((file) => !EXPECTED.has(file)),
        [],
      );
    }
  });

  for (const [file, expected] of EXPECTED) {
    it(`${file} is read`, () => {
      const transcript = readTranscript(readFileSync(join(FOLDER, file)));
      const { messages, context, diagnostics } = transcript;
      assert.equal(transcript.format, file.split('/')[0]);
      assert.equal(messages.length, expected.messages);
      assert.deepEqual(
        context.map((index) => messages[index]).map((message) => (message === undefined ? '?' : textOf(message).slice(0, 16) || '#')),
        expected.context,
      );
      assert.deepEqual(
        diagnostics.map((one) => `${one.code}@${one.line}`),
        expected.damage ?? [],
      );
      const sizes = messages.map(() => 0);
      assert.equal(contextUsage(transcript, sizes).reportedTokens, expected.reported);
    });
  }
});
