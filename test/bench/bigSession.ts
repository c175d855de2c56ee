// A made-up Claude Code session of any size, for measuring. Its lines have the kinds, the sizes and the escapes of real ones: tool results are half
// of the bytes, each stored twice, one line in a few thousand has a megabyte, and the agent compacts whenever its window is full.
import { closeSync, openSync, writeSync } from 'node:fs';

export interface BigSession {
  readonly lines: number;
  readonly bytes: number;
  /** Prompt that the last response reports, in tokens, and its output. */
  readonly lastPrompt: number;
  readonly lastOutput: number;
  /** Record that the next one follows. */
  readonly lastUuid: string;
}

const FLUSH_BYTES = 4 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Every so many steps a tool answers with a megabyte. */
const LARGE_EVERY = 1500;
const FULL_WINDOW = 167_000;
const BYTES_PER_TOKEN = 4;

/** Writes a session of at least `bytes` bytes, ending with a response that reports its usage. The same size gives the same file. */
export function writeBigSession(path: string, bytes: number): BigSession {
  const file = openSync(path, 'w');
  try {
    const session = new Session((text) => writeSync(file, text));
    while (session.bytes < bytes) session.turn();
    session.flush();
    return {
      lines: session.lines,
      bytes: session.bytes,
      lastPrompt: session.lastPrompt,
      lastOutput: session.lastOutput,
      lastUuid: session.parent ?? '',
    };
  } finally {
    closeSync(file);
  }
}

export interface Appended {
  /** Places the response among the appended ones, from 0 on. */
  readonly number: number;
  readonly parent: string;
  readonly prompt: number;
  readonly output: number;
}

/** Id of the record of an appended response. */
export function appendedUuid(number: number): string {
  return `a99e0000-0000-4000-8000-${String(number).padStart(12, '0')}`;
}

/** One more response with the given usage, as a line to append to such a session. */
export function appendedResponse({ number, parent, prompt, output }: Appended): string {
  const message = assistantMessage(`msg_appended${number}`, [{ type: 'text', text: `Step ${number} is done.` }], prompt, output);
  const record = { type: 'assistant', message, requestId: `req_appended${number}` };
  return `${JSON.stringify(envelope(record, appendedUuid(number), parent, number))}\n`;
}

