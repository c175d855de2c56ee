// What may stand in the place of a consumed search or read: its proof, where it looked, and short pieces of what it found.
import { toolResultText, type ToolResultBlock } from '../model/message';
import { proofOf } from '../micro/proofs';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../util/json';
import { sha256Hex } from '../util/sha256';
import { utf8Length } from '../util/text';
import { boundedChunk } from './excerpt';
import { parsedJson, projectionJson } from './json';

export const INSPECT_REWRITE_SCHEMA = 'progressive-inspect-rewrite/v1';
export const INSPECT_INDEX_SCHEMA = 'progressive-inspect-index/v1';

const LONGEST_FORM_BYTES = 6144;
/** Room for the count of what was left out, whose digits are not known before the end. */
const OMISSION_BYTES = 64;

/** The two texts that may stand in for a result. */
export interface InspectForms {
  readonly rewrite: string;
  /** The same without the contents. */
  readonly index: string;
}

/**
 * The forms of an Inspect result, at most 6,144 bytes each; undefined when it is not safe to shorten: it failed, states no typed work, names an
 * error or a reason anywhere, or its text is not the tool's JSON with evidence (seed 2, progressive Inspect projection).
 */
export function inspectForms(result: ToolResultBlock): InspectForms | undefined {
  if (!isSafe(result)) return undefined;
  const text = toolResultText(result);
  const source = parsedJson(text);
  if (!isRecord(source)) return undefined;
  const evidence = (arrayOf(source, 'evidence') ?? []).filter(isEvidence);
  if (evidence.length === 0) return undefined;
  const head = {
    content_sha256: sha256Hex(text),
    original_bytes: utf8Length(text),
    proof: parsedJson(proofOf('Inspect', result)),
    requests: (arrayOf(source, 'requests') ?? []).filter(isRecord).map(requestForm),
  };
  const rewrite = boundedForm({ schema: INSPECT_REWRITE_SCHEMA, ...head }, evidence, true);
  const index = boundedForm({ schema: INSPECT_INDEX_SCHEMA, ...head }, evidence, false);
  return rewrite === undefined || index === undefined ? undefined : { rewrite, index };
}

function isSafe({ isError, outcome, metadata, proof }: ToolResultBlock): boolean {
  if (isError === true || (outcome !== 'succeeded' && outcome !== 'partial')) return false;
  if (WARNINGS.some((key) => (metadata?.get(key) ?? '') !== '')) return false;
  const inspect = recordOf(proof ?? {}, 'inspect');
  return inspect !== undefined && Object.entries(inspect).every(([key, value]) => isPlain(value) && !(/error/.test(key) && isSaid(value)));
}

const WARNINGS = ['error.code', 'inspect.error_code', 'schedule.reason'] as const;

/** Counts, states and lists of codes. Anything deeper is no statement of the tool. */
function isPlain(value: unknown): boolean {
  return !isRecord(value) && (!Array.isArray(value) || value.every((item) => typeof item !== 'object'));
}

function isSaid(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : value !== undefined && value !== null && value !== '' && value !== 0 && value !== false;
}

interface Evidence extends JsonRecord {
  readonly path: string;
}

function isEvidence(value: unknown): value is Evidence {
  return isRecord(value) && stringOf(value, 'path') !== undefined;
}

/** What was asked for; of the matches only where they are. */
function requestForm(request: JsonRecord): JsonRecord {
  const matches = matchForms((arrayOf(request, 'matches') ?? []).filter(isEvidence));
  const said = ASKED.flatMap((key) => {
    const value = stringOf(request, key);
    return value === undefined ? [] : [[key, value] as const];
  });
  return { ...Object.fromEntries(said), ...(matches.length === 0 ? {} : { matches }) };
}

const ASKED = ['id', 'kind', 'path', 'query', 'pattern'] as const;

function matchForms(matches: readonly Evidence[]): readonly JsonRecord[] {
  const byPath = new Map<string, { count: number; lines: number[] }>();
  for (const match of matches) {
    const known = byPath.get(match.path) ?? { count: 0, lines: [] };
    byPath.set(match.path, known);
    known.count++;
    const line = field(match, 'line');
    if (typeof line !== 'number') continue;
    known.lines = [Math.min(known.lines[0] ?? line, line), Math.max(known.lines[1] ?? line, line)];
  }
  return [...byPath].map(
    ([
      path,
      {
        count,
        lines: [first, last],
      },
    ]) => ({
      path,
      count,
      ...(first === undefined ? {} : { first_line: first, last_line: last }),
    }),
  );
}

/** Adds evidence in order while it fits; what does not is counted, and something smaller after it may still fit. */
function boundedForm(head: JsonRecord, evidence: readonly Evidence[], withContent: boolean): string | undefined {
  let bytes = utf8Length(projectionJson({ ...head, evidence: [] })) + OMISSION_BYTES;
  if (bytes > LONGEST_FORM_BYTES) return undefined;
  const kept: JsonRecord[] = [];
  let omitted = 0;
  const take = (value: JsonRecord): boolean => {
    const size = utf8Length(projectionJson(value)) + 1;
    if (bytes + size > LONGEST_FORM_BYTES) return false;
    bytes += size;
    return true;
  };
  for (const item of evidence) {
    const chunks = (arrayOf(item, 'chunks') ?? []).filter(isRecord).map((chunk) => chunkForm(chunk, withContent));
    if (!take({ path: item.path, chunks: [] })) {
      omitted += Math.max(chunks.length, 1);
      continue;
    }
    const fitting = chunks.filter(take);
    omitted += chunks.length - fitting.length;
    kept.push({ path: item.path, chunks: fitting });
  }
  if (kept.length === 0) return undefined;
  return projectionJson({ ...head, evidence: kept, ...(omitted === 0 ? {} : { omitted_chunks: omitted }) });
}

function chunkForm(chunk: JsonRecord, withContent: boolean): JsonRecord {
  const lines = (arrayOf(chunk, 'lines') ?? []).filter((line) => typeof line === 'number').slice(0, 2);
  const content = stringOf(chunk, 'content');
  return {
    ...(lines.length === 0 ? {} : { lines }),
    ...(withContent && content !== undefined ? { content: boundedChunk(content) } : {}),
  };
}
