import { dollars, priceListFor, pricesAt, type PriceList } from '../../../src/core/window/prices';
import type { Inspection } from '../../../src/core/session/inspection';
import { PromptCache, type Piece, type Served } from './promptCache';
import { reportedPieces } from './reportedSizes';
import type { SessionRequest } from './requests';

/** Dollars of a prompt; answers are left out, since no compaction changes what they cost. */
export function billOf({ read, written }: Served, list: PriceList): number {
  const prices = pricesAt(list, read + written);
  return prices === undefined ? 0 : dollars(read, prices.cacheRead) + dollars(written, prices.cacheWrite);
}

/** The requests that were reported, by the parts of the session between two compactions. */
export function reportedStretches(requests: readonly SessionRequest[]): readonly (readonly SessionRequest[])[] {
  const groups = new Map<number, SessionRequest[]>();
  for (const request of requests) {
    if (request.reported === undefined) continue;
    const known = groups.get(request.stretch);
    if (known === undefined) groups.set(request.stretch, [request]);
    else known.push(request);
  }
  return [...groups.values()];
}

/**
 * What a stretch costs when each request is served by a cache that never forgets: as it went, and with what `shown` puts in the place of a
 * message. Undefined without prices. */
export function billsOfStretch(
  requests: readonly SessionRequest[],
  whole: Inspection,
  shown: (index: number, request: SessionRequest) => Piece | undefined,
): { readonly went: number; readonly changed: number } | undefined {
  const pieces = reportedPieces(requests, whole);
  const places = new Map(pieces.map(({ key }, at) => [key, at]));
  const [cache, changedCache] = [new PromptCache(), new PromptCache()];
  let [went, changed] = [0, 0];
  for (const request of requests) {
    const prices = priceListFor(request.model);
    if (prices === undefined) return undefined;
    const last = request.context.reduce((most, index) => Math.max(most, places.get(`message ${index}`) ?? 0), 0);
    const prompt = pieces.slice(0, last + 1);
    went += billOf(cache.request(prompt), prices);
    const other = prompt.map((piece): Piece => {
      const index = messageIndex(piece);
      const instead = index === undefined ? undefined : shown(index, request);
      return instead === undefined ? piece : { key: instead.key, tokens: Math.min(instead.tokens, piece.tokens) };
    });
    changed += billOf(changedCache.request(other), prices);
  }
  return { went, changed };
}

/** Index of the message that a piece is; undefined for the system prompt and what is hidden. */
export function messageIndex({ key }: Piece): number | undefined {
  return key.startsWith('message ') ? Number(key.slice('message '.length)) : undefined;
}
