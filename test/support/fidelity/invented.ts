// Finds names, numbers and addresses of a summary that stand nowhere in what it summarizes. What is the summary's own (headings, labels,
// counts) is told by where it stands and by its form, never by a list of its words.
import { toolResultText, type ContentBlock, type Message } from '../../../src/core/model/message';
import { linesOf } from './statements';

/** Path-like, identifier-like, number and URL strings that occur nowhere in the messages. */
export function inventedIn(summary: string, zone: readonly Message[]): readonly string[] {
  const source = sourceText(zone);
  const digits = new Set(source.match(/\d+/g) ?? []);
  const invented = new Set<string>();
  for (const { line, heading, isQuoted } of linesOf(summary)) {
    const text = isQuoted ? withoutMarks(line) : ownPartsLeftOut(line, heading);
    if (text === undefined) continue;
    for (const [token] of text.matchAll(TOKEN)) {
      if (!isTelling(token)) continue;
      if (/^\d+$/.test(token) ? digits.has(token) : source.includes(token)) continue;
      if (!isQuoted && heading === 'Files' && source.includes(token.replace(/^…\//, ''))) continue;
      invented.add(token);
    }
  }
  return [...invented];
}

/** All text of the messages as it stands, and once more with the escapes of JSON undone. */
export function sourceText(messages: readonly Message[]): string {
  const parts: string[] = [];
  const add = (block: ContentBlock): void => {
    if (block.type === 'text') parts.push(block.text);
    else if (block.type === 'toolResult') parts.push(toolResultText(block));
    else if (block.type === 'toolUse') parts.push(block.name, block.rawInput ?? '', JSON.stringify([block.input]));
    else if (block.type === 'unknown') parts.push(block.raw);
  };
  for (const { content } of messages) for (const block of content) add(block);
  const text = parts.join('\n');
  return `${text}\n${text.replace(/\\(.)/g, (_, c: string) => (c === 'n' ? '\n' : c === 't' ? '\t' : c))}`;
}

/** A line of a section without what the summary itself adds to it; undefined where all of it is the summary's own. */
function ownPartsLeftOut(line: string, heading: string): string | undefined {
  if (heading === 'Session at a glance') return /^- Usual folder: (.*)$/.exec(line)?.[1];
  if (/^\*\*[^*]+:\*\*$/.test(line) || /^\(.* left out\)$/.test(line) || /^Besides: .*\.$/.test(line)) return undefined;
  return withoutMarks(line)
    .replace(/^\d+(?:–\d+)?\.(?= |$)/, '')
    .replace(/^- To request \d+: /, '')
    .replace(/ \(\d+ (?:times|runs(?:, \d+ earlier failed)?)\)/g, '')
    .replace(/\(stopped by the user\)$/, '');
}

/** Marks of omission inside of a quotation. */
function withoutMarks(line: string): string {
  return line.replace(/\[… [^\]]*…\]/g, ' ');
}

function isTelling(token: string): boolean {
  if (/^\d+$/.test(token)) return true;
  return /[/\\_]|\d|\p{Ll}\p{Lu}|\w\.\w/u.test(token);
}

const TOKEN = /https?:\/\/[^\s<>"'`)\]}|\\]+[^\s<>"'`)\]}|\\.,;:]|[\p{L}\p{N}_$~…](?:[\p{L}\p{N}_$./:@#-]*[\p{L}\p{N}_$])?/gu;
