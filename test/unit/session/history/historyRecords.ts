import { HISTORY_SCHEMA, type HistoryRecord } from '../../../../src/core/session/historyRecord';

export const ID = '0b6f1f4e-5a0e-4c1e-9d2f-3c9a6f0f1a2b';

/** A record with some fields changed. */
export function historyRecord(more: Partial<HistoryRecord>): HistoryRecord {
  return {
    schema: HISTORY_SCHEMA,
    version: '0.1.0',
    createdAt: '2026-01-02T03:04:05.678Z',
    id: ID,
    format: 'claude-code',
    kind: 'full',
    source: { path: 'session.jsonl', sessionId: 's', state: { kind: 'file', sha256: 'a'.repeat(64), bytes: 100 } },
    copy: { name: `${ID}.jsonl`, sha256: 'b'.repeat(64), bytes: 50 },
    request: { pivotId: null, keepMessages: 4 },
    summarizedIds: ['m1', 'm2'],
    keptIds: ['m3'],
    clearedIds: [],
    order: 'summaryFirst',
    summary: 'What was said.',
    summaryId: 'm9',
    summarizer: 'offline',
    model: null,
    cost: null,
    tokensBefore: 1000,
    tokensAfter: 400,
    ...more,
  };
}
