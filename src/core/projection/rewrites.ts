// The texts that may stand in the place of a tool's output, by tool. Each is made from the result itself; no model has a say in it.
import { toolResultText, type ToolResultBlock } from '../model/message';
import { proofOf, type ProofTool } from '../micro/proofs';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../util/json';
import { sha256Hex } from '../util/sha256';
import { utf8Length } from '../util/text';
import { comparable } from './config';
import { runExcerpt } from './excerpt';
import { inspectForms } from './inspectForms';
import { parsedJson, projectionJson } from './json';

export const RUN_REWRITE_SCHEMA = 'progressive-run-rewrite/v1';

/** Texts that are strictly shorter in bytes than the result that they stand for. */
export interface ProjectionForms {
  readonly rewrite: string | undefined;
  /** Where to look again, for Inspect only. */
  readonly index: string | undefined;
}

const NONE: ProjectionForms = { rewrite: undefined, index: undefined };

/** The tool that a name means, whatever its case; undefined for a tool without such forms (seed 2, projected tools). */
export function projectableTool(name: string): ProofTool | undefined {
  return TOOLS.get(comparable(name));
}

const TOOLS: ReadonlyMap<string, ProofTool> = new Map([
  ['inspect', 'Inspect'],
  ['run', 'Run'],
  ['applypatch', 'ApplyPatch'],
]);

/** The valid forms of a result that are shorter than it; none for whatever failed or is not certain (seed 2, rewrites and indexes; P68). */
export function projectionForms(tool: ProofTool, result: ToolResultBlock): ProjectionForms {
  const forms = validForms(tool, result);
  if (forms === NONE) return NONE;
  const bytes = utf8Length(toolResultText(result));
  const shorter = (text: string | undefined): string | undefined => (text !== undefined && utf8Length(text) < bytes ? text : undefined);
  return { rewrite: shorter(forms.rewrite), index: shorter(forms.index) };
}

function validForms(tool: ProofTool, result: ToolResultBlock): ProjectionForms {
  if (tool === 'Inspect') return inspectForms(result) ?? NONE;
  if (result.isError === true || result.outcome !== 'succeeded') return NONE;
  if (tool === 'Run') return isCleanRun(result) ? { rewrite: runRewrite(result), index: undefined } : NONE;
  return isCommitted(result) ? { rewrite: proofOf(tool, result), index: undefined } : NONE;
}

function runRewrite(result: ToolResultBlock): string {
  const text = toolResultText(result);
  return projectionJson({
    schema: RUN_REWRITE_SCHEMA,
    original_bytes: utf8Length(text),
    original_sha256: sha256Hex(text),
    ...runExcerpt(text),
    proof: parsedJson(proofOf('Run', result)),
  });
}

/** Carried out, every step started and ended well, nothing verified to fail, and no reason given for anything. */
function isCleanRun({ proof, metadata }: ToolResultBlock): boolean {
  const run = recordOf(proof ?? {}, 'run');
  if (run === undefined || field(run, 'logical_execution_committed') !== true || hasReason(run)) return false;
  if ((metadata?.get('error.code') ?? '') !== '') return false;
  // Besides its steps a run states plain values; anything deeper is no statement of the tool.
  if (!Object.entries(run).every(([key, value]) => key === 'steps' || typeof value !== 'object' || value === null)) return false;
  const statuses = [metadata?.get('verification.status') ?? '', field(run, 'verification_status') ?? ''];
  if (!statuses.every((status) => VERIFIED.has(status))) return false;
  const steps = arrayOf(run, 'steps') ?? [];
  return steps.length > 0 && steps.every((step) => isRecord(step) && isCleanStep(step));
}

const VERIFIED: ReadonlySet<unknown> = new Set(['', 'passed', 'succeeded', 'not_requested']);

function isCleanStep(step: JsonRecord): boolean {
  const isDone = field(step, 'invoked') === true && numberOf(step, 'exit_code') === 0 && stringOf(step, 'status') === 'succeeded';
  return isDone && !hasReason(step) && Object.values(step).every((value) => typeof value !== 'object' || value === null);
}

function hasReason(record: JsonRecord): boolean {
  return Object.entries(record).some(([key, value]) => key.includes('reason') && value !== '' && value !== null && value !== undefined);
}

/** The files are written, and the proof says so without a reservation. */
function isCommitted(result: ToolResultBlock): boolean {
  const proof = parsedJson(proofOf('ApplyPatch', result));
  const patch = isRecord(proof) ? recordOf(recordOf(proof, 'proof') ?? {}, 'patch') : undefined;
  return patch !== undefined && field(patch, 'cas') === 'committed' && (stringOf(patch, 'failure_reason') ?? '') === '';
}
