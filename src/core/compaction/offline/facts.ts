// Reads a stretch of conversation once and collects what a reader needs to go on from it.
import { isToolUse, textOf, type Message } from '../../model/message';
import { isRecord, recordOf, stringOf } from '../../util/json';
import { collectCalls, detailOf, pathsOf, type ToolCall } from './calls';
import { choicesOf } from './choices';
import { createCommandLedger } from './commandLedger';
import { readCallEffects } from './fileEffects';
import { createFileLedger } from './fileLedger';
import { identifiersIn } from './identifiers';
import { createTodoLedger } from './openWork';
import { createProblemLedger } from './problems';
import type {
  AnswerFact,
  EarlierSummary,
  LastCall,
  NoteFact,
  OpenCall,
  ReportFact,
  SessionFacts,
  UserChoice,
  UserRequest,
} from './sessionFacts';
import { createUserSide, type DraftRequest } from './userSide';
import { inner } from './userText';

export type { SessionFacts } from './sessionFacts';

/** Collects the facts of the messages, in linear time. Whatever they hold is data; odd shapes are passed over. */
export function extractFacts(messages: readonly Message[]): SessionFacts {
  const calls = collectCalls(messages);
  const talk = readTalk(messages);
  return { messages: messages.length, toolCalls: calls.length, ...talk, ...readCalls(calls, talk.reports) };
}

type TalkFacts = Pick<SessionFacts, 'requests' | 'statements' | 'answers' | 'notes' | 'reports' | 'earlierSummaries' | 'identifiers'>;

interface DraftAnswer extends AnswerFact {
  readonly turn: number;
  readonly messageId: string | undefined;
}

function readTalk(messages: readonly Message[]): TalkFacts {
  const user = createUserSide();
  const answers: DraftAnswer[] = [];
  const notes: NoteFact[] = [];
  const reports: ReportFact[] = [];
  const summaries: EarlierSummary[] = [];
  let turn = 0;
  messages.forEach((message, index) => {
    const source = { index, id: message.id };
    if (message.kind === 'summary' && textOf(message).trim() !== '') summaries.push({ source, text: textOf(message) });
    if (message.role === 'user' && (message.kind === 'message' || message.kind === 'meta'))
      reports.push(...notifiedReports(message, index));
    if (message.kind !== 'message') return;
    if (message.role === 'user') {
      if (user.add(message, index)) turn++;
    } else if (message.role === 'assistant' && message.isCompactionReply !== true) {
      const text = textOf(message).trim();
      if (text !== '') addAnswer(answers, notes, { source, text, turn, isFinal: !ANNOUNCES.test(text), messageId: message.messageId });
      const last = answers.at(-1);
      if (last?.turn === turn && last.isFinal && message.content.some(isToolUse)) answers[answers.length - 1] = { ...last, isFinal: false };
    }
  });
  const requests = user.requests();
  return {
    requests: withStates(requests, answers),
    statements: user.statements(),
    answers: answers.map(({ source, text, isFinal }) => ({ source, text, isFinal })),
    notes,
    reports,
    earlierSummaries: summaries.reverse(),
    identifiers: identifiersOf(answers, requests),
  };
}

/** Notes for each request how far it was answered before the next one. Both lists are in order. */
function withStates(requests: readonly DraftRequest[], answers: readonly DraftAnswer[]): UserRequest[] {
  let next = 0;
  return requests.map(({ source, blocks, isHandled, interrupted }, i) => {
    const end = requests[i + 1]?.source.index ?? Infinity;
    while ((answers[next]?.source.index ?? Infinity) <= source.index) next++;
    const answer = answers[next];
    const state = answer === undefined || answer.source.index >= end ? 'unanswered' : answer.isFinal ? 'answered' : 'inWork';
    return { source, blocks, isHandled, interrupted, state };
  });
}

/** Names in final answers and requests, newest first, answers before requests. */
function identifiersOf(answers: readonly DraftAnswer[], requests: readonly DraftRequest[]): string[] {
  const texts = [...answers.map(({ text }) => text).reverse(), ...requests.map(({ blocks }) => blocks.join('\n')).reverse()];
  return [...new Set(texts.flatMap(identifiersIn))];
}

