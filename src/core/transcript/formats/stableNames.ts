import type { ContentBlock, Message } from '../../model/message';
import { StoredBlock } from '../../model/storedBlock';
import { isSameValue } from '../sameMessage';

/** Id of a call or result that has none, by the tool's name; `paired` gives it one. */
export function unnamedId(name: string): string {
  return `${UNNAMED}${name}`;
}

const UNNAMED = 'unnamed:';

/** Gives messages and calls names of their own. The same message gets the same ones again, so that it stays the same object. */
export class StableNames {
  #last = new Map<string, Message>();
  readonly #renamed = new WeakMap<Message, Message>();
  readonly #paired = new WeakMap<Message, { readonly ids: string; readonly message: Message }>();

  /** The messages, each as the object that said the same under the same name the last time. For formats that are read anew each time. */
  kept(messages: readonly Message[]): readonly Message[] {
    const kept = messages.map((message) => {
      const known = this.#last.get(message.id);
      return known !== undefined && isSameValue(known, message) ? known : message;
    });
    this.#last = new Map(kept.map((message) => [message.id, message]));
    return kept;
  }

  /** The messages, those whose name an earlier one has under a name made of their line. */
  of(messages: readonly Message[]): readonly Message[] {
    const taken = new Set<string>();
    const parts = new Map<number, number>();
    return messages.map((message) => {
      const named = taken.has(message.id) ? this.#rename(message, freeName(message.line, taken, parts)) : message;
      taken.add(named.id);
      return named;
    });
  }

  /**
   * The messages, with an id for each call that has none; a result without one gets that of the oldest call of its name that has no result
   * yet. Linear.
   */
  paired(messages: readonly Message[]): readonly Message[] {
    const open = new Map<string, { readonly ids: string[]; next: number }>();
    let calls = 0;
    const idOf = (block: ContentBlock): string | undefined => {
      const own = ownId(block);
      if (own?.startsWith(UNNAMED) !== true) return undefined;
      const waiting = open.get(own);
      if (block.type !== 'toolUse') return waiting?.ids[waiting.next++] ?? own;
      const id = `${own}#${++calls}`;
      if (waiting === undefined) open.set(own, { ids: [id], next: 0 });
      else waiting.ids.push(id);
      return id;
    };
    return messages.map((message) => {
      const ids = message.content.map(idOf);
      return ids.every((id) => id === undefined) ? message : this.#pair(message, ids);
    });
  }

  #rename(message: Message, id: string): Message {
    const known = this.#renamed.get(message);
    if (known?.id === id) return known;
    const renamed = { ...message, id };
    this.#renamed.set(message, renamed);
    return renamed;
  }

  #pair(message: Message, ids: readonly (string | undefined)[]): Message {
    const key = ids.join('\n');
    const known = this.#paired.get(message);
    if (known?.ids === key) return known.message;
    const content = message.content.map((block, at) => withId(block, ids[at]));
    const paired = { ...message, content };
    this.#paired.set(message, { ids: key, message: paired });
    return paired;
  }
}

function ownId(block: ContentBlock): string | undefined {
  if (block.type === 'toolUse') return block.id;
  return block.type === 'toolResult' ? block.toolUseId : undefined;
}

function withId(block: ContentBlock, id: string | undefined): ContentBlock {
  if (id === undefined) return block;
  if (block.type === 'toolUse') return StoredBlock.with(block, { id });
  return block.type === 'toolResult' ? StoredBlock.with(block, { toolUseId: id }) : block;
}

/** `line:N`, or the first free one of `line:N#2`, `line:N#3`, … that was not given before. */
function freeName(line: number, taken: ReadonlySet<string>, parts: Map<number, number>): string {
  for (;;) {
    const part = (parts.get(line) ?? 0) + 1;
    parts.set(line, part);
    const name = part === 1 ? `line:${line}` : `line:${line}#${part}`;
    if (!taken.has(name)) return name;
  }
}
