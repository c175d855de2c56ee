// What the user said and what the agent answered, and which words of it a text still holds.
import { textOf, type Message } from '../../../src/core/model/message';

/** A block longer than this is taken as pasted and counts by its ends. */
export const PASTED = 2000;
export const PASTED_END = 500;

/** The words that count: in small letters words of five letters or more and numbers, as they stand what looks like an identifier. */
export interface Keywords {
  readonly words: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

/** The user's own texts of one message, without what the agent's program added. */
export function ownTexts(message: Message): readonly string[] {
  if (message.role !== 'user' || message.kind !== 'message') return [];
  return message.content.flatMap((block) => (block.type === 'text' ? ownText(block.text) : [])).filter((text) => text !== '');
}

/** True for a message in which the user says something. */
export function speaks(message: Message): boolean {
  return ownTexts(message).length > 0;
}

function ownText(block: string): string {
  const text = block.trim();
  if (/^(?:\[Request interrupted by user|Caveat: The messages below|# AGENTS\.md instructions for )/.test(text)) return '';
  const command = /<command-name>([^<]*)<\/command-name>/.exec(text)?.[1];
  if (command !== undefined && text.startsWith('<command-')) {
    const words = /<command-args>([^]*)<\/command-args>/.exec(text)?.[1] ?? '';
    return `${command.trim()} ${words.trim()}`.trim();
  }
  const shell = /^<bash-input>([^]*)<\/bash-input>$/.exec(text)?.[1];
  if (shell !== undefined) return shell.trim();
  // A block that is one tagged element from end to end was written by a program.
  const tag = /^<([A-Za-z][\w-]*)[ >]/.exec(text)?.[1];
  if (tag !== undefined && text.endsWith(`</${tag}>`) && text.indexOf(`</${tag}>`) >= 0) return '';
  if (tag !== undefined && PROGRAM_TAGS.test(`<${tag}>`)) return outside(text);
  return outside(text);
}

function outside(text: string): string {
  return text
    .replace(
      /<(system-reminder|ide_opened_file|ide_selection|ide_diagnostics|user-prompt-submit-hook|environment_context|environment_details|command-contents|task-notification|user_instructions|skill)\b[^>]{0,300}>[^]*?<\/\1>/g,
      ' ',
    )
    .trim();
}

const PROGRAM_TAGS = /^<(?:local-command|bash-std)/;

/** The last text of each turn of the agent; fragments of one reply belong together. */
export function lastAnswers(messages: readonly Message[]): readonly string[] {
  const answers: string[] = [];
  let last: { text: string; id: string | undefined } | undefined;
  const close = (): void => {
    if (last !== undefined) answers.push(last.text);
    last = undefined;
  };
  for (const message of messages) {
    if (speaks(message)) close();
    if (message.role !== 'assistant' || message.kind !== 'message' || message.isCompactionReply === true) continue;
    const text = textOf(message).trim();
    if (text === '') continue;
    const isSame = last?.id !== undefined && last.id === message.messageId;
    last = { text: isSame ? `${last?.text ?? ''}\n${text}` : text, id: message.messageId };
  }
  close();
  return answers;
}

/** A pasted block by its first and last five hundred characters, everything else whole. */
export function withoutPasted(text: string): string {
  return text.length <= PASTED ? text : `${text.slice(0, PASTED_END)}\n${text.slice(-PASTED_END)}`;
}

/** Keywords of a text. At the cuts of a pasted block the torn words do not count. */
export function keywordsOf(text: string): Keywords {
  const words = new Set<string>();
  const identifiers = new Set<string>();
  const parts =
    text.length <= PASTED ? [text] : [text.slice(0, PASTED_END).replace(/\S+$/, ''), text.slice(-PASTED_END).replace(/^\S+/, '')];
  for (const part of parts) {
    for (const [token] of part.matchAll(TOKEN)) {
      if (/^\p{L}+$/u.test(token) && !/\p{Ll}\p{Lu}/u.test(token)) {
        if (token.length >= 5) words.add(token.toLowerCase());
      } else if (/^\d+(?:[.,]\d+)*$/.test(token)) words.add(token);
      else if (/^[\p{L}’'-]+$/u.test(token) && !/\p{Ll}\p{Lu}/u.test(token)) {
        for (const piece of token.split(/[^\p{L}]+/u)) if (piece.length >= 5) words.add(piece.toLowerCase());
      } else identifiers.add(token);
    }
  }
  return { words, identifiers };
}

/** How many of the keywords a text holds: words as whole words, identifiers wherever they stand. */
export function survival(
  keywords: Keywords,
  text: string,
  known: ReadonlySet<string> = wordSet(text),
): { readonly kept: number; readonly all: number } {
  let kept = 0;
  for (const word of keywords.words) if (known.has(word)) kept++;
  for (const identifier of keywords.identifiers) if (text.includes(identifier)) kept++;
  return { kept, all: keywords.words.size + keywords.identifiers.size };
}

/** All words and numbers of a text, in small letters. */
export function wordSet(text: string): ReadonlySet<string> {
  const words = new Set<string>();
  for (const [word] of text.matchAll(/\p{L}+|\d+(?:[.,]\d+)*/gu)) words.add(word.toLowerCase());
  return words;
}

const TOKEN = /[\p{L}\p{N}_$](?:[\p{L}\p{N}_$./:@#’'-]*[\p{L}\p{N}_$])?/gu;

/** Sentences of the user that say what must or must not be. */
export function constraintsIn(text: string): readonly string[] {
  return sentences(text).filter((sentence) => CONSTRAINT.test(sentence));
}

function sentences(text: string): readonly string[] {
  return text
    .split('\n')
    .flatMap((line) => line.split(/(?<=[.!?])\s+(?=[\p{Lu}"'`(*\d])/u))
    .map((sentence) => sentence.replace(/^\s*(?:[-*•>]\s+)?/, '').trim())
    .filter((sentence) => sentence !== '');
}

const CONSTRAINT =
  /\b(?:must(?:n['’]?t)?|never|always|only|don['’]?t|do not|at least|at most|no more than|not more than|no less than|no fewer than|not exceed|avoid|forbidden|not allowed|should not|shouldn['’]?t|required to|make sure|ensure)\b/i;
