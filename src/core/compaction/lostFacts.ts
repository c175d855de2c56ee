// The facts of a stretch of conversation that its reader may miss, each with the message in which it stands.
import { toolResultText, type Message, type ToolResultBlock } from '../model/message';
import { isConstraint } from './constraints';
import { extractFacts } from './offline/facts';
import { readOutcome } from './offline/outcome';
import { endsOf } from './offline/requestPieces';
import type { SessionFacts } from './offline/sessionFacts';
import { errorLine } from './offline/telling';
import { PASTED_CHARACTERS } from './offline/userSide';
import { ownWords } from './offline/userText';
import { namesIn } from './lostNames';

export type LostKind = 'file' | 'command' | 'error' | 'url' | 'identifier' | 'number' | 'request' | 'constraint';

export interface Candidate {
  readonly kind: LostKind;
  readonly value: string;
  readonly messageId: string;
  /** The text in which it stands, or which it is. */
  readonly place: string;
  /** Another file has the same name, so that the name alone does not state it. */
  readonly test?: 'exact';
}

/** `parts` stand inside of texts; where a text of `whole` at the same place is lost, they need no mention. */
export interface Candidates {
  readonly whole: readonly Candidate[];
  readonly parts: readonly Candidate[];
}

/** Collects the facts in order. Linear. */
export function lostCandidates(messages: readonly Message[]): Candidates {
  const facts = extractFacts(messages);
  const { whole, parts } = userSide(facts);
  const files = fileCandidates(facts);
  const commands = facts.commands.filter(({ isLookUp, status }) => !isLookUp && status !== 'refused');
  return {
    whole: [
      ...whole,
      ...files,
      ...commands.map(({ command, source }) => candidate('command', firstLine(command), source.id, source.id)),
      ...errorCandidates(messages, facts),
    ],
    parts: [...parts, ...spokenParts(messages)],
  };
}

function candidate(kind: LostKind, value: string, messageId: string, place: string): Candidate {
  return { kind, value, messageId, place };
}

/** Constraints, requests without the sentences that are constraints, and the names in both. */
function userSide(facts: SessionFacts): { readonly whole: readonly Candidate[]; readonly parts: readonly Candidate[] } {
  const whole: Candidate[] = [];
  const parts: Candidate[] = [];
  const rules = new Map<number, string[]>();
  for (const { text, source } of facts.statements.filter(isConstraint)) {
    whole.push(candidate('constraint', text, source.id, text));
    const list = rules.get(source.index) ?? [];
    list.push(text);
    rules.set(source.index, list);
    for (const { name, kind } of namesIn(text)) parts.push(candidate(kind, name, source.id, text));
  }
  for (const { blocks, source, isHandled } of facts.requests) {
    if (isHandled) continue;
    for (const block of blocks) {
      let rest = block;
      if (block.length <= PASTED_CHARACTERS) for (const rule of rules.get(source.index) ?? []) rest = rest.replace(rule, ' ');
      const [head, tail = ''] = endsOf(rest.trim());
      const place = `${source.index} ${head}`;
      if (/[\p{L}\p{N}]{3}/u.test(head)) whole.push(candidate('request', head, source.id, place));
      for (const { name, kind } of namesIn(`${head}\n${tail}`)) parts.push(candidate(kind, name, source.id, place));
    }
  }
  return { whole, parts };
}

function fileCandidates(facts: SessionFacts): readonly Candidate[] {
  const names = new Map<string, number>();
  const nameOf = (path: string): string => path.replace(/[/\\]+$/, '').replace(/^.*[/\\]/, '');
  for (const { path } of facts.files) names.set(nameOf(path), (names.get(nameOf(path)) ?? 0) + 1);
  return facts.files.map(({ path, lastSource }) => ({
    ...candidate('file', path, lastSource.id, path),
    ...((names.get(nameOf(path)) ?? 0) > 1 ? { test: 'exact' as const } : {}),
  }));
}

/** The telling line of each failure, and of results that begin with an error though nothing marks them. */
function errorCandidates(messages: readonly Message[], facts: SessionFacts): readonly Candidate[] {
  const known = facts.problems.map(({ line, about, source }) => candidate('error', line === '' ? about : line, source.id, source.id));
  const lines = new Set(known.map(({ value }) => value));
  const unmarked: Candidate[] = [];
  for (const { message, result } of resultsOf(messages)) {
    const text = toolResultText(result);
    if (!ERROR_START.test(text.slice(0, 200))) continue;
    const line = errorLine(text);
    if (line !== undefined && !lines.has(line)) unmarked.push(candidate('error', line, message.id, message.id));
  }
  return [...known, ...unmarked];
}

/** Names, numbers and addresses of what the agent said, of earlier summaries and of short results. */
function spokenParts(messages: readonly Message[]): readonly Candidate[] {
  const parts: Candidate[] = [];
  const add = (text: string, message: Message): void => {
    for (const { name, kind } of namesIn(text)) parts.push(candidate(kind, name, message.id, message.id));
  };
  for (const message of messages) {
    const isSpoken = message.kind === 'summary' || (message.role === 'assistant' && message.kind === 'message');
    for (const block of message.content) {
      if (block.type === 'text' && isSpoken) add(block.text, message);
      else if (block.type === 'text' && message.role === 'user' && message.kind === 'message') {
        const { shellCommand } = ownWords(block.text);
        if (shellCommand !== undefined) add(shellCommand, message);
      }
    }
  }
  for (const { message, result } of resultsOf(messages)) {
    const text = toolResultText(result);
    if (text.length > SHORT_RESULT || result.isError === true) continue;
    // A failure counts by its error, whether the agent marks it or its program only tells of it.
    const { status, output } = readOutcome({ text, isError: false, isCommand: true });
    if (status !== 'failed') add(output, message);
  }
  return parts;
}

function* resultsOf(messages: readonly Message[]): Generator<{ readonly message: Message; readonly result: ToolResultBlock }> {
  for (const message of messages) {
    for (const block of message.content) if (block.type === 'toolResult') yield { message, result: block };
  }
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? text;
}

/** Longer results are bulk: what mattered in them was said. */
const SHORT_RESULT = 300;
const ERROR_START = /^(?:<tool_use_error>)?(?:Error|ERROR|[A-Z]\w*(?:Error|Exception)|fatal|panic|E[A-Z]{3,})\b[: (]/;
