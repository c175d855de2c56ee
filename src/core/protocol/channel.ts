// A small request/response/event channel over anything that posts values: a webview, a worker thread, or a pair in one process.
import type { Disposable } from '../util/disposable';

export type RpcErrorCode = 'unknownRequest' | 'badParams' | 'failed' | 'cancelled' | 'disposed';

export class RpcError extends Error {
  override readonly name = 'RpcError';
  constructor(
    readonly code: RpcErrorCode,
    message: string,
    /** Code of the typed error on the other side (`notFound`, `notSmaller` …), where there was one. */
    readonly inner?: string,
  ) {
    super(message);
  }
}

export type Frame =
  | { readonly k: 'req'; readonly id: number; readonly name: string; readonly params: unknown }
  | { readonly k: 'res'; readonly id: number; readonly result: unknown }
  | { readonly k: 'err'; readonly id: number; readonly code: RpcErrorCode; readonly message: string; readonly inner?: string }
  | { readonly k: 'cancel'; readonly id: number }
  | { readonly k: 'event'; readonly name: string; readonly value: unknown };

export interface Port {
  post(frame: Frame): void;
  onFrame(listener: (frame: unknown) => void): Disposable;
}

type Shape = { readonly params: unknown; readonly result: unknown };
type AnyRequests<T> = { readonly [K in keyof T]: Shape };

/** True for a value that has the form of a frame. Everything else that arrives is dropped. */
export function isFrame(value: unknown): value is Frame {
  if (typeof value !== 'object' || value === null) return false;
  const f = value as { k?: unknown; id?: unknown; name?: unknown };
  if (f.k === 'event') return typeof f.name === 'string';
  if (f.k === 'req') return typeof f.name === 'string' && Number.isInteger(f.id);
  return (f.k === 'res' || f.k === 'err' || f.k === 'cancel') && Number.isInteger(f.id);
}

function innerCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Answers requests. `check` decides whether params have the right shape; a request without a handler is `unknownRequest`. */
export function serve<Requests extends AnyRequests<Requests>>(
  port: Port,
  handlers: { readonly [K in keyof Requests]: (params: Requests[K]['params'], signal: AbortSignal) => Promise<Requests[K]['result']> },
  check: (name: string, params: unknown) => boolean,
): Disposable {
  const running = new Map<number, AbortController>();
  const table = new Map<string, (params: never, signal: AbortSignal) => Promise<unknown>>(Object.entries(handlers));
  const answer = async (id: number, name: string, params: unknown): Promise<void> => {
    const handler = table.get(name);
    if (handler === undefined) {
      port.post({ k: 'err', id, code: 'unknownRequest', message: name.slice(0, 100) });
      return;
    }
    if (!check(name, params)) {
      port.post({ k: 'err', id, code: 'badParams', message: name });
      return;
    }
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const result = await handler(params as never, controller.signal);
      port.post({ k: 'res', id, result });
    } catch (error) {
      const inner = innerCode(error);
      const code = controller.signal.aborted ? 'cancelled' : 'failed';
      port.post({
        k: 'err',
        id,
        code,
        message: error instanceof Error ? error.message : String(error),
        ...(inner === undefined ? {} : { inner }),
      });
    } finally {
      running.delete(id);
    }
  };
  const listening = port.onFrame((frame) => {
    if (!isFrame(frame)) return;
    if (frame.k === 'req') void answer(frame.id, frame.name, frame.params);
    else if (frame.k === 'cancel') running.get(frame.id)?.abort();
  });
  return {
    dispose() {
      listening.dispose();
      for (const controller of running.values()) controller.abort();
      running.clear();
    },
  };
}

/** Asks requests and hears events. After `dispose` every pending and later request is rejected with `disposed`. */
export class Client<Requests extends AnyRequests<Requests>, Events extends object> implements Disposable {
  readonly #port: Port;
  readonly #listening: Disposable;
  readonly #pending = new Map<number, { resolve(value: unknown): void; reject(error: RpcError): void }>();
  readonly #listeners = new Map<string, Set<(value: never) => void>>();
  #next = 1;
  #disposed = false;

  constructor(port: Port) {
    this.#port = port;
    this.#listening = port.onFrame((frame) => this.#receive(frame));
  }

  request<K extends keyof Requests & string>(name: K, params: Requests[K]['params'], signal?: AbortSignal): Promise<Requests[K]['result']> {
    if (this.#disposed) return Promise.reject(new RpcError('disposed', name));
    if (signal?.aborted === true) return Promise.reject(new RpcError('cancelled', name));
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      const onAbort = (): void => this.#port.post({ k: 'cancel', id });
      const done = (): void => signal?.removeEventListener('abort', onAbort);
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#pending.set(id, {
        resolve: (value) => {
          done();
          resolve(value);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      this.#port.post({ k: 'req', id, name, params });
    });
  }

  on<K extends keyof Events & string>(name: K, listener: (value: Events[K]) => void): Disposable {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set);
    set.add(listener);
    return { dispose: () => void set.delete(listener) };
  }

  dispose(): void {
    this.#disposed = true;
    this.#listening.dispose();
    for (const [, pending] of this.#pending) pending.reject(new RpcError('disposed', 'the channel was closed'));
    this.#pending.clear();
    this.#listeners.clear();
  }

  #receive(frame: unknown): void {
    if (!isFrame(frame)) return;
    if (frame.k === 'event') {
      for (const listener of this.#listeners.get(frame.name) ?? []) listener(frame.value as never);
      return;
    }
    if (frame.k !== 'res' && frame.k !== 'err') return;
    const pending = this.#pending.get(frame.id);
    this.#pending.delete(frame.id);
    if (frame.k === 'res') pending?.resolve(frame.result);
    else pending?.reject(new RpcError(frame.code, frame.message, frame.inner));
  }
}

/** Sends an event to the other side. */
export function emit<Events extends object, K extends keyof Events & string>(port: Port, name: K, value: Events[K]): void {
  port.post({ k: 'event', name, value });
}