/** Keeps the last text of each turn, and the others as notes; fragments of one reply belong together (R02). */
function addAnswer(answers: DraftAnswer[], notes: NoteFact[], answer: DraftAnswer): void {
  const last = answers.at(-1);
  if (last?.turn !== answer.turn) answers.push(answer);
  else if (answer.messageId !== undefined && last.messageId === answer.messageId)
    answers[answers.length - 1] = { ...answer, text: `${last.text}\n\n${answer.text}` };
  else {
    notes.push({ source: last.source, text: last.text });
    answers[answers.length - 1] = answer;
  }
}

/** Codex passes on what a sub-agent reported in a user message of its own. */
function notifiedReports(message: Message, index: number): ReportFact[] {
  const found: ReportFact[] = [];
  for (const block of message.content) {
    if (block.type !== 'text' || !block.text.trimStart().startsWith('<subagent_notification>')) continue;
    const body = parsed(inner(block.text, 'subagent_notification') ?? '');
    const status = isRecord(body) ? recordOf(body, 'status') : undefined;
    const text = status === undefined ? undefined : stringOf(status, 'completed');
    if (text !== undefined && text.trim() !== '') found.push({ source: { index, id: message.id }, task: '', text: text.trim() });
  }
  return found;
}

type CallFacts = Pick<
  SessionFacts,
  'choices' | 'files' | 'commands' | 'problems' | 'todos' | 'doneEarlier' | 'openCalls' | 'lastCalls' | 'folder' | 'reports'
>;

function readCalls(calls: readonly ToolCall[], notified: readonly ReportFact[]): CallFacts {
  const files = createFileLedger();
  const commands = createCommandLedger();
  const problems = createProblemLedger();
  const todos = createTodoLedger();
  const choices: UserChoice[] = [];
  const reports: ReportFact[] = [...notified];
  const openCalls: OpenCall[] = [];
  const done: LastCall[] = [];
  let openFile: string | undefined;
  for (const call of calls) {
    const reading = readCallEffects(call, openFile);
    // SWE-agent's `edit` and `insert` name no file: they change the one that is open.
    if (OPENERS.has(call.name)) openFile = pathsOf(call.args)[0] ?? openFile;
    for (const effect of reading.effects) files.add(effect, call.source);
    const isAlone = reading.commands.length === 1;
    const command = isAlone ? reading.commands[0]?.command : undefined;
    const detail = command ?? detailOf(call);
    for (const run of reading.commands) commands.add({ ...run, isAlone }, call);
    problems.add(call, command, reading.commands.length > 0 && reading.commands.every(({ isLookUp }) => isLookUp));
    todos.add(call);
    choices.push(...choicesOf(call));
    if (call.outcome === undefined && !call.isServer) openCalls.push({ source: call.source, name: call.name, detail });
    else if (call.outcome !== undefined) done.push({ name: call.name, detail, status: call.outcome.status });
    if (
      call.outcome !== undefined &&
      SUB_AGENTS.has(call.name) &&
      call.outcome.status === 'ok' &&
      !call.outcome.output.startsWith(LAUNCHED)
    )
      reports.push({ source: call.source, task: stringOf(call.args, 'description') ?? '', text: reportIn(call.outcome.output) });
  }
  const folder = commands.folder();
  return {
    choices,
    files: files.facts(folder),
    commands: commands.facts(),
    problems: problems.facts(),
    todos: todos.newest(),
    doneEarlier: todos.doneEarlier(),
    openCalls,
    lastCalls: done.slice(-LAST_CALLS),
    folder,
    reports: reports.filter(({ text }) => text !== ''),
  };
}

/** A report without what the program adds behind it. */
function reportIn(output: string): string {
  const at = output.lastIndexOf('\nagentId: ');
  return (at < 0 ? output : output.slice(0, at)).trim();
}

const OPENERS: ReadonlySet<string> = new Set(['open', 'create']);
const SUB_AGENTS: ReadonlySet<string> = new Set(['Task', 'Agent']);
/** Words that end so announce what comes next; they close no turn. */
const ANNOUNCES = /[:…]\**$/;
const LAST_CALLS = 5;
const LAUNCHED = 'Async agent launched';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
