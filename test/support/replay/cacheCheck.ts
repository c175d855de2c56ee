// How far the cache of the replay is from the ones that served the session: providers forget after minutes, and miss for reasons of their own.
import type { Transcript } from '../../../src/core/model/transcript';
import { requestsOf } from './requests';

export interface CacheCheck {
  /** Tokens of the prompts that were reported as served from a cache, and what a cache that never forgets would have served. */
  readonly reported: number;
  readonly simulated: number;
}

/** Undefined for a session whose provider reported no cached tokens. The first request of each part is taken as it was reported. */
export function checkCache(transcript: Transcript): CacheCheck | undefined {
  let [reported, simulated] = [0, 0];
  let before: { readonly stretch: number; readonly prompt: number } | undefined;
  for (const { stretch, reported: usage } of requestsOf(transcript)) {
    if (usage === undefined) continue;
    reported += usage.cacheRead;
    simulated += before?.stretch === stretch ? Math.min(before.prompt, usage.prompt) : usage.cacheRead;
    before = { stretch, prompt: usage.prompt };
  }
  return reported === 0 ? undefined : { reported, simulated };
}
