import type { Message } from '../../model/message';
import { sourceChanged } from './copyInput';

/** A message as a line of the source gives it when it is read again, and the JSON text that it was read from. */
export interface FoundText<T> {
  readonly message: Message;
  readonly source: T;
}

interface LineTexts<T> {
  readonly byId: ReadonlyMap<string, readonly FoundText<T>[]>;
  readonly bySignature: Map<string, FoundText<T>> | undefined;
  readonly all: readonly FoundText<T>[];
}

/**
 * Answers what a message was read from. A message whose name stands once on its line is found by it; where a name repeats or was made of a
 * place, what the message says decides. The answer throws `staleSource` when the line says nothing like it any more.
 */
export function messageFinder<T>(itemsOn: (line: number) => readonly FoundText<T>[]): (message: Message) => T {
  const lines = new Map<number, LineTexts<T>>();
  return (message) => {
    const line = lines.get(message.line) ?? lineTexts(itemsOn(message.line));
    lines.set(message.line, line);
    const named = isPlace(message.id) ? undefined : line.byId.get(message.id);
    if (named?.length === 1 && named[0] !== undefined) return named[0].source;
    const bySignature = line.bySignature ?? new Map(line.all.toReversed().map((item) => [signatureOf(item.message), item]));
    lines.set(message.line, { ...line, bySignature });
    const found = bySignature.get(signatureOf(message));
    if (found === undefined) throw sourceChanged(message.line);
    return found.source;
  };
}

function lineTexts<T>(all: readonly FoundText<T>[]): LineTexts<T> {
  const byId = new Map<string, FoundText<T>[]>();
  for (const item of all) {
    const known = byId.get(item.message.id);
    if (known === undefined) byId.set(item.message.id, [item]);
    else known.push(item);
  }
  return { byId, bySignature: undefined, all };
}

/** A name that was made of a place may have been given to another message of the line. */
function isPlace(id: string): boolean {
  return id.startsWith('line:');
}

/** What a message says. Ids that calls without one were given depend on the calls before and say nothing. */
function signatureOf({ role, content }: Message): string {
  return `${role} ${JSON.stringify(content).replace(/"unnamed:[^"#]*#\d+"/g, (id) => `${id.slice(0, id.lastIndexOf('#'))}"`)}`;
}
