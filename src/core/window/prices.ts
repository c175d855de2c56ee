import { plainModelId } from '../model/modelId';
import { field, isRecord, numberOf, type JsonRecord } from '../util/json';
import { modelFacts, type ModelFacts, type ModelPrices } from './modelCatalogue';
import { matchingEntry } from './modelGlob';

export type PriceSource = 'catalogue' | 'setting';

/** What the user says a model costs, in dollars for a million tokens. */
export interface PriceOverride {
  readonly input: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
}

/** The prices of one model and where they come from. */
export interface PriceList {
  /** Plain id of the model that they are of. */
  readonly model: string;
  readonly source: PriceSource;
  readonly prices: ModelPrices;
  readonly longPrompt: ModelFacts['longPrompt'];
}

/** What the tokens of one request cost, in dollars for a million. `output` is undefined where it is unknown. */
export interface RequestPrices {
  readonly input: number;
  readonly output: number | undefined;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/**
 * Prices of a model: of the longest pattern of the user's table (`pricing.overrides`: model glob → prices) that fits, else of the catalogue.
 * An entry of the table stands alone: what it leaves out is not taken from the catalogue, whose prices are other people's. Undefined for a
 * model that neither knows, and without a price of input; an entry with numbers below 0 counts for nothing.
 */
export function priceListFor(model: string | undefined, overrides: Readonly<Record<string, unknown>> = {}): PriceList | undefined {
  if (model === undefined) return undefined;
  const plain = plainModelId(model);
  const set = matchingEntry(overrides, model, isPriceOverride);
  if (set !== undefined) return { model: plain, source: 'setting', prices: pricesOf(set), longPrompt: undefined };
  const facts = modelFacts(plain);
  if (facts?.prices?.input === undefined) return undefined;
  return { model: plain, source: 'catalogue', prices: facts.prices, longPrompt: facts.longPrompt };
}

/**
 * Prices of a request by the size of its prompt: from the long tier on the whole prompt costs that tier's. Where no price of cached tokens is
 * known, there is no cache to count on, and they cost as fresh input does. Undefined without a price of input.
 */
export function pricesAt(list: PriceList, promptTokens: number): RequestPrices | undefined {
  const { prices: base, longPrompt } = list;
  const isLong = longPrompt !== undefined && promptTokens > longPrompt.fromTokens;
  // A tier states what differs; the rest goes on.
  const priceOf = (key: keyof ModelPrices): number | undefined => (isLong ? longPrompt.prices[key] : undefined) ?? base[key];
  const input = priceOf('input');
  if (input === undefined) return undefined;
  return { input, output: priceOf('output'), cacheRead: priceOf('cacheRead') ?? input, cacheWrite: priceOf('cacheWrite') ?? input };
}

/** Dollars for a number of tokens at a price for a million. */
export function dollars(tokens: number, perMillion: number): number {
  return (tokens * perMillion) / 1e6;
}

/** True for prices that a user may state; dollars for a million tokens, none below 0. */
export function isPriceOverride(value: unknown): value is PriceOverride {
  return (
    isRecord(value) && isPrice(field(value, 'input')) && ['output', 'cacheRead', 'cacheWrite'].every((key) => isPriceOrNone(value, key))
  );
}

function isPriceOrNone(record: JsonRecord, key: string): boolean {
  const value = field(record, key);
  return value === undefined || value === null || isPrice(value);
}

function isPrice(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}

function pricesOf(set: PriceOverride): ModelPrices {
  const entry: JsonRecord = { ...set };
  const [output, cacheRead, cacheWrite] = ['output', 'cacheRead', 'cacheWrite'].map((key) => numberOf(entry, key));
  return { input: set.input, output, cacheRead, cacheWrite, cacheWriteHour: undefined };
}
