// What a model is sent, in the four protocols of the stand-in server, as one list in the order of the request.
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../../src/core/util/json';

export type Sent =
  | { readonly kind: 'text'; readonly role: string; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string }
  | { readonly kind: 'result'; readonly id: string; readonly text: string };

/** Everything but instructions and thoughts of a logged request. */
export function sentIn(request: unknown): readonly Sent[] {
  const body = isRecord(request) ? recordOf(request, 'body') : undefined;
  if (body === undefined) return [];
  return [...(arrayOf(body, 'messages') ?? []), ...(arrayOf(body, 'input') ?? []), ...(arrayOf(body, 'contents') ?? [])]
    .filter(isRecord)
    .flatMap(sentBy);
}

/** The text that the stand-in server answered with. */
export function replyTo(request: unknown): string {
  const reply = isRecord(request) ? recordOf(request, 'reply') : undefined;
  return reply === undefined ? '' : (stringOf(reply, 'text') ?? '');
}

function sentBy(message: JsonRecord): readonly Sent[] {
  const role = stringOf(message, 'role') ?? 'user';
  const type = stringOf(message, 'type') ?? '';
  const id = stringOf(message, 'call_id') ?? stringOf(message, 'tool_call_id') ?? '';
  if (type.endsWith('_call_output')) return [{ kind: 'result', id, text: plain(field(message, 'output')) }];
  if (type.endsWith('_call')) return [{ kind: 'call', id, name: stringOf(message, 'name') ?? '' }];
  if (role === 'tool') return [{ kind: 'result', id, text: plain(field(message, 'content')) }];
  if (role === 'system' || role === 'developer') return [];
  const content = field(message, 'content') ?? field(message, 'parts');
  const parts = typeof content === 'string' ? [{ text: content }] : Array.isArray(content) ? content : [];
  const calls = (arrayOf(message, 'tool_calls') ?? []).filter(isRecord).map((call): Sent => {
    return { kind: 'call', id: stringOf(call, 'id') ?? '', name: stringOf(recordOf(call, 'function') ?? {}, 'name') ?? '' };
  });
  return [...parts.filter(isRecord).flatMap((part) => partOf(part, role)), ...calls];
}

function partOf(part: JsonRecord, role: string): readonly Sent[] {
  const [call, response] = [recordOf(part, 'functionCall'), recordOf(part, 'functionResponse')];
  if (call !== undefined) return [{ kind: 'call', id: stringOf(call, 'id') ?? '', name: stringOf(call, 'name') ?? '' }];
  if (response !== undefined) return [{ kind: 'result', id: stringOf(response, 'id') ?? '', text: plain(field(response, 'response')) }];
  const type = stringOf(part, 'type');
  if (type === 'tool_use') return [{ kind: 'call', id: stringOf(part, 'id') ?? '', name: stringOf(part, 'name') ?? '' }];
  if (type === 'tool_result') return [{ kind: 'result', id: stringOf(part, 'tool_use_id') ?? '', text: plain(field(part, 'content')) }];
  const text = stringOf(part, 'text');
  return text === undefined || field(part, 'thought') === true ? [] : [{ kind: 'text', role, text }];
}

/** All texts inside of a value. */
function plain(value: unknown): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(plain).join('\n');
  return isRecord(value) ? Object.values(value).map(plain).join('\n') : '';
}
