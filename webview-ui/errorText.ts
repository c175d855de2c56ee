import { visibleText } from './outsideText';

/** Text of whatever was thrown. It may quote a transcript or a server's answer. */
export function messageOf(error: unknown): string {
  return visibleText(error instanceof Error ? error.message : String(error));
}
