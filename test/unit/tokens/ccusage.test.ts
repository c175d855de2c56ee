import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { findCcusage, type CcusageTotals } from '../../support/ccusage';
import { ccusageDifferences, sumOf, type CcusageRule } from '../../support/ccusageRules';

const ccusage = findCcusage();
const ROOT = '../shared/transcripts';
const isThere = existsSync(ROOT);
const none = { inputTokens: 0, outputTokens: 0, cacheReadTokens: 0, cacheCreationTokens: 0 };

/** Files whose totals differ, and why. All other files have to agree to the token. */
const EXPLAINED: ReadonlyMap<string, readonly CcusageRule[]> = new Map<string, readonly CcusageRule[]>([
  ['claude/v2.1.49-api-error.jsonl', ['progressRecords']],
  ['claude/v2.1.49-manual-compact-9-images.jsonl', ['progressRecords']],
  ['codex/v0.118-two-compacted.jsonl', ['copyOfParent']],
]);

function ours(text: string): CcusageTotals {
  const { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens } = readTranscript(new TextEncoder().encode(text)).totals;
  return { inputTokens, outputTokens, cacheReadTokens, cacheCreationTokens };
}

const usage = (input: number, output: number, read = 0, creation = 0): object => ({
  input_tokens: input,
  output_tokens: output,
  cache_read_input_tokens: read,
  cache_creation_input_tokens: creation,
});

let line = 0;
function record(more: object): object {
  line += 1;
  return {
    uuid: `00000000-0000-4000-8000-${String(line).padStart(12, '0')}`,
    parentUuid: line === 1 ? null : `00000000-0000-4000-8000-${String(line - 1).padStart(12, '0')}`,
    sessionId: '00000000-0000-4000-8000-00000000ffff',
    timestamp: `2026-05-01T10:00:${String(line).padStart(2, '0')}.000Z`,
    version: '2.1.200',
    cwd: '/home/dev/project',
    isSidechain: false,
    userType: 'external',
    ...more,
  };
}

function answer(id: string, requestId: string | undefined, text: string, used: object, more: object = {}): object {
  const message = { id, type: 'message', role: 'assistant', model: 'claude-opus-4-8', content: [{ type: 'text', text }], usage: used };
  return record({ type: 'assistant', message, ...(requestId === undefined ? {} : { requestId }), ...more });
}

function question(content: string, more: object = {}): object {
  return record({ type: 'user', message: { role: 'user', content }, ...more });
}

/** A session in which every rule matters, with its sums worked out by hand. */
const SESSION = [
  question('Why?'),
  // Three lines of one response: the first two were stored while it still streamed.
  answer('msg_1', 'req_1', 'Because', usage(3, 1, 1000, 500)),
  answer('msg_1', 'req_1', 'it', usage(3, 1, 1000, 500)),
  answer('msg_1', 'req_1', 'is so.', usage(3, 90, 1000, 500)),
  question('And?'),
  answer('msg_2', 'req_2', 'That is all.', usage(4, 10, 1500, 100)),
  // Made up by the program: no response at all.
  record({
    type: 'assistant',
    isApiErrorMessage: true,
    message: { id: 'made-up', role: 'assistant', model: '<synthetic>', content: [{ type: 'text', text: 'API Error' }], usage: usage(0, 0) },
  }),
  question('Go on.', { isSidechain: true }),
  answer('msg_3', 'req_3', 'A side chain counts in the sums.', usage(50, 20, 0, 0), { isSidechain: true }),
  question('More.'),
  // A relay without request ids: two lines of one response.
  answer('msg_4', undefined, 'Twice', usage(7, 30, 1600, 0)),
  answer('msg_4', undefined, 'stored.', usage(7, 30, 1600, 0)),
  record({
    type: 'progress',
    data: {
      type: 'agent_progress',
      message: {
        type: 'assistant',
        requestId: 'req_9',
        uuid: '00000000-0000-4000-8000-0000000000aa',
        timestamp: '2026-05-01T10:00:30.000Z',
        message: { id: 'msg_9', role: 'assistant', model: 'claude-opus-4-8', content: [], usage: usage(5, 6, 7, 8) },
      },
    },
  }),
];
const EXPECTED: CcusageTotals = {
  inputTokens: 3 + 4 + 50 + 7,
  outputTokens: 90 + 10 + 20 + 30,
  cacheReadTokens: 1000 + 1500 + 1600,
  cacheCreationTokens: 500 + 100,
};
const text = SESSION.map((one) => JSON.stringify(one)).join('\n');

describe('totals of a session', () => {
  it('count each response once, side chains included, and nothing that is none', () => {
    assert.deepEqual(ours(text), EXPECTED);
  });

  it('differ from ccusage by what is known', () => {
    assert.deepEqual(ccusageDifferences(text), {
      progressRecords: { inputTokens: 5, outputTokens: 6, cacheReadTokens: 7, cacheCreationTokens: 8 },
      copyOfParent: none,
    });
  });
});

const onReal = isThere ? '' : ` (real sessions skipped: ${ROOT} is not here)`;
const title = ccusage === undefined ? 'ccusage (skipped: it has no program for this machine here)' : `ccusage ${ccusage.version}${onReal}`;
describe(title, function () {
  if (ccusage === undefined) return;
  this.timeout(60_000);

  it('counts that session as we do, but for the known rules', () => {
    const folder = mkdtempSync(join(tmpdir(), 'session-'));
    try {
      const file = join(folder, 'session.jsonl');
      writeFileSync(file, `${text}\n`);
      const differences = ccusageDifferences(text);
      assert.deepEqual(ccusage.totalsOf('claude', file), sumOf([EXPECTED, differences.progressRecords]));
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  if (!isThere) return;
  for (const agent of ['claude', 'codex'] as const) {
    for (const name of readdirSync(join(ROOT, agent)).filter((entry) => entry.endsWith('.jsonl'))) {
      const file = join(ROOT, agent, name);
      const reasons = EXPLAINED.get(`${agent}/${name}`) ?? [];
      it(reasons.length === 0 ? `agrees on ${agent}/${name}` : `differs on ${agent}/${name} by ${reasons.join(', ')}`, () => {
        const content = readFileSync(file, 'utf8');
        const differences = ccusageDifferences(content);
        const expected = sumOf([ours(content), ...reasons.map((reason) => differences[reason])]);
        assert.deepEqual(ccusage.totalsOf(agent, file), expected);
        for (const reason of reasons) assert.notDeepEqual(differences[reason], none, `${reason} explains nothing here`);
      });
    }
  }
});
