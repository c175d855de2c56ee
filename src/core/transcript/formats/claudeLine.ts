import type { Message } from '../../model/message';
import type { Diagnostic } from '../../model/transcript';
import type { Usage } from '../../model/usage';
import type { ChainNode } from '../chain';
import type { BoundaryFacts, ClaudeRecord } from './claudeRecord';

/** What few lines have. */
export interface RareFacts {
  readonly boundary?: BoundaryFacts | undefined;
  readonly isApiFailure?: boolean;
  readonly agentId?: string | undefined;
  readonly leafId?: string | undefined;
  readonly title?: ClaudeRecord['title'];
  readonly diagnostic?: Diagnostic | undefined;
  readonly continues?: ChainNode['continues'];
}

/** What nearly every line repeats of the one before it. */
export interface ProgramFacts {
  readonly version: string | undefined;
  readonly sessionId: string | undefined;
  readonly cwd: string | undefined;
}

export interface LineFacts {
  readonly line: number;
  readonly id: string | undefined;
  readonly parentId: string | null | undefined;
  readonly message: Message | undefined;
  readonly isCarrier: boolean;
  readonly isSidechain: boolean;
  readonly canBeLeaf: boolean;
  readonly program: ProgramFacts;
  readonly rare: RareFacts | undefined;
}

export const NO_PROGRAM: ProgramFacts = { version: undefined, sessionId: undefined, cwd: undefined };

const CARRIER = 1;
const SIDECHAIN = 2;
const LEAF = 4;

/** A line and its node of the tree in one object, since there may be hundreds of thousands of them. What the message tells is not stored again. */
export class ClaudeLine implements ClaudeRecord, ChainNode {
  readonly line: number;
  readonly id: string | undefined;
  readonly parentId: string | null | undefined;
  readonly message: Message | undefined;
  readonly #program: ProgramFacts;
  readonly #flags: number;
  readonly #rare: RareFacts | undefined;

  constructor(facts: LineFacts) {
    this.line = facts.line;
    this.id = facts.id;
    this.parentId = facts.parentId;
    this.message = facts.message;
    this.#program = facts.program;
    this.#flags = (facts.isCarrier ? CARRIER : 0) | (facts.isSidechain ? SIDECHAIN : 0) | (facts.canBeLeaf ? LEAF : 0);
    this.#rare = facts.rare;
  }

  get node(): ChainNode | undefined {
    return (this.#flags & CARRIER) === 0 ? undefined : this;
  }

  get version(): string | undefined {
    return this.#program.version;
  }

  get sessionId(): string | undefined {
    return this.#program.sessionId;
  }

  get cwd(): string | undefined {
    return this.#program.cwd;
  }

  get isSidechain(): boolean {
    return (this.#flags & SIDECHAIN) !== 0;
  }

  get canBeLeaf(): boolean {
    return (this.#flags & LEAF) !== 0;
  }

  /** Fragments of one response share the provider's message id and the request's. */
  get messageId(): string | undefined {
    const response = this.message?.messageId;
    return response === undefined ? undefined : `${this.message?.requestId ?? ''} ${response}`;
  }

  get toolUseIds(): readonly string[] | undefined {
    return this.message?.content.flatMap((block) => (block.type === 'toolUse' ? [block.id] : []));
  }

  get toolResultIds(): readonly string[] | undefined {
    return this.message?.content.flatMap((block) => (block.type === 'toolResult' ? [block.toolUseId] : []));
  }

  get continues(): ChainNode['continues'] {
    return this.#rare?.continues;
  }

  get boundary(): BoundaryFacts | undefined {
    return this.#rare?.boundary;
  }

  get isApiFailure(): boolean {
    return this.#rare?.isApiFailure === true;
  }

  get agentId(): string | undefined {
    return this.#rare?.agentId;
  }

  get leafId(): string | undefined {
    return this.#rare?.leafId;
  }

  get title(): ClaudeRecord['title'] {
    return this.#rare?.title;
  }

  get diagnostic(): Diagnostic | undefined {
    return this.#rare?.diagnostic;
  }
}

/**
 * Values that a line repeats of the lines before it, so that each is in memory once: the parent's id, the ids and usage that fragments of one
 * response share, and the names of session, folder, version and model.
 */
export class SharedValues {
  readonly #names = new Map<string, string>();
  readonly #last = new Map<string, string>();
  #usage: Usage | undefined;
  #program: ProgramFacts = NO_PROGRAM;

  /** A text that few different values are ever seen of. */
  name(text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const known = this.#names.get(text);
    if (known !== undefined) return known;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    this.#names.set(text, text);
    return text;
  }

  /** A text that often is the last one of its kind again. */
  again(kind: string, text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const last = this.#last.get(kind);
    if (last === text) return last;
    this.#last.set(kind, text);
    return text;
  }

  program(version: string | undefined, sessionId: string | undefined, cwd: string | undefined): ProgramFacts {
    const last = this.#program;
    if (last.version === version && last.sessionId === sessionId && last.cwd === cwd) return last;
    this.#program = { version, sessionId, cwd };
    return this.#program;
  }

  usage(usage: Usage | undefined): Usage | undefined {
    if (usage === undefined) return undefined;
    const last = this.#usage;
    if (last !== undefined && isSameUsage(last, usage)) return last;
    this.#usage = usage;
    return usage;
  }
}

const MAX_NAMES = 1000;

function isSameUsage(a: Usage, b: Usage): boolean {
  return (
    a.inputTokens === b.inputTokens &&
    a.outputTokens === b.outputTokens &&
    a.cacheReadTokens === b.cacheReadTokens &&
    a.cacheCreationTokens === b.cacheCreationTokens &&
    a.reasoningTokens === b.reasoningTokens &&
    a.contextTokens === b.contextTokens
  );
}
