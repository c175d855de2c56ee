// Puts marks in the place of cleared results in Gemini's parts; all other bytes stay.
import type { ClearedBlocks } from '../../compaction/microPlan';
import { isRecord } from '../../util/json';
import { elementSpans, mapMember, memberText, withMembers, withoutMembers } from './jsonSpans';

const RESPONSES = ['functionResponse', 'function_response'] as const;
const MEDIA = new Set(['parts']);

/** A content (a part or a list of parts) with the results at these places among its filled parts cleared. */
export function clearContent(content: string, blocks: ClearedBlocks): string {
  if (!content.startsWith('[')) {
    const text = blocks.get(0);
    return text === undefined ? content : clearPart(content, text);
  }
  let place = 0;
  const parts = elementSpans(content).map(({ start, end }) => {
    const part = content.slice(start, end);
    // The reader skips these, so they have no place.
    if (part === 'null' || part === '""') return part;
    const text = blocks.get(place++);
    return text === undefined ? part : clearPart(part, text);
  });
  return `[${parts.join(',')}]`;
}

/** A part with a function's response replaced by a text; other parts stay as they are. */
export function clearPart(part: string, text: string): string {
  if (!part.startsWith('{')) return part;
  return RESPONSES.reduce(
    (changed, key) => mapMember(changed, key, (response) => (response.startsWith('{') ? clearedResponse(response, text) : undefined)),
    part,
  );
}

/** A response that says `error` and no output goes on saying that the call failed. */
function clearedResponse(response: string, text: string): string {
  const body: unknown = JSON.parse(memberText(response, 'response') ?? 'null');
  const key = isRecord(body) && Object.hasOwn(body, 'error') && !Object.hasOwn(body, 'output') ? 'error' : 'output';
  return withMembers(withoutMembers(response, MEDIA), new Map([['response', JSON.stringify({ [key]: text })]]));
}
