// The slow, obvious model of a Claude Code session: its records in a plain array, and every question answered by walking over it.
import { isRecord, type JsonRecord } from '../../../src/core/util/json';

/** A record as it stands in the file. */
export interface NaiveRecord {
  readonly uuid: string;
  readonly parentUuid: string | null;
  readonly isSidechain: boolean;
  readonly type: 'user' | 'assistant' | 'system';
  readonly isBoundary: boolean;
  readonly isSummary: boolean;
  readonly messageId: string | undefined;
  /** Prompt and output that its response reports. */
  readonly prompt: number;
  readonly output: number;
  readonly calls: readonly string[];
  readonly results: readonly string[];
  /** The message's content as JSON, which no copy may change. */
  readonly content: string;
}

/** Reads one line; throws for what is no record of a session, since the model writes nothing else. */
export function naiveRecord(line: string): NaiveRecord {
  const value: unknown = JSON.parse(line);
  if (!isRecord(value)) throw new Error('no record');
  const message = isRecord(value['message']) ? value['message'] : {};
  const usage = isRecord(message['usage']) ? message['usage'] : {};
  const blocks = Array.isArray(message['content']) ? message['content'].filter(isRecord) : [];
  const type = value['type'];
  if (type !== 'user' && type !== 'assistant' && type !== 'system') throw new Error(`a record of type ${String(type)}`);
  return {
    uuid: String(value['uuid']),
    parentUuid: typeof value['parentUuid'] === 'string' ? value['parentUuid'] : null,
    isSidechain: value['isSidechain'] === true,
    type,
    isBoundary: value['subtype'] === 'compact_boundary',
    isSummary: value['isCompactSummary'] === true,
    messageId: typeof message['id'] === 'string' ? message['id'] : undefined,
    prompt: sum(usage, 'input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'),
    output: sum(usage, 'output_tokens'),
    calls: ids(blocks, 'tool_use', 'id'),
    results: ids(blocks, 'tool_result', 'tool_use_id'),
    content: JSON.stringify(message['content']),
  };
}

export class NaiveSession {
  constructor(readonly records: readonly NaiveRecord[]) {}

  with(record: NaiveRecord): NaiveSession {
    return new NaiveSession([...this.records, record]);
  }

  /** The record that the next one follows. */
  get tip(): NaiveRecord | undefined {
    return this.records.findLast(({ isSidechain }) => !isSidechain);
  }

  /** What the model sees: from the tip to the root by parents, the other way round, after the last boundary. */
  get context(): readonly NaiveRecord[] {
    const chain: NaiveRecord[] = [];
    let at = this.tip;
    while (at !== undefined) {
      chain.unshift(at);
      const { parentUuid } = at;
      at = this.records.find(({ uuid }) => uuid === parentUuid);
    }
    return chain.slice(chain.findLastIndex(({ isBoundary }) => isBoundary) + 1);
  }

  /** Places in the context where a user's turn begins. */
  get turns(): readonly number[] {
    return this.context.flatMap(({ type, results, isSummary }, at) => (type === 'user' && results.length === 0 && !isSummary ? [at] : []));
  }

  /** Calls of the latest response that wait for their results. */
  get openCalls(): readonly string[] {
    const answered = new Set(this.context.flatMap(({ results }) => results));
    const last = this.context.findLast(({ type }) => type === 'assistant');
    const response = this.context.filter(({ messageId }) => last !== undefined && messageId === last.messageId);
    return response.flatMap(({ calls }) => calls).filter((id) => !answered.has(id));
  }

  /** A response or its results stand at the end, and no word of the user after them. */
  get isAtWork(): boolean {
    const { tip } = this;
    return tip !== undefined && (tip.type === 'assistant' || tip.results.length > 0);
  }

  /** Prompt of the last response in the context that reports one. */
  get reportedPrompt(): number | undefined {
    return this.context.findLast(({ prompt }) => prompt > 0)?.prompt;
  }
}

function ids(blocks: readonly JsonRecord[], type: string, key: string): readonly string[] {
  return blocks.filter((block) => block['type'] === type).map((block) => String(block[key]));
}

function sum(usage: JsonRecord, ...keys: readonly string[]): number {
  return keys.reduce((total, key) => total + (typeof usage[key] === 'number' ? usage[key] : 0), 0);
}
