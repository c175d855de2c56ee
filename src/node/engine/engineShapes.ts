import { anyOf, bool, dictionaryOf, listOf, nullable, oneOf, optional, objectWith, text, whole, type Shape } from '../../core/util/shape';
import { AGENT_PROFILES } from '../../core/window/agentLimits';
import { isPriceOverride } from '../../core/window/prices';
import type { EngineRequests } from './contract';

const ID = text(256);
const PATH = text(32_768);
const TOKENS = whole(1, 1e8);
const ROW = whole(0, 1e9);
const COUNT = whole(0, 1e9);
const OUTPUT = whole(1, 1e6);

const inspectOptions = objectWith({
  windowTokens: optional(TOKENS),
  model: optional(text(256)),
  windowOverrides: optional(dictionaryOf(TOKENS, 1000)),
  autoCompactEnabled: optional(bool),
  limitsProfile: optional(oneOf('auto', 'seed', ...AGENT_PROFILES)),
  imageTokens: optional(whole(0, 1e6)),
  tokenizer: optional(oneOf('auto', 'o200k_base', 'cl100k_base', 'chars')),
  pricing: optional(dictionaryOf(isPriceOverride, 1000)),
  ofSummary: optional(bool),
  summarizerModel: optional(text(256)),
  maxOutputTokens: optional(OUTPUT),
});

const detail = optional(oneOf('brief', 'normal', 'full'));

export const planRequest: Shape = objectWith({
  kind: oneOf('full', 'partialUpTo', 'partialFrom', 'micro'),
  pivotId: optional(ID),
  position: optional(COUNT),
  keepTurns: optional(COUNT),
  keepTokens: optional(COUNT),
  keepMessages: optional(whole(0, 1e6)),
  clear: optional(listOf(ID, 500)),
  summarizer: optional(oneOf('offline', 'vscode', 'openai')),
  detail,
  figuresOnly: optional(bool),
  pinned: optional(listOf(ID, 1000)),
});

const summarizer = anyOf(
  objectWith({ kind: oneOf('offline') }),
  objectWith({
    kind: oneOf('openai'),
    baseUrl: text(2048),
    model: text(256),
    apiKey: optional(text(8192)),
    headers: dictionaryOf(text(8192), 100),
    timeoutMs: whole(1000, 3_600_000),
  }),
  objectWith({ kind: oneOf('vscode'), label: text(512) }),
);

const handleOnly = objectWith({ handle: ID });

const lostKind = oneOf('constraint', 'request', 'file', 'command', 'error', 'url', 'identifier', 'number');
const putBack = listOf(objectWith({ kind: lostKind, messageId: text(400), value: text(600) }), 200);
const summarizing = objectWith({
  handle: ID,
  planId: ID,
  summarizer,
  instructions: text(40_000),
  detail,
  putBack: optional(putBack),
  maxOutputTokens: optional(OUTPUT),
});

const SHAPES = {
  'session/open': objectWith({ path: PATH, options: inspectOptions, watch: bool, pollMs: whole(50, 600_000) }),
  'session/close': handleOnly,
  'session/options': objectWith({ handle: ID, options: inspectOptions }),
  'session/snapshot': handleOnly,
  'rows/read': objectWith({ handle: ID, from: ROW, to: ROW }),
  'compaction/preview': objectWith({ handle: ID, request: planRequest }),
  'compaction/request': objectWith({ handle: ID, planId: ID, instructions: text(40_000), detail }),
  'compaction/run': summarizing,
  'compaction/putBack': objectWith({ handle: ID, newSessionId: text(512), items: putBack }),
  'boundary/report': objectWith({ handle: ID, index: ROW }),
  'projection/preview': handleOnly,
  'compaction/prompt': summarizing,
  'history/list': handleOnly,
  'history/undo': objectWith({ handle: ID, id: text(100), sha256: nullable(text(64)) }),
  'history/texts': objectWith({ handle: ID, id: text(100) }),
  'model/answer': objectWith({
    callId: ID,
    answer: anyOf(
      objectWith({ kind: oneOf('received'), characters: whole(0, 1e9) }),
      objectWith({ kind: oneOf('text'), text: text(2_000_000) }),
      objectWith({ kind: oneOf('failure'), code: text(64), message: text(1000) }),
    ),
  }),
  'message/read': objectWith({ handle: ID, messageId: ID }),
  'line/message': objectWith({ handle: ID, line: whole(1, 1e9) }),
  inspect: objectWith({ path: PATH, options: inspectOptions, messages: bool }),
  'sessions/list': objectWith({
    folders: listOf(PATH, 1000),
    all: bool,
    extraPaths: dictionaryOf(listOf(PATH, 1000), 100),
    limit: whole(1, 100_000),
  }),
} satisfies Record<keyof EngineRequests, Shape>;

const TABLE: ReadonlyMap<string, Shape> = new Map(Object.entries(SHAPES));

/** True when params have the shape that the named engine request takes; false for a name that there is not. */
export function isEngineParams(name: string, params: unknown): boolean {
  return TABLE.get(name)?.(params) ?? false;
}
