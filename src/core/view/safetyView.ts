import type { SafetyItem } from '../compaction/safety';
import type { Message } from '../model/message';
import type { SafetyView } from '../protocol/planView';
import { oneLine } from '../util/text';

/** Most items that a page gets: those at risk come first. */
export const MAX_SAFETY_ITEMS = 200;
const TEXT_UNITS = 200;

/** What a plan does to what people would miss, as a page shows it. */
export function safetyView(items: readonly SafetyItem[], messages: readonly Message[]): readonly SafetyView[] {
  return items.slice(0, MAX_SAFETY_ITEMS).map(({ kind, text, index, fate }) => ({
    kind,
    text: oneLine(text, TEXT_UNITS),
    messageId: messages[index]?.id ?? '',
    index,
    fate,
  }));
}
