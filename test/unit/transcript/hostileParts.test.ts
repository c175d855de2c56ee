// Sessions made to cost a reader time beyond their size: sixteen times the input may take about sixteen times the processor time.
import assert from 'node:assert/strict';
import type { Transcript } from '../../../src/core/model/transcript';
import type { SourceRecord } from '../../../src/core/transcript/lineReader';
import { PartRecord, TextLine } from '../../../src/core/transcript/partRecord';
import { transcriptOfParts } from '../../../src/core/transcript/readParts';

const SMALL = 1500;
const LARGE = SMALL * 16;
/** Linear is 16, quadratic 256; the rest is room for a busy machine. */
const MAX_RATIO = 100;
/** Below this a time says nothing about growth. */
const MIN_MS = 400;

function times<T>(count: number, make: (n: number) => T): T[] {
  return Array.from({ length: count }, (_, n) => make(n));
}

const origin = (agent: string): PartRecord => new PartRecord('origin', { agent });
const text = (value: string): unknown => [{ type: 'text', text: value }];

const SESSIONS: readonly (readonly [string, (count: number) => readonly unknown[]])[] = [
  [
    'docker agent: summaries that each keep all before them',
    (count) => [
      {
        id: 's',
        messages: times(count, (n) =>
          n % 2 === 0 ? { message: { message: { role: 'system', content: 'x' } } } : { summary: 'short', first_kept_entry: 1 },
        ),
      },
    ],
  ],
  [
    'opencode: compactions that each keep all before them',
    (count) => [
      {
        info: { id: 'ses_1', directory: '/x' },
        messages: times(count, (n) =>
          n % 2 === 0
            ? { info: { id: `m${n}`, role: 'user' }, parts: [{ type: 'compaction', tail_start_id: 'm0' }] }
            : {
                info: { id: `m${n}`, role: 'assistant', parentID: `m${n - 1}`, summary: true, finish: 'stop' },
                parts: [{ type: 'text', text: 'x' }],
              },
        ),
      },
    ],
  ],
  [
    'opencode: compactions without an end',
    (count) => [
      {
        info: { id: 'ses_1', directory: '/x' },
        messages: times(count, (n) => ({ info: { id: 'same', role: 'user' }, parts: [{ type: 'compaction', n }] })),
      },
    ],
  ],
  [
    'goose: a compaction every other message',
    (count) =>
      times(count, (n) => ({
        role: 'user',
        created: 1,
        content: text('x'),
        metadata: n % 3 === 0 ? { agentVisible: false } : n % 3 === 1 ? { userVisible: false } : {},
      })).map((message, n) => (n === 0 ? { working_dir: '/x', description: '' } : message)),
  ],
  [
    'Continue: a summary on every item',
    (count) => [
      {
        sessionId: 's',
        history: times(count, (n) => ({
          message: { role: n % 2 === 0 ? 'system' : 'tool', toolCallId: 'same', content: 'x' },
          contextItems: [],
          conversationSummary: 'short',
          toolCallStates: [{ toolCallId: `c${n}`, status: 'done', output: [] }],
        })),
      },
    ],
  ],
  [
    'Aider: numbers without answers',
    (count) => [
      new TextLine('# aider chat started at 2026-01-01 00:00:00'),
      ...times(count, (n) => new TextLine(n % 2 === 0 ? '#### x' : '> Tokens: 1 sent, 1 received.')),
    ],
  ],
  [
    'Cline: a new range with every request',
    (count) => [
      origin('cline'),
      new PartRecord(
        'api_conversation_history.json',
        times(count, (n) => ({ role: n % 2 === 0 ? 'user' : 'assistant', content: 'x' })),
      ),
      new PartRecord(
        'ui_messages.json',
        times(count, (n) => ({
          ts: 1,
          type: 'say',
          say: n % 2 === 0 ? 'deleted_api_reqs' : 'api_req_started',
          text: '{"tokensIn":1,"tokensOut":1}',
          conversationHistoryDeletedRange: [0, n % (count - 1)],
        })),
      ),
    ],
  ],
  [
    'Roo: a summary and a marker every other message',
    (count) => [
      origin('roo'),
      new PartRecord(
        'api_conversation_history.json',
        times(count, (n) => ({
          role: 'user',
          content: 'x',
          ...(n % 2 === 0
            ? { isSummary: true, condenseId: `c${n}` }
            : { isTruncationMarker: true, truncationId: `t${n}`, truncationParent: `t${n + 2}` }),
        })),
      ),
      new PartRecord(
        'ui_messages.json',
        times(count, (n) => ({
          ts: 1,
          type: 'say',
          say: n % 2 === 0 ? 'condense_context' : 'sliding_window_truncation',
          [n % 2 === 0 ? 'contextCondense' : 'contextTruncation']: {
            condenseId: `c${count - n}`,
            truncationId: `t${count - n}`,
            newContextTokens: 5,
          },
        })),
      ),
    ],
  ],
];

describe('hostile sessions of several parts', () => {
  for (const [name, make] of SESSIONS) {
    it(name, function () {
      this.timeout(60_000);
      const small = leastMs(make(SMALL));
      const large = leastMs(make(LARGE));
      const { messages, context } = large.transcript;
      assert.ok(messages.length >= LARGE * 0.5, `${messages.length} messages`);
      assert.equal(new Set(context).size, context.length);
      assert.ok(large.ms < MIN_MS || large.ms / small.ms < MAX_RATIO, `${small.ms} ms, sixteen times as much ${large.ms} ms`);
    });
  }
});

function leastMs(values: readonly unknown[]): { readonly ms: number; readonly transcript: Transcript } {
  const records = values.map((value, at): SourceRecord => ({ value, line: at + 1, part: 0, bytes: 0 }));
  let ms = Infinity;
  let transcript = transcriptOfParts(records, [], undefined);
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    transcript = transcriptOfParts(records, [], undefined);
    const { user, system } = process.cpuUsage(before);
    ms = Math.min(ms, Math.max(0.5, (user + system) / 1000));
  }
  return { ms, transcript };
}
