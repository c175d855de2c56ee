// Claude Code sessions that grow step by step, as arbitraries: prompts, answers in fragments, calls, compactions, rewinds, side chains.
import fc from 'fast-check';

const kinds = [
  'prompt',
  'answer',
  'answer',
  'call',
  'call',
  'compaction',
  'rewind',
  'side',
  'attachment',
  'title',
  'look',
  'look',
] as const;

/** One step: what is written, how much of it, and a place to choose by. A look writes nothing. */
export interface Step {
  readonly kind: (typeof kinds)[number];
  readonly size: number;
  readonly at: number;
}

export const steps = fc.array(
  fc.record({ kind: fc.constantFrom(...kinds), size: fc.nat(400), at: fc.double({ min: 0, max: 1, noNaN: true }) }),
  {
    minLength: 1,
    maxLength: 60,
  },
);

/** Writes the lines of such steps. Reports stand on the answers of a session that is `reported`. */
export class GrowingSession {
  readonly #isReported: boolean;
  readonly #ids: string[] = [];
  #parent: string | null = null;
  #prompt = 20_000;
  #count = 0;

  constructor(isReported: boolean) {
    this.#isReported = isReported;
  }

  /** The lines of one step. */
  lines({ kind, size, at }: Step): readonly string[] {
    const text = 'word '.repeat(size);
    this.#prompt += size;
    switch (kind) {
      case 'prompt':
        return [this.#add('user', { message: { role: 'user', content: `Prompt: ${text}` } })];
      case 'answer':
        return this.#answer([
          { type: 'thinking', thinking: text, signature: 's' },
          { type: 'text', text },
        ]);
      case 'call': {
        const id = `toolu_${this.#count}`;
        const [line = ''] = this.#answer([{ type: 'tool_use', id, name: 'Read', input: { file_path: `/f${size % 5}` } }]);
        return [line, this.#add('user', { message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: text }] } })];
      }
      case 'compaction':
        return this.#compaction(text, at);
      case 'rewind':
        this.#parent = this.#ids[Math.floor(at * this.#ids.length)] ?? this.#parent;
        return [];
      case 'side':
        return [
          this.#record('assistant', {
            ...this.#reply(`side${this.#count}`, { type: 'text', text }),
            agentId: `a${size % 2}`,
            isSidechain: true,
          }),
        ];
      case 'attachment':
        return [this.#add('attachment', { attachment: { type: 'hook_additional_context', content: [text] } })];
      case 'title':
        return [JSON.stringify({ type: 'custom-title', customTitle: `Title ${size}`, sessionId: 's' })];
      case 'look':
        return [];
    }
  }

  #answer(blocks: readonly object[]): readonly string[] {
    const id = `msg_${this.#count}`;
    return blocks.map((block) => this.#add('assistant', this.#reply(id, block)));
  }

  #reply(id: string, block: object): object {
    const usage = { input_tokens: 3, cache_creation_input_tokens: 100, cache_read_input_tokens: this.#prompt, output_tokens: 50 };
    const message = { id, role: 'assistant', model: 'claude-sonnet-4-5', content: [block], ...(this.#isReported ? { usage } : {}) };
    return { requestId: `req_${id}`, message };
  }

  #compaction(text: string, at: number): readonly string[] {
    const logicalParentUuid = this.#parent;
    const kept = this.#ids.slice(-Math.ceil(at * 4));
    this.#parent = null;
    const preserved = at < 0.5 || kept.length === 0 ? {} : { preservedMessages: { allUuids: kept, anchorUuid: kept[0] } };
    const compactMetadata = { trigger: 'auto', preTokens: this.#prompt, ...preserved };
    const mark = this.#add('system', {
      subtype: 'compact_boundary',
      content: 'Conversation compacted',
      logicalParentUuid,
      compactMetadata,
    });
    this.#prompt = 15_000;
    return [mark, this.#add('user', { isCompactSummary: true, message: { role: 'user', content: `Summary: ${text}` } })];
  }

  #add(type: string, more: object): string {
    const line = this.#record(type, more);
    this.#parent = `u${this.#count}`;
    this.#ids.push(this.#parent);
    return line;
  }

  #record(type: string, more: object): string {
    const uuid = `u${++this.#count}`;
    const timestamp = new Date(Date.UTC(2026, 0, 5, 10, 0, this.#count)).toISOString();
    return JSON.stringify({
      parentUuid: this.#parent,
      isSidechain: false,
      type,
      uuid,
      sessionId: 's',
      version: '2.1.0',
      timestamp,
      ...more,
    });
  }
}
