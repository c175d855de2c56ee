import { endpointOf, type Endpoint } from '../config/endpoint';
import type { Settings } from '../config/settings';
import { HostError, type HostErrorCode } from '../hostError';
import type { SummarizerSpec } from '../../node/engine/contract';
import type { KeyStore } from './keyStore';

const PROBLEMS = {
  notAUrl: 'endpointNotAUrl',
  insecure: 'endpointInsecure',
  hasCredentials: 'endpointHasCredentials',
} as const satisfies Record<Extract<Endpoint, { outcome: 'problem' }>['problem'], HostErrorCode>;

type Problem = keyof typeof PROBLEMS;

export type UsableEndpoint = Extract<Endpoint, { outcome: 'endpoint' }>;

/** Code of the sentence for an address that can't be used. */
export function endpointProblem(problem: Problem): HostErrorCode {
  return PROBLEMS[problem];
}

/** The server of the settings. Throws a HostError when its address can't be used. */
export function configuredEndpoint(settings: Settings): UsableEndpoint {
  const endpoint = endpointOf(settings['openai.baseUrl']);
  if (endpoint.outcome === 'problem') throw new HostError(PROBLEMS[endpoint.problem]);
  return endpoint;
}

/** Model and host for labels; '' while no model is chosen or the address can't be used. */
export function openaiLabel(settings: Settings): string {
  const endpoint = endpointOf(settings['openai.baseUrl']);
  const model = settings['openai.model'];
  return endpoint.outcome === 'problem' || model === '' ? '' : `${model} · ${endpoint.host}`;
}

/**
 * What the engine needs to ask the server. Throws a HostError for an address that can't be used, for a missing model, and for a missing key;
 * a server on this machine may go without a key.
 */
export async function openaiSpec(settings: Settings, keys: KeyStore): Promise<{ readonly spec: SummarizerSpec; readonly host: string }> {
  const endpoint = configuredEndpoint(settings);
  if (settings['openai.model'] === '') throw new HostError('noModel');
  const apiKey = await keys.get(endpoint.origin);
  if (apiKey === undefined && !endpoint.isLoopback) throw new HostError('noKey');
  return {
    host: endpoint.host,
    spec: {
      kind: 'openai',
      baseUrl: endpoint.baseUrl,
      model: settings['openai.model'],
      apiKey,
      headers: settings['openai.headers'],
      timeoutMs: settings['openai.timeoutSeconds'] * 1000,
    },
  };
}
