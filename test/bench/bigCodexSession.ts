// A made-up Codex rollout of any size, for measuring. Its lines have the kinds and sizes of real ones: output of commands is most of the bytes and
// stands there twice, once for the model and once for the user interface; reasoning is ciphertext; each compaction states the whole new history.
import { closeSync, openSync, writeSync } from 'node:fs';

export interface BigCodexSession {
  readonly lines: number;
  readonly bytes: number;
  readonly compactions: number;
  /** Context that the last report states, in tokens, and the thread's total. */
  readonly lastContext: number;
  readonly lastThread: number;
}

const FLUSH_BYTES = 4 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;
/** Every so many steps a command prints a megabyte. */
const LARGE_EVERY = 1500;
const WINDOW = 258_400;
const FULL_WINDOW = 220_000;
const BYTES_PER_TOKEN = 4;
/** User text that a compaction keeps. */
const KEPT_BYTES = 80_000;

/** Writes a rollout of at least `bytes` bytes, ending with a token count. The same size gives the same file. */
export function writeBigCodexSession(path: string, bytes: number): BigCodexSession {
  const file = openSync(path, 'w');
  try {
    const session = new Rollout((text) => writeSync(file, text));
    session.begin();
    while (session.bytes < bytes) session.turn();
    session.flush();
    const { lines, bytes: size, compactions, context, thread } = session;
    return { lines, bytes: size, compactions, lastContext: context, lastThread: thread };
  } finally {
    closeSync(file);
  }
}

/** One more answer and its report, as lines to append to such a rollout. */
export function appendedAnswer(number: number, context: number, thread: number): string {
  const answer = line('response_item', textItem('assistant', `Step ${number} is done.`), number);
  return `${answer}\n${line('event_msg', tokenCount(context - 40, 40, thread), number)}\n`;
}

class Rollout {
  lines = 0;
  bytes = 0;
  compactions = 0;
  context = 18_000;
  thread = 0;
  readonly #write: (text: string) => void;
  #pending: string[] = [];
  #pendingUnits = 0;
  #steps = 0;
  #seed = 1;
  /** User texts that the next compaction keeps, newest last. */
  #prompts: string[] = [];

  constructor(write: (text: string) => void) {
    this.#write = write;
  }

  begin(): void {
    const cwd = '/code/somebody/work/project';
    this.#add('session_meta', { id: 'big', cwd, cli_version: '0.171.0', base_instructions: { text: this.#text(20_000) } });
    this.#add('response_item', textItem('developer', this.#text(3000)));
    this.#add('response_item', textItem('user', CONTEXT));
    this.#add('turn_context', { cwd, model: 'gpt-5.5', effort: 'high', summary: 'auto' });
  }

