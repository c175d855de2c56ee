import type { Port } from '../../core/protocol/channel';

/** What a worker and the parent's side of it have in common. */
interface MessageEnd {
  postMessage(value: unknown): void;
  on(event: 'message', listener: (value: unknown) => void): unknown;
  off(event: 'message', listener: (value: unknown) => void): unknown;
}

/** Makes a port of one end of a worker thread. */
export function messagePort(end: MessageEnd): Port {
  return {
    post: (frame) => end.postMessage(frame),
    onFrame(listener) {
      end.on('message', listener);
      return { dispose: () => void end.off('message', listener) };
    },
  };
}
