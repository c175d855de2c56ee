import { arrayOf, isRecord, stringOf } from '../../core/util/json';
import { endpointOf } from '../../node/summarizers/endpoint';
import type { SummarizerSpec } from '../../node/engine/contract';

export type Probe =
  { readonly kind: 'ok' | 'modelMissing' | 'noList' | 'unreachable' | 'cancelled' } | { readonly kind: 'status'; readonly status: number };

/** Asks a server for its list of models. Follows no redirect, so the key goes to the configured host only. Sends no text of a session. */
export async function probeServer(spec: Extract<SummarizerSpec, { kind: 'openai' }>, signal: AbortSignal): Promise<Probe> {
  const headers = { ...spec.headers, ...(spec.apiKey === undefined ? {} : { authorization: `Bearer ${spec.apiKey}` }) };
  try {
    const limited = AbortSignal.any([signal, AbortSignal.timeout(Math.min(spec.timeoutMs, 30_000))]);
    const { baseUrl, query } = endpointOf(spec.baseUrl);
    const address = new URL(`${baseUrl}/models`);
    for (const [name, value] of Object.entries(query)) address.searchParams.set(name, value);
    const response = await fetch(address, { headers, redirect: 'error', signal: limited });
    if (response.status === 404) return { kind: 'noList' };
    if (!response.ok) return { kind: 'status', status: response.status };
    const body: unknown = await response.json().catch(() => undefined);
    const models = isRecord(body) ? arrayOf(body, 'data') : undefined;
    if (models === undefined) return { kind: 'noList' };
    return { kind: models.some((model) => isRecord(model) && stringOf(model, 'id') === spec.model) ? 'ok' : 'modelMissing' };
  } catch {
    // Refused, unknown host, time-out, redirect: for the user it is all the same, the server can't be used at this address.
    return { kind: signal.aborted ? 'cancelled' : 'unreachable' };
  }
}