  turn(): void {
    const prompt = `Please go on with part ${this.#steps}. ${this.#text(this.#skewed(1500))}`;
    this.#add('event_msg', { type: 'task_started', model_context_window: WINDOW });
    this.#add('response_item', textItem('user', prompt));
    this.#add('event_msg', { type: 'user_message', message: prompt });
    this.#prompts.push(prompt);
    const steps = 3 + Math.floor(this.#random() * 12);
    for (let step = 0; step < steps; step++) this.#step();
    const answer = this.#text(this.#skewed(900));
    this.#add('event_msg', { type: 'agent_message', message: answer });
    this.#add('response_item', textItem('assistant', answer));
    this.#count(answer.length);
    if (this.context > FULL_WINDOW) this.#compact();
  }

  flush(): void {
    if (this.#pending.length > 0) this.#write(this.#pending.join(''));
    this.#pending = [];
    this.#pendingUnits = 0;
  }

  #step(): void {
    const callId = `call_${String(++this.#steps).padStart(24, '0')}`;
    const thought = this.#text(this.#skewed(250));
    const encrypted = this.#base64(1200 + this.#skewed(900));
    this.#add('event_msg', { type: 'agent_reasoning', text: thought });
    this.#add('response_item', {
      type: 'reasoning',
      summary: [{ type: 'summary_text', text: thought }],
      content: null,
      encrypted_content: encrypted,
    });
    const cmd =
      this.#steps % 3 === 0 ? `apply_patch <<'EOF'\n${this.#text(this.#skewed(900))}\nEOF` : `sed -n 1,200p src/part${this.#steps}.ts`;
    this.#add('response_item', { type: 'function_call', name: 'exec_command', arguments: JSON.stringify({ cmd }), call_id: callId });
    const output = this.#text(this.#steps % LARGE_EVERY === 0 ? MEGABYTE / 2 : this.#skewed(2600));
    this.#add('event_msg', {
      type: 'exec_command_end',
      call_id: callId,
      command: ['bash', '-lc', cmd],
      aggregated_output: output,
      exit_code: 0,
    });
    this.#add('response_item', { type: 'function_call_output', call_id: callId, output });
    this.#count(thought.length + cmd.length + Math.min(output.length, 10_000));
  }

  #count(units: number): void {
    const reply = 40 + Math.floor(this.#random() * 900);
    this.context = this.context + Math.floor(units / BYTES_PER_TOKEN) + reply;
    this.thread += this.context;
    this.#add('event_msg', tokenCount(this.context - reply, reply, this.thread));
  }

  /** What Codex does itself, and every third time what its server does: then the summary is ciphertext. */
  #compact(): void {
    const isRemote = ++this.compactions % 3 === 0;
    const summary = `Another model went on with this. ${this.#text(7000)}`;
    const last = isRemote ? { type: 'compaction', encrypted_content: this.#base64(24_000) } : textItem('user', summary);
    const history = [
      textItem('developer', 'rules'),
      textItem('user', CONTEXT),
      ...this.#kept().map((text) => textItem('user', text)),
      last,
    ];
    this.#add('compacted', { message: isRemote ? '' : summary, replacement_history: history });
    this.#add('turn_context', { cwd: '/code/somebody/work/project', model: 'gpt-5.5', effort: 'high', summary: 'auto' });
    this.context = 30_000;
    this.#add('event_msg', tokenCount(0, 0, this.thread, this.context));
    this.#add('event_msg', { type: 'context_compacted' });
  }

  #kept(): readonly string[] {
    let room = KEPT_BYTES;
    const from = this.#prompts.findLastIndex((text) => (room -= text.length) < 0);
    this.#prompts = this.#prompts.slice(from + 1);
    return this.#prompts;
  }

  #add(type: string, payload: object): void {
    const text = `${line(type, payload, this.lines)}\n`;
    this.lines++;
    this.bytes += Buffer.byteLength(text);
    this.#pending.push(text);
    this.#pendingUnits += text.length;
    if (this.#pendingUnits > FLUSH_BYTES) this.flush();
  }

  /** Sizes of few large things among many small ones, `mean` in the middle. */
  #skewed(mean: number): number {
    return Math.floor(-Math.log(1 - this.#random()) * mean);
  }

  #text(units: number): string {
    const from = Math.floor(this.#random() * 5000);
    return POOL.repeat(Math.ceil((units + 5000) / POOL.length)).slice(from, from + units);
  }

  #base64(units: number): string {
    const from = Math.floor(this.#random() * 80);
    return BASE64.repeat(Math.ceil((units + 80) / BASE64.length)).slice(from, from + units);
  }

  /** The same numbers from 0 to 1 in each run (Park and Miller). */
  #random(): number {
    this.#seed = (this.#seed * 48_271) % 2_147_483_647;
    return this.#seed / 2_147_483_647;
  }
}

function line(type: string, payload: object, second: number): string {
  return JSON.stringify({ timestamp: new Date(Date.UTC(2026, 0, 5) + second * 1000).toISOString(), type, payload });
}

function textItem(role: string, text: string): object {
  return { type: 'message', role, content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }] };
}

function tokenCount(input: number, output: number, thread: number, context = input + output): object {
  const last = { input_tokens: input, cached_input_tokens: Math.floor(input / 2), output_tokens: output, total_tokens: context };
  return {
    type: 'token_count',
    info: { total_token_usage: { total_tokens: thread }, last_token_usage: last, model_context_window: WINDOW },
  };
}

const CONTEXT = '<environment_context>\n  <cwd>/code/somebody/work/project</cwd>\n</environment_context>';
const POOL =
  `export async function load(path: string): Promise<string> {\n  // The caller decides what a missing file means.\n  const text = await readFile(path, "utf8");\n  return text.replaceAll("\\t", "  ");\n}\nTests: 41 passed, 1 failed. Größe: 12 KB — see docs/übersicht.md.\nsrc/part12.ts(14,7): error TS2322: Type 'string' is not assignable to type 'number'.\n`.repeat(
    40,
  );
const BASE64 = 'gAAAAABpErUCCkYICxgCKkAqJ9cX4pZkT1vNbw0Sg7mQ8rLdE5yHfKu3tUaRiBnOCxWsVPlDzMeGhYjI6oFAN2q_'.repeat(20);
