import { Client, type Port } from '../src/core/protocol/channel';
import type { PageEvents, PageRequests } from '../src/core/protocol/contract';

/** What VS Code gives a page, once per document. */
export interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

export type PageClient = Client<PageRequests, PageEvents>;

/** Opens the channel to the host over `acquireVsCodeApi`. What arrives and is no frame is dropped by the channel. */
export function connect(api: VsCodeApi): PageClient {
  const port: Port = {
    post: (frame) => api.postMessage(frame),
    onFrame(listener) {
      const onMessage = (event: MessageEvent<unknown>): void => listener(event.data);
      window.addEventListener('message', onMessage);
      return { dispose: () => window.removeEventListener('message', onMessage) };
    },
  };
  return new Client<PageRequests, PageEvents>(port);
}
