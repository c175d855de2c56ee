import { messageFor } from '../../core/errors/messages';
import type { SummarizerSpec } from '../../node/engine/contract';
import { endpointOf, isLoopback } from '../../node/summarizers/endpoint';
import type { Settings } from '../config/settings';
import { HostError } from '../hostError';
import type { KeyStore } from './keyStore';

export interface Server {
  /** Host with its port, as consent is asked and kept for. */
  readonly host: string;
  /** Scheme, host and port: a key belongs to one origin and is never sent to another. */
  readonly origin: string;
  readonly isLoopback: boolean;
}

/** The server at an address. Throws the CompactError of `endpointOf` for one that can't be used. */
export function serverAt(baseUrl: string): Server {
  const { host, baseUrl: address } = endpointOf(baseUrl);
  const { origin, hostname } = new URL(address);
  return { host, origin, isLoopback: isLoopback(hostname) };
}

/** Why an address can't be used, in words; undefined when it can. */
export function addressProblem(baseUrl: string): string | undefined {
  try {
    endpointOf(baseUrl);
    return undefined;
  } catch (error) {
    return messageFor(error);
  }
}

/** Model and host for labels; '' while no model is chosen or the address can't be used. */
export function openaiLabel(settings: Settings): string {
  const model = settings['openai.model'];
  const baseUrl = settings['openai.baseUrl'];
  return model === '' || addressProblem(baseUrl) !== undefined ? '' : `${model} · ${serverAt(baseUrl).host}`;
}

/**
 * What the engine needs to ask the server. Throws a CompactError for an address that can't be used, and a HostError for a missing model or
 * key; a server on this machine may go without a key.
 */
export async function openaiSpec(
  settings: Settings,
  keys: KeyStore,
): Promise<{ readonly spec: Extract<SummarizerSpec, { kind: 'openai' }>; readonly host: string }> {
  const baseUrl = settings['openai.baseUrl'];
  const server = serverAt(baseUrl);
  if (settings['openai.model'] === '') throw new HostError('noModel');
  const apiKey = await keys.get(server.origin);
  if (apiKey === undefined && !server.isLoopback) throw new HostError('noKey');
  return {
    host: server.host,
    spec: {
      kind: 'openai',
      baseUrl,
      model: settings['openai.model'],
      apiKey,
      headers: settings['openai.headers'],
      timeoutMs: settings['openai.timeoutSeconds'] * 1000,
    },
  };
}
