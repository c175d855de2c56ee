import { Emitter } from '../../../src/core/util/emitter';
import type { Disposable } from '../../../src/core/util/disposable';
import type { EngineClient, EngineStopped } from '../../../src/node/engine/client';
import type { EngineEvents, EngineRequests } from '../../../src/node/engine/contract';

type Answers = {
  -readonly [K in keyof EngineRequests]?: (params: EngineRequests[K]['params']) => Promise<EngineRequests[K]['result']>;
};

/** An engine whose answers a test writes down. A request without an answer is rejected. */
export class FakeEngine implements EngineClient {
  readonly asked: { readonly name: string; readonly params: unknown }[] = [];
  readonly answers: Answers = {};
  readonly #stopped = new Emitter<EngineStopped>();
  readonly #listeners = new Map<string, Set<(value: never) => void>>();
  readonly onDidStop = this.#stopped.event;

  request<K extends keyof EngineRequests>(name: K, params: EngineRequests[K]['params']): Promise<EngineRequests[K]['result']> {
    this.asked.push({ name, params });
    const answer: Answers[K] = this.answers[name];
    return answer === undefined ? Promise.reject(new Error(`no answer for ${name}`)) : answer(params);
  }

  on<K extends keyof EngineEvents>(name: K, listener: (value: EngineEvents[K]) => void): Disposable {
    const set = this.#listeners.get(name) ?? new Set();
    this.#listeners.set(name, set.add(listener));
    return { dispose: () => void set.delete(listener) };
  }

  emit<K extends keyof EngineEvents>(name: K, value: EngineEvents[K]): void {
    for (const listener of this.#listeners.get(name) ?? []) listener(value as never);
  }

  stop(): void {
    this.#stopped.fire({ reason: 'test' });
  }

  count(name: keyof EngineRequests): number {
    return this.asked.filter((request) => request.name === name).length;
  }

  dispose(): void {
    this.#stopped.dispose();
  }
}

/** Lets all settled promises reach their listeners. */
export async function settled(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
