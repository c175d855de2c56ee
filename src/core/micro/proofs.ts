// Proofs: short, deterministic statements of what a tool did, which take the place of its output (seed 2, agentic-v2 tool proof). The key order
// is part of the form.
import { toolResultText, type ToolOutcome, type ToolResultBlock } from '../model/message';
import { isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../util/json';
import { sha256Hex } from '../util/sha256';
import { cutToBytes, utf8Length } from '../util/text';

export type ProofTool = 'Inspect' | 'Run' | 'ApplyPatch';

export const PROOF_SCHEMA = 'agentic-v2-tool-proof/v1';

const SUMMARY_BYTES = 256;
/** A proof is a few counts and states. Something longer is not made, and not taken for one either. */
export const LONGEST_PROOF_BYTES = 16 * 1024;

/** True for tools that have proofs (seed 2, tool proofs). */
export function isProofTool(name: string): name is ProofTool {
  return name === 'Inspect' || name === 'Run' || name === 'ApplyPatch';
}

/** The proof of a result as JSON: outcome, digest of the text, error, permission, and what the tool states about its work (seed 2, tool proofs). */
export function proofOf(tool: ProofTool, result: ToolResultBlock): string {
  const text = toolResultText(result);
  const outcome = result.outcome ?? (result.isError === true ? 'failed' : 'succeeded');
  const isError = result.isError === true;
  const stated = result.metadata?.get('error.code') ?? '';
  const hasError = isError || ERRORS.has(outcome);
  const code = stated !== '' ? stated : hasError ? (FALLBACK_CODES.get(outcome) ?? 'tool_result_failed') : '';
  const work = workOf(tool, result, outcome, code);
  return JSON.stringify({
    schema: PROOF_SCHEMA,
    tool,
    outcome,
    is_error: isError,
    content_sha256: sha256Hex(text),
    ...(hasError ? { error: { code, ...retryable(result), ...summaryOf(tool, result, text) } } : {}),
    ...(isDenied(outcome, code) ? { permission: { decision: 'denied', authoritative: true } } : {}),
    ...(work === undefined ? {} : { proof: work }),
  });
}

/** True for a text that is a proof of this tool already, so that clearing twice is clearing once (seed 2, tool proofs; P65). */
export function isProofOf(tool: ProofTool, text: string): boolean {
  if (!text.startsWith(`{"schema":"${PROOF_SCHEMA}","tool":"${tool}",`) || utf8Length(text) > LONGEST_PROOF_BYTES) return false;
  try {
    const value: unknown = JSON.parse(text);
    return (
      isRecord(value) && /^[0-9a-f]{64}$/.test(stringOf(value, 'content_sha256') ?? '') && Object.keys(value).every((key) => KEYS.has(key))
    );
  } catch {
    return false;
  }
}

const KEYS: ReadonlySet<string> = new Set(['schema', 'tool', 'outcome', 'is_error', 'content_sha256', 'error', 'permission', 'proof']);

/** Outcomes that come with an error; a partial success does not. */
const ERRORS: ReadonlySet<ToolOutcome> = new Set<ToolOutcome>(['failed', 'denied', 'cancelled', 'timed_out']);

const FALLBACK_CODES: ReadonlyMap<ToolOutcome, string> = new Map<ToolOutcome, string>([
  ['denied', 'permission_denied'],
  ['cancelled', 'cancelled'],
  ['timed_out', 'timed_out'],
]);

function isDenied(outcome: ToolOutcome, code: string): boolean {
  return outcome === 'denied' || code.includes('permission');
}

function retryable({ metadata }: ToolResultBlock): JsonRecord {
  return metadata?.get('error.retryable') === 'true' ? { retryable: true } : {};
}

/** The beginning of the text, unless the steps of a run say more. */
function summaryOf(tool: ProofTool, result: ToolResultBlock, text: string): JsonRecord {
  const run = recordOf(result.proof ?? {}, 'run');
  const steps = run === undefined ? undefined : run['steps'];
  if (tool === 'Run' && Array.isArray(steps) && steps.length > 0) return {};
  const whole = text.trim();
  const summary = cutToBytes(whole, SUMMARY_BYTES).trim();
  if (summary === '') return {};
  return { summary, ...(utf8Length(whole) > SUMMARY_BYTES ? { summary_truncated: true } : {}) };
}

function workOf(tool: ProofTool, result: ToolResultBlock, outcome: ToolOutcome, code: string): JsonRecord | undefined {
  const stated = result.proof ?? {};
  if (tool === 'ApplyPatch') return patchWork(recordOf(stated, 'patch') ?? {}, outcome, code);
  if (tool === 'Inspect') {
    const inspect = recordOf(stated, 'inspect');
    return inspect === undefined ? undefined : { inspect };
  }
  const run = recordOf(stated, 'run');
  const status = result.metadata?.get('verification.status') ?? '';
  if (run === undefined && status === '') return undefined;
  return { ...(status === '' ? {} : { revision: { status } }), ...(run === undefined ? {} : { run }) };
}

function patchWork(patch: JsonRecord, outcome: ToolOutcome, code: string): JsonRecord {
  const cas = commitState(outcome, code);
  return {
    revision: { status: cas === 'committed_revision_unsealed' ? 'receipt_failed' : 'not_issued' },
    patch: {
      status: outcome,
      cas,
      ...(code === '' ? {} : { failure_reason: code }),
      files: numberOf(patch, 'files') ?? 0,
      hunks: numberOf(patch, 'hunks') ?? 0,
      additions: numberOf(patch, 'additions') ?? 0,
      deletions: numberOf(patch, 'deletions') ?? 0,
    },
  };
}

/** What is known about the files after a patch. The first rule that fits holds; a conflict says more than a denial. */
function commitState(outcome: ToolOutcome, code: string): string {
  if (outcome === 'succeeded') return 'committed';
  if (outcome === 'partial' && code.includes('commit')) return 'committed_revision_unsealed';
  if (code.includes('conflict') || code.includes('cas')) return 'rejected';
  if (isDenied(outcome, code)) return 'not_authorized';
  return code.includes('commit') ? 'commit_state_unknown' : 'not_committed';
}
