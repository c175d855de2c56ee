import type { Message, ToolResultBlock } from '../../../src/core/model/message';
import { planCacheEdits } from '../../../src/core/micro/cacheEdits';
import { EMPTY_CACHE_EDITS, type CacheEditState } from '../../../src/core/micro/cacheEditState';
import { CLEARED_TEXT } from '../../../src/core/micro/compactableTools';
import { DEFAULT_MICROCOMPACT, type MicrocompactOptions, type QuerySource } from '../../../src/core/micro/config';
import { proofOf } from '../../../src/core/micro/proofs';
import { clearIdleToolResults } from '../../../src/core/micro/timeBased';
import { field, stringOf } from '../../../src/core/util/json';
import { isOutcome, seed2MessagesWithOutcomes, toSeed2Messages } from '../../support/seed2Results';
import type { GoldenFunctions } from '../goldenTypes';
import { listInput, numberInput, recordInput } from './input';

/** Clearing of old tool results in seed 2. Our mark is as long as the one that was measured, so that bytes can be compared. */
export const microFunctions: GoldenFunctions = {
  MicrocompactWithResult: (input) => timeBased(input),
  'CachedMicrocompact x3 (same state)': (input) => cached(input),
  'agenticV2ProofContent(ApplyPatch)': (input) => patchProof(input),
};

const MINUTE_MS = 60_000;
const NOW = 1_800_000_000_000;
const SOURCES: ReadonlyMap<string, QuerySource> = new Map([
  ['repl_main_thread', 'main'],
  ['non_main', 'other'],
]);

function timeBased(input: unknown): unknown {
  const options: MicrocompactOptions = {
    ...DEFAULT_MICROCOMPACT,
    keepRecent: numberInput(input, 'keepRecent'),
    proofs: field(recordInput(input), 'proofs') === true,
    source: SOURCES.get(stringOf(recordInput(input), 'querySource') ?? ''),
    lastActivity: NOW - numberInput(input, 'idleMinutes') * MINUTE_MS,
  };
  const result = clearIdleToolResults(seed2MessagesWithOutcomes(listInput(input, 'messages')), options, NOW);
  return {
    changed: result.changed,
    cleared: result.cleared.length,
    compactedBytes: result.compactedBytes,
    kept: result.kept,
    messages: shown(result.messages),
    originalBytes: result.originalBytes,
    saved: result.savedBytes,
    timeBased: result.changed,
  };
}

function cached(input: unknown): readonly unknown[] {
  const options: MicrocompactOptions = {
    ...DEFAULT_MICROCOMPACT,
    source: 'main',
    cacheEdits: true,
    cacheTriggerCount: numberInput(input, 'threshold'),
    cacheKeepRecent: numberInput(input, 'keep'),
  };
  let state: CacheEditState = EMPTY_CACHE_EDITS;
  return ['messages', 'messages', 'threeMessages'].map((key) => {
    const planned = planCacheEdits(seed2MessagesWithOutcomes(listInput(input, key)), options, state);
    state = planned.state;
    const { changed, deleted, messages, proofBytes, reclaimedBytes, savedBytes } = planned.result;
    return {
      changed,
      deleted: deleted.length === 0 ? null : deleted,
      messages: shown(messages),
      proofBytes,
      reclaimed: reclaimedBytes,
      saved: savedBytes,
    };
  });
}

function patchProof(input: unknown): string {
  const outcome = stringOf(recordInput(input), 'outcome');
  const code = stringOf(recordInput(input), 'errorCode') ?? '';
  const result: ToolResultBlock = {
    type: 'toolResult',
    toolUseId: 'p',
    content: stringOf(recordInput(input), 'content') ?? '',
    ...(isOutcome(outcome) ? { outcome } : {}),
    ...(outcome === 'failed' ? { isError: true } : {}),
    ...(code === '' ? {} : { metadata: new Map([['error.code', code]]) }),
  };
  return proofOf('ApplyPatch', result);
}

function shown(messages: readonly Message[]): unknown {
  const text = JSON.stringify(toSeed2Messages(messages));
  return JSON.parse(text.replaceAll(JSON.stringify(CLEARED_TEXT), JSON.stringify('<CLEARED-MARKER:33 bytes>'))) as unknown;
}