class Session {
  lines = 0;
  bytes = 0;
  lastPrompt = 0;
  lastOutput = 0;
  readonly #write: (text: string) => void;
  readonly #random = randomFrom(20_261_130);
  #pending: string[] = [];
  #pendingUnits = 0;
  parent: string | null = null;
  #prompt = 22_000;
  #steps = 0;
  #responses = 0;

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  turn(): void {
    this.#user({ role: 'user', content: `Please go on with part ${this.#steps}. ${this.#text(this.#skewed(1500))}` });
    const steps = 3 + Math.floor(this.#random() * 12);
    for (let step = 0; step < steps; step++) this.#step();
    this.#respond([[{ type: 'text', text: this.#text(this.#skewed(700)) }]]);
    if (this.#prompt > FULL_WINDOW) this.#compact();
  }

  flush(): void {
    if (this.#pending.length > 0) this.#write(this.#pending.join(''));
    this.#pending = [];
    this.#pendingUnits = 0;
  }

  /** A response of thinking and call, in two lines, progress of the tool, and the result. */
  #step(): void {
    const id = `toolu_${String(++this.#steps).padStart(24, '0')}`;
    const path = `/code/somebody/work/project/src/part${this.#steps % 997}.ts`;
    const thinking = { type: 'thinking', thinking: this.#text(this.#skewed(500)), signature: this.#base64(300 + this.#skewed(700)) };
    const edit = { file_path: path, old_string: this.#text(this.#skewed(250)), new_string: this.#text(this.#skewed(250)) };
    const call = {
      type: 'tool_use',
      id,
      name: this.#steps % 3 === 0 ? 'Edit' : 'Read',
      input: this.#steps % 3 === 0 ? edit : { file_path: path },
    };
    this.#respond([[thinking], [call]]);
    if (this.#steps % 3 === 1)
      this.#add({ type: 'progress', data: { type: 'hook_progress', hookEvent: 'PostToolUse', command: 'callback' }, toolUseID: id });
    const isLarge = this.#steps % LARGE_EVERY === 0;
    const body = this.#text(isLarge ? MEGABYTE / 2 : this.#skewed(2600));
    this.#user(
      { role: 'user', content: [{ tool_use_id: id, type: 'tool_result', content: body }] },
      { toolUseResult: { type: 'text', file: { filePath: path, content: body, numLines: 40, startLine: 1, totalLines: 40 } } },
    );
  }

  /** One response; each list of blocks is a line of its own, and each line repeats the usage. */
  #respond(fragments: readonly (readonly Record<string, unknown>[])[]): void {
    const id = `msg_01${String(++this.#responses).padStart(22, '0')}`;
    this.lastPrompt = this.#prompt;
    this.lastOutput = 40 + Math.floor(this.#random() * 900);
    for (const content of fragments) {
      const message = assistantMessage(id, content, this.#prompt, this.lastOutput);
      this.#add({ type: 'assistant', message, requestId: `req_011${String(this.#responses).padStart(21, '0')}` });
    }
    this.#prompt += this.lastOutput;
  }

  #compact(): void {
    const logicalParentUuid = this.parent;
    this.parent = null;
    const compactMetadata = { trigger: 'auto', preTokens: this.#prompt };
    this.#add({ type: 'system', subtype: 'compact_boundary', content: 'Conversation compacted', logicalParentUuid, compactMetadata });
    this.#add({ type: 'user', message: { role: 'user', content: this.#text(9000) }, isCompactSummary: true });
    this.#prompt = 25_000;
  }

  #user(message: Record<string, unknown>, more: Record<string, unknown> = {}): void {
    const before = this.bytes;
    this.#add({ type: 'user', message, ...more });
    // The second copy of a result is for the program alone.
    this.#prompt += Math.min(20_000, Math.floor((this.bytes - before) / BYTES_PER_TOKEN / ('toolUseResult' in more ? 2 : 1)));
  }

  #add(record: Record<string, unknown>): void {
    const uuid = `${this.#hex(8)}-${this.#hex(4)}-4${this.#hex(3)}-8${this.#hex(3)}-${this.#hex(12)}`;
    const line = `${JSON.stringify(envelope(record, uuid, this.parent, this.lines))}\n`;
    this.parent = uuid;
    this.lines++;
    this.bytes += Buffer.byteLength(line);
    this.#pending.push(line);
    this.#pendingUnits += line.length;
    if (this.#pendingUnits > FLUSH_BYTES) this.flush();
  }

  /** Sizes of few large things among many small ones, `mean` in the middle. */
  #skewed(mean: number): number {
    return Math.floor(-Math.log(1 - this.#random()) * mean);
  }

  #text(units: number): string {
    let text = '';
    while (text.length < units) {
      const from = Math.floor(this.#random() * (POOL.length / 2));
      text += POOL.slice(from, from + Math.min(units - text.length, POOL.length / 2));
    }
    return text;
  }

  #base64(units: number): string {
    const from = Math.floor(this.#random() * 1000);
    return BASE64.slice(from, from + units);
  }

  #hex(digits: number): string {
    return Math.floor(this.#random() * 16 ** digits)
      .toString(16)
      .padStart(digits, '0');
  }
}

function envelope(record: object, uuid: string, parentUuid: string | null, second: number): object {
  return {
    parentUuid,
    isSidechain: false,
    userType: 'external',
    cwd: '/code/somebody/work/project',
    sessionId: '3f1c0e5a-77b2-4f0e-9c1d-5a3b8e2d4c6f',
    version: '2.1.332',
    gitBranch: 'main',
    ...record,
    uuid,
    timestamp: new Date(Date.UTC(2026, 0, 5) + second * 1000).toISOString(),
  };
}

function assistantMessage(id: string, content: readonly unknown[], prompt: number, output: number): Record<string, unknown> {
  return {
    model: 'claude-sonnet-4-5-20250929',
    id,
    type: 'message',
    role: 'assistant',
    content,
    stop_reason: null,
    stop_sequence: null,
    usage: {
      input_tokens: 8,
      cache_creation_input_tokens: 1200,
      cache_read_input_tokens: prompt - 1208,
      cache_creation: { ephemeral_5m_input_tokens: 1200, ephemeral_1h_input_tokens: 0 },
      output_tokens: output,
      service_tier: 'standard',
    },
  };
}

/** Numbers from 0 to 1 that are the same in each run (mulberry32). */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const POOL =
  `import { readFile } from "node:fs/promises";\n\nexport async function load(path: string): Promise<string> {\n  // The caller decides what a missing file means.\n  const text = await readFile(path, "utf8");\n  if (text === "") throw new Error(\`"\${path}" is empty\`);\n  return text.replaceAll("\\t", "  ");\n}\n\nTests: 41 passed, 1 failed, 42 total. Größe: 12 KB — see docs/übersicht.md for what is meant.\nsrc/part12.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'.\n`.repeat(
    40,
  );
const BASE64 = 'ErUCCkYICxgCKkAqJ9cX4pZkT1vNbw0Sg7mQ8rLdE5yHfKu3tUaRiBnOCxWsVPlDzMeGhYjI6oFAN2q+/'.repeat(120);
