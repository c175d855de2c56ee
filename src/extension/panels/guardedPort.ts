import { isFrame, type Frame, type Port } from '../../core/protocol/channel';
import type { HostErrorCode } from '../hostError';

/** Largest message of a page, in UTF-16 units of its text and 8 for each value. */
export const MAX_MESSAGE_SIZE = 1024 * 1024;
/** Messages a second in the long run, and at once after a pause. */
export const MESSAGES_PER_SECOND = 50;
export const MESSAGES_AT_ONCE = 100;

export interface GuardOptions {
  readonly now: () => number;
  readonly sentence: (code: HostErrorCode) => string;
}

/**
 * Stands between a page and the endpoint that answers it. What is no frame is dropped; a request that is too large or comes too fast is
 * answered with an error and goes no further (R57). Cancelling is always let through.
 */
export function guardedPort(port: Port, { now, sentence }: GuardOptions): Port {
  let allowance = MESSAGES_AT_ONCE;
  let last = now();
  const mayPass = (): boolean => {
    const time = now();
    allowance = Math.min(MESSAGES_AT_ONCE, allowance + ((time - last) / 1000) * MESSAGES_PER_SECOND);
    last = time;
    if (allowance < 1) return false;
    allowance -= 1;
    return true;
  };
  const refuse = (frame: Frame, code: HostErrorCode): void => {
    if (frame.k === 'req') port.post({ k: 'err', id: frame.id, code: 'failed', message: sentence(code), inner: code });
  };
  return {
    post: (frame) => port.post(frame),
    onFrame: (listener) =>
      port.onFrame((value) => {
        if (!isFrame(value)) return;
        if (value.k === 'cancel') listener(value);
        else if (!mayPass()) refuse(value, 'tooManyRequests');
        else if (!fitsWithin(value, MAX_MESSAGE_SIZE)) refuse(value, 'messageTooLarge');
        else listener(value);
      }),
  };
}

/** True when the value's text and values together stay within the limit. Stops at the limit, and follows no more than 200 levels. */
export function fitsWithin(value: unknown, limit: number): boolean {
  let left = limit;
  const stack: { readonly item: unknown; readonly depth: number }[] = [{ item: value, depth: 0 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { item, depth } = next;
    left -= typeof item === 'string' ? item.length : 8;
    if (left < 0 || depth > 200) return false;
    if (typeof item !== 'object' || item === null) continue;
    for (const [key, child] of Object.entries(item)) {
      left -= key.length;
      if (left < 0) return false;
      stack.push({ item: child, depth: depth + 1 });
    }
  }
  return true;
}
