import { createCompactor } from '../../../src/core/compaction/compact';
import { reactiveCompact } from '../../../src/core/compaction/reactive';
import { BYTES_PER_FOUR } from '../../../src/core/tokens/calibratedCounter';
import { countMediaBlocks } from '../../../src/core/tokens/conversationEstimate';
import { field, numberOf, recordOf, type JsonRecord } from '../../../src/core/util/json';
import { modelStub } from '../../support/stubCompactor';
import type { CaseAdapter, CaseCall } from '../caseTypes';
import { compactor, shape } from './compactor';

/** Compaction after a provider has refused a request for its size. */
export const reactive: CaseAdapter = { functions: { tryReactiveCompact }, properties: compactor.properties ?? {} };

async function tryReactiveCompact({ messages, args, stubs }: CaseCall): Promise<JsonRecord> {
  const stub = modelStub(recordOf(stubs, 'summarizer') ?? {});
  const keepMessages = numberOf(args, 'keepRecent');
  const outcome = await reactiveCompact({
    messages,
    compactor: createCompactor({ summarizer: stub.summarizer, counter: BYTES_PER_FOUR }),
    hasAttempted: field(args, 'hasAttempted') === true,
    stripMedia: field(args, 'mediaStrip') === true,
    ...(keepMessages === undefined ? {} : { keepMessages }),
    signal: new AbortController().signal,
  });
  const result = outcome.outcome === 'compacted' ? outcome.result : undefined;
  return {
    attempted: outcome.outcome !== 'notAttempted',
    summarizerCalls: stub.asked.length,
    throws: outcome.outcome === 'failed' ? String(outcome.error) : null,
    keptMediaBlocks: countMediaBlocks(result?.kept ?? messages),
    ...(result === undefined ? {} : shape(messages, result, stub.asked[0])),
  };
}
