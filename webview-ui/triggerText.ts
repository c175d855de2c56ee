import { visibleText } from './outsideText';
import type { Words } from './words';

/** What set a compaction off: one of the two known words in the user's language, anything else as the agent wrote it. */
export function triggerText(trigger: string, { t }: Words): string {
  return trigger === 'auto' || trigger === 'manual' ? t(`trigger.${trigger}`) : visibleText(trigger);
}
