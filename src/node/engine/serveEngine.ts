import { emit, serve, type Port } from '../../core/protocol/channel';
import type { Disposable } from '../../core/util/disposable';
import type { EngineEvents, EngineRequests } from './contract';
import type { createEngine } from './engine';
import { isEngineParams } from './engineShapes';

/** Puts an engine behind a port: requests of the right shape reach its handlers, what it emits goes out. Disposing closes the engine too. */
export function serveEngine(port: Port, create: typeof createEngine): Disposable {
  const engine = create((name, value) => emit<EngineEvents, typeof name>(port, name, value));
  const endpoint = serve<EngineRequests>(port, engine.handlers, isEngineParams);
  return {
    dispose() {
      endpoint.dispose();
      engine.dispose();
    },
  };
}
