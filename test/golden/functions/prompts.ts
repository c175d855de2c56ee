import { isPromptTooLong } from '../../../src/core/compaction/promptTooLong';
import { CompactError } from '../../../src/core/errors/compactError';
import { parseEnvelope, tidySummary } from '../../../src/core/prompts/envelope';
import { withFeedback, withHookInstructions } from '../../../src/core/prompts/mergeInstructions';
import { stringOf } from '../../../src/core/util/json';
import type { GoldenFunctions } from '../goldenTypes';
import { recordInput } from './input';

/** Texts that go to a summarizer, and what comes back from it. */
export const promptFunctions: GoldenFunctions = {
  parseCompactSummaryEnvelope: (input) => {
    const summary = parseEnvelope(stringOf(recordInput(input), 'raw') ?? '');
    return summary === undefined ? { kind: NO_SUMMARY, ok: false, summary: '' } : { kind: null, ok: true, summary };
  },
  formatCompactSummary: (input) => tidySummary(stringOf(recordInput(input), 's') ?? ''),
  'mergeCompactInstructions(custom, feedback)': (input) => withFeedback(...pair(input)),
  'mergeCompactHookInstructions(user, hook)': (input) => withHookInstructions(...pair(input)),
  isPromptTooLongError: (input) => isPromptTooLong(ERRORS.get(stringOf(recordInput(input), 'error') ?? '')),
};

const NO_SUMMARY = {
  api: false,
  hasUserCategory: true,
  incomplete: false,
  noSummary: true,
  notEnough: false,
  promptTooLong: false,
  userAbort: false,
};

/** Errors behind the labels of the vectors. */
const ERRORS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['plain', new Error('prompt is too long: 212000 tokens > 200000 maximum')],
  ['code', new Error('400 prompt_too_long')],
  ['cwf', new Error('context_window_full')],
  ['api-type', { status: 400, type: ' Prompt_Too_Long ', message: 'bad request' }],
  ['api-cwf', { error: { type: 'context_window_full', message: 'bad request' } }],
  ['wrapped', new CompactError('api', undefined, { cause: new Error('Prompt is too long') })],
  ['other', new Error('overloaded')],
]);

function pair(input: unknown): [string, string] {
  const [first, second] = Array.isArray(input) ? input.map(String) : [];
  return [first ?? '', second ?? ''];
}
