import { CompactError } from '../errors/compactError';
import type { Summarizer } from '../ports/summarizer';

/**
 * A summarizer that sends nothing to a host which is not allowed: it rejects with `consentRequired` before anything is prepared. One that
 * sends nothing anywhere is passed on.
 */
export function withConsent(summarizer: Summarizer, isAllowed: (host: string) => boolean): Summarizer {
  const { host } = summarizer.capabilities;
  if (host === undefined) return summarizer;
  return {
    capabilities: summarizer.capabilities,
    summarize: (request, signal, onReceived) =>
      isAllowed(host) ? summarizer.summarize(request, signal, onReceived) : Promise.reject(new CompactError('consentRequired')),
  };
}
