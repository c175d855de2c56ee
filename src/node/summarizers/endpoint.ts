import { CompactError } from '../../core/errors/compactError';

/** Where an OpenAI-compatible server is, and how requests to it look. */
export interface Endpoint {
  /** Address without query and closing slash. */
  readonly baseUrl: string;
  /** Host with its port, where one is stated: shown to people, and what consent is given for. */
  readonly host: string;
  readonly query: Readonly<Record<string, string>>;
}

/**
 * Checks an address before anything is sent to it: https, or http to this very machine (T8); no password in it. Throws CompactError
 * `summarizerUnavailable` otherwise.
 */
export function endpointOf(baseUrl: string): Endpoint {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw unusable('The address of the summarizer is no web address; give one that begins with https://.');
  }
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw unusable(`The address of the summarizer would send the transcript unprotected to ${url.host}; use https:// there.`);
  }
  if (url.username !== '' || url.password !== '') {
    throw unusable('The address of the summarizer holds a name or password; remove it and set the key instead.');
  }
  return {
    baseUrl: `${url.origin}${url.pathname}`.replace(/\/$/, ''),
    host: url.host,
    query: Object.fromEntries(url.searchParams),
  };
}

/** True for names of this very machine. URL parsing has brought every spelling of 127.0.0.1 into one form. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}

/** Headers that a request needs; nothing else of what the package or the environment adds is sent. */
const NEEDED = ['accept', 'authorization', 'content-type', 'user-agent'];

/**
 * A fetch that stays at one host: a redirect is an error and is not followed, so that neither text nor key reach an address that the user
 * did not allow. Sends the needed headers and those that the user set.
 */
export function guardedFetch(endpoint: Endpoint, ownHeaders: Readonly<Record<string, string>>): typeof fetch {
  const allowed = [...NEEDED, ...Object.keys(ownHeaders)];
  return async (input, init) => {
    const given = new Headers(init?.headers);
    const headers = new Headers();
    for (const name of allowed) {
      const value = given.get(name);
      if (value !== null) headers.set(name, value);
    }
    const response = await fetch(input, { ...init, headers, redirect: 'manual' });
    if (response.status < 300 || response.status > 399) return response;
    await response.body?.cancel();
    throw unusable(`The server ${endpoint.host} points to another address, which is not followed; set the final address yourself.`);
  };
}

/** True when key and headers can be sent at all; a line end in a pasted key cannot. */
export function canSend(apiKey: string, headers: Readonly<Record<string, string>>): boolean {
  try {
    new Headers({ ...headers, authorization: `Bearer ${apiKey}` });
    return true;
  } catch {
    return false;
  }
}

export function unusable(sentence: string): CompactError {
  return new CompactError('summarizerUnavailable', sentence);
}
