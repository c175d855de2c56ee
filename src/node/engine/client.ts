import { Worker } from 'node:worker_threads';
import { Client, RpcError } from '../../core/protocol/channel';
import { DisposableStore, type Disposable } from '../../core/util/disposable';
import { Emitter, type Event } from '../../core/util/emitter';
import type { EngineEvents, EngineRequests } from './contract';
import { messagePort } from './messagePort';

export interface EngineStopped {
  readonly reason: string;
}

/** The engine as its users see it. Handles are void after `onDidStop`; the next request starts a new engine. */
export interface EngineClient extends Disposable {
  request<K extends keyof EngineRequests>(
    name: K,
    params: EngineRequests[K]['params'],
    signal?: AbortSignal,
  ): Promise<EngineRequests[K]['result']>;
  on<K extends keyof EngineEvents>(name: K, listener: (value: EngineEvents[K]) => void): Disposable;
  /** The engine ended by itself. Its pending requests were rejected with the code `disposed`. */
  readonly onDidStop: Event<EngineStopped>;
}

type EngineChannel = Client<EngineRequests, EngineEvents>;

/** Three deaths within a minute mean that starting once more does not help. */
const MAX_DEATHS = 3;
const DEATH_WINDOW_MS = 60_000;
/**
 * Texts of large sessions stay in their files, so an index takes a tenth of this; beyond it the worker ends with an error and the editor stays
 * alive. The platform also lets more garbage pile up the higher this is.
 */
const MAX_HEAP_MB = 1024;
/** Most of what the engine allocates is gone at once or stays for long; more room for the young only costs memory. */
const YOUNG_HEAP_MB = 12;

/**
 * Runs the engine of the given file in a worker thread, started by the first request. A worker that dies rejects what was pending and is
 * started again by the next request, but not after three deaths in a minute: then requests fail with `engineStopped` until the minute is over.
 */
export function startEngineWorker(path: string, now: () => number = Date.now): EngineClient {
  const stopped = new Emitter<EngineStopped>();
  const subscriptions = new Set<(channel: EngineChannel) => void>();
  let running: { readonly worker: Worker; readonly channel: EngineChannel } | undefined;
  let deaths: readonly number[] = [];
  let disposed = false;

  const start = (): EngineChannel => {
    const worker = new Worker(path, {
      env: engineEnvironment(process.env),
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
    });
    const channel: EngineChannel = new Client(messagePort(worker));
    const current = { worker, channel };
    let reason = '';
    worker.on('error', (error) => (reason = error instanceof Error ? error.message : String(error)));
    worker.on('exit', (status) => {
      if (running !== current) return;
      running = undefined;
      deaths = [...deaths, now()].slice(-MAX_DEATHS);
      channel.dispose();
      stopped.fire({ reason: reason === '' ? `exit status ${status}` : reason });
    });
    for (const subscribe of subscriptions) subscribe(channel);
    running = current;
    return channel;
  };

  return {
    onDidStop: stopped.event,
    request(name, params, signal) {
      if (disposed) return Promise.reject(new RpcError('disposed', name));
      const oldest = deaths[0];
      if (running === undefined && deaths.length === MAX_DEATHS && oldest !== undefined && now() - oldest < DEATH_WINDOW_MS) {
        return Promise.reject(new RpcError('failed', 'the engine keeps stopping', 'engineStopped'));
      }
      return (running?.channel ?? start()).request(name, params, signal);
    },
    on(name, listener) {
      const store = new DisposableStore();
      const subscribe = (channel: EngineChannel): void => void store.add(channel.on(name, listener));
      subscriptions.add(subscribe);
      if (running !== undefined) subscribe(running.channel);
      store.add({ dispose: () => void subscriptions.delete(subscribe) });
      return store;
    },
    dispose() {
      disposed = true;
      const last = running;
      running = undefined;
      last?.channel.dispose();
      void last?.worker.terminate().catch(() => undefined);
      subscriptions.clear();
      stopped.dispose();
    },
  };
}

/** The worker's environment: everything but what would choose a server or a key behind the user's back. */
function engineEnvironment(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^OPENAI_/i.test(name)));
}
