import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { CUT_OPEN } from '../cutText';
import { contentsOf } from '../storedLines';
import { codexRecord, INITIAL_STATE } from './codexRecord';
import type { StoredTexts } from './format';

/** Lines of which nothing is taken but a message, or nothing at all. */
const PLAIN_LINES = new Set(['response_item', 'turn_context', 'world_state', 'token_usage_record']);
/** Events whose name of the thread, which is no message, may be long. */
const NAMED_EVENTS = new Set(['thread_name_updated']);
const NO_IDS: ReadonlySet<string> = new Set();

/** How long texts of a rollout may stay in its file; see `StoredTexts`. */
export const codexStored: StoredTexts = {
  needsWhole(outline) {
    if (!isRecord(outline)) return true;
    const type = stringOf(outline, 'type') ?? '';
    const payload = recordOf(outline, 'payload');
    if (payload === undefined) return type === '' || isTextual(outline);
    if (type === 'event_msg') return NAMED_EVENTS.has(stringOf(payload, 'type') ?? '');
    return !PLAIN_LINES.has(type) || (type === 'response_item' && isTextual(payload));
  },
  contentOf: (value) => contentsOf(value, (source) => codexRecord(source, INITIAL_STATE, NO_IDS)),
};

/** True for an item whose texts say what it is: what the user said from what Codex added in his name, or the type of a picture. */
function isTextual(item: JsonRecord): boolean {
  if (stringOf(item, 'type') === 'message' && !OTHERS.has(stringOf(item, 'role') ?? '')) return true;
  return [field(item, 'content'), field(item, 'output'), field(item, 'result')].some((content) => {
    const parts = isRecord(content) ? arrayOf(content, 'content') : content;
    return Array.isArray(parts) && parts.some(isCutPicture);
  });
}

/** Roles of messages that no user wrote. */
const OTHERS = new Set(['assistant', 'developer', 'system']);

/** True for a picture whose type does not stand before the cut. */
function isCutPicture(part: unknown): boolean {
  const url = isRecord(part) ? stringOf(part, 'image_url') : undefined;
  return url?.includes(CUT_OPEN) === true && !/^[^\u007f]*[;,]/u.test(url);
}
