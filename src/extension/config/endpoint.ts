export type EndpointProblem = 'notAUrl' | 'insecure' | 'hasCredentials';

export type Endpoint =
  | {
      readonly outcome: 'endpoint';
      readonly baseUrl: string;
      /** Host with its port, as consent is asked and kept for. */
      readonly host: string;
      /** Scheme, host and port: a key belongs to one origin and is never sent to another. */
      readonly origin: string;
      readonly isLoopback: boolean;
    }
  | { readonly outcome: 'problem'; readonly problem: EndpointProblem };

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Checks the address of a summarizer: https, or plain http to this machine only; no user name or password inside. */
export function endpointOf(baseUrl: string): Endpoint {
  if (!URL.canParse(baseUrl)) return { outcome: 'problem', problem: 'notAUrl' };
  const url = new URL(baseUrl);
  const isLoopback = LOOPBACK.has(url.hostname);
  if (url.username !== '' || url.password !== '') return { outcome: 'problem', problem: 'hasCredentials' };
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback)) return { outcome: 'problem', problem: 'insecure' };
  return { outcome: 'endpoint', baseUrl: baseUrl.replace(/\/+$/, ''), host: url.host, origin: url.origin, isLoopback };
}
