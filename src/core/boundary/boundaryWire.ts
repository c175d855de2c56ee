// The JSON of a boundary: the only place that knows its wire names. Zero and empty values are left out, as the measured code does.
import type { PartialDirection } from '../model/boundary';
import { isTokenCount } from '../model/usage';
import { arrayOf, field, isRecord, numberOf, recordOf, stringOf, type JsonRecord } from '../util/json';
import { present } from '../util/present';
import { listOf, objectWith, oneOf, optional, text, whole, type Shape } from '../util/shape';
import type { BoundaryMetadata, SegmentMetadata } from './boundaryMessage';

/** The metadata as its JSON value, keys in the order of the wire (seed 2, CompactBoundaryMetadata). */
export function metadataToWire(metadata: BoundaryMetadata): JsonRecord {
  const { usage, preservedSegment: segment, discoveredTools } = metadata;
  return withoutEmpty({
    trigger: metadata.trigger,
    pre_compact_token_count: metadata.preTokens,
    post_compact_token_count: metadata.postTokens,
    true_post_compact_token_count: metadata.truePostTokens,
    compaction_usage: usage === undefined ? undefined : { input_tokens: usage.inputTokens, output_tokens: usage.outputTokens },
    previous_tail_identifier: metadata.previousTail,
    pre_compact_discovered_tools: discoveredTools.length === 0 ? undefined : discoveredTools,
    preserved_segment: segment === undefined ? undefined : segmentToWire(segment),
  });
}

/** The metadata in a JSON value; undefined when a field is unknown, missing or of another type (seed 2, CompactBoundaryMetadata). */
export function metadataFromWire(value: unknown): BoundaryMetadata | undefined {
  if (!METADATA(value) || !isRecord(value)) return undefined;
  const usage = recordOf(value, 'compaction_usage');
  const segment = recordOf(value, 'preserved_segment');
  return {
    trigger: present(stringOf(value, 'trigger')),
    preTokens: numberOf(value, 'pre_compact_token_count'),
    postTokens: numberOf(value, 'post_compact_token_count'),
    truePostTokens: numberOf(value, 'true_post_compact_token_count'),
    usage:
      usage === undefined
        ? undefined
        : { inputTokens: present(numberOf(usage, 'input_tokens')), outputTokens: present(numberOf(usage, 'output_tokens')) },
    previousTail: stringOf(value, 'previous_tail_identifier'),
    discoveredTools: (arrayOf(value, 'pre_compact_discovered_tools') ?? []).filter((name) => typeof name === 'string'),
    preservedSegment: segment === undefined ? undefined : segmentFromWire(segment),
  };
}

const WORDS = text(Number.MAX_SAFE_INTEGER);
const INDEX = whole(0, Number.MAX_SAFE_INTEGER);
const TOKENS: Shape = isTokenCount;
const DIRECTIONS: ReadonlyMap<string, PartialDirection> = new Map([
  ['from', 'from'],
  ['up_to', 'upTo'],
]);

const METADATA = objectWith({
  trigger: WORDS,
  pre_compact_token_count: optional(TOKENS),
  post_compact_token_count: optional(TOKENS),
  true_post_compact_token_count: optional(TOKENS),
  compaction_usage: optional(objectWith({ input_tokens: TOKENS, output_tokens: TOKENS })),
  previous_tail_identifier: optional(WORDS),
  pre_compact_discovered_tools: optional(listOf(WORDS, Number.MAX_SAFE_INTEGER)),
  preserved_segment: optional(
    objectWith({ start_index: INDEX, count: INDEX, anchor: optional(WORDS), direction: optional(oneOf(...DIRECTIONS.keys())) }),
  ),
});

function segmentToWire({ startIndex, count, anchor, direction }: SegmentMetadata): JsonRecord {
  const word = direction === 'upTo' ? 'up_to' : direction;
  return {
    start_index: startIndex,
    count,
    ...(anchor === undefined || anchor === '' ? {} : { anchor }),
    ...(word === undefined ? {} : { direction: word }),
  };
}

function segmentFromWire(segment: JsonRecord): SegmentMetadata {
  return {
    startIndex: present(numberOf(segment, 'start_index')),
    count: present(numberOf(segment, 'count')),
    anchor: stringOf(segment, 'anchor'),
    direction: DIRECTIONS.get(stringOf(segment, 'direction') ?? ''),
  };
}

/** `trigger` stays also when it is empty. */
function withoutEmpty(record: JsonRecord): JsonRecord {
  const kept = Object.keys(record).filter((key) => key === 'trigger' || ![undefined, 0, ''].some((empty) => field(record, key) === empty));
  return Object.fromEntries(kept.map((key) => [key, field(record, key)]));
}
