import { field, isRecord, type JsonRecord } from '../util/json';

/** Name of the answer form; a model must repeat it. */
export const SUMMARY_SCHEMA = 'compact-summary/v2';

/**
 * Takes the summary out of a model's reply: exactly one JSON object `{"schema":"compact-summary/v2","summary":"…"}`, with nothing around it
 * but plain words. Undefined for every other reply: two answers, unknown or missing fields, a blank summary, code fences, braces or control
 * characters around it, or tags in the summary that only a prompt has (seed 2, summary envelope).
 */
export function parseEnvelope(reply: string): string | undefined {
  const text = reply.trim();
  const answers = objectsIn(text)?.filter(({ value }) => Object.hasOwn(value, 'schema') || Object.hasOwn(value, 'summary'));
  const [answer, ...others] = answers ?? [];
  if (answer === undefined || others.length > 0) return undefined;
  const summary = summaryOf(answer.value);
  if (summary === undefined || PROMPT_TAG.test(summary)) return undefined;
  const around = [text.slice(0, answer.start), text.slice(answer.end)];
  return around.some((part) => NOT_PLAIN.test(part) || PROMPT_TAG.test(part)) ? undefined : summary.trim();
}

/** A summary as it is stored: trimmed, and never more than one empty line in a row but inside of fenced quotations, which stay as they are. */
export function tidySummary(text: string): string {
  const trimmed = text.trim();
  if (!trimmed.includes('```')) return trimmed.replace(EMPTY_LINES, '\n\n');
  let fence: string | undefined;
  let tidy = '';
  let from = 0;
  for (const { 0: line, 1: mark = '', index } of trimmed.matchAll(FENCE_LINE)) {
    if (fence !== undefined && mark !== fence) continue;
    const end = index + line.length;
    tidy += fence === undefined ? trimmed.slice(from, end).replace(EMPTY_LINES, '\n\n') : trimmed.slice(from, end);
    fence = fence === undefined ? mark : undefined;
    from = end;
  }
  const rest = trimmed.slice(from);
  return tidy + (fence === undefined ? rest.replace(EMPTY_LINES, '\n\n') : rest);
}

const EMPTY_LINES = /\n{2,}/g;
/** A line that opens or closes a fence; words of a language may follow it. */
const FENCE_LINE = /^ {0,3}(`{3,})[^`\n]*$/gm;
const PROMPT_TAG = /<\/?(?:analysis|thinking|reasoning|system|developer|assistant|tool|private|summary)/i;
/** Code fences, anything that could be more JSON, and control characters but tab and line ends. */
const NOT_PLAIN = /`{3}|~{3}|[{}[\]]|[^\P{Cc}\t\n\r]/u;

/** Field names match in any case once the object is known to be an answer; of two spellings the later counts. */
function summaryOf(answer: JsonRecord): string | undefined {
  const fields = new Map(Object.keys(answer).map((key) => [key.toLowerCase(), field(answer, key)]));
  const summary = fields.get('summary');
  if (fields.size !== 2 || fields.get('schema') !== SUMMARY_SCHEMA || typeof summary !== 'string') return undefined;
  return summary.trim() === '' ? undefined : summary;
}

interface FoundObject {
  readonly start: number;
  readonly end: number;
  readonly value: JsonRecord;
}

/** White space after a brace that still counts as the beginning of an object. */
const LONGEST_GAP = 1000;
const BEGINS_OBJECT = /^\{[ \t\n\r]*["}]/;
/** Characters that the search may look at for each character of the reply; only text made to be slow needs more. */
const WORK_PER_CHARACTER = 16;

/** Every place of the text where a JSON object begins, nested ones and those inside strings too; undefined when that takes too long. */
function objectsIn(text: string): readonly FoundObject[] | undefined {
  const found: FoundObject[] = [];
  let work = 0;
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start + 1)) {
    if (!BEGINS_OBJECT.test(text.slice(start, start + LONGEST_GAP))) continue;
    const end = objectEnd(text, start);
    work += (end ?? text.length) - start;
    if (work > WORK_PER_CHARACTER * text.length) return undefined;
    const value = end === undefined ? undefined : parseObject(text.slice(start, end));
    if (end !== undefined && value !== undefined) found.push({ start, end, value });
  }
  return found;
}

/** End of the object that begins here, judged by its quotes and brackets alone; undefined when it has none. */
function objectEnd(text: string, start: number): number | undefined {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (inString) {
      if (character === '\\') at += 1;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') depth += 1;
    else if ((character === '}' || character === ']') && --depth === 0) return at + 1;
  }
  return undefined;
}

function parseObject(text: string): JsonRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
