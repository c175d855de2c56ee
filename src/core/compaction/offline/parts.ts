// All pieces that a summary can have, made from the facts once and named for the order of spending and of display.
import type { Piece } from './budget';
import { lastRequestPiece, requestPieces } from './requestPieces';
import type { CommandStatus, SessionFacts, UserRequest } from './sessionFacts';
import {
  answerPieces,
  choicePieces,
  earlierSummaryPieces,
  lastStatePiece,
  notePieces,
  reportPieces,
  rulePieces,
  type ChoicePieces,
  type RulePieces,
} from './talkPieces';
import {
  commandPieces,
  doneEarlierPieces,
  filePieces,
  lastCallsPiece,
  openCallPieces,
  problemPieces,
  runningPieces,
  todoPieces,
  type FilePieces,
} from './workPieces';

/** Lists are in the order of the transcript unless they say otherwise; `last…` and `state` hold one piece or none. */
export interface Parts {
  readonly lastRequest: readonly Piece[];
  readonly earlierRequests: readonly Piece[];
  readonly rules: RulePieces;
  readonly choices: ChoicePieces;
  readonly files: FilePieces;
  readonly commands: readonly Piece[];
  readonly lookUps: number;
  readonly unfixed: readonly Piece[];
  readonly fixed: readonly Piece[];
  readonly answers: readonly Piece[];
  readonly reports: readonly Piece[];
  readonly notes: readonly Piece[];
  readonly openTodos: readonly Piece[];
  /** Newest first. */
  readonly doneTodos: readonly Piece[];
  readonly running: readonly Piece[];
  readonly openCalls: readonly Piece[];
  /** Newest first. */
  readonly summaries: readonly Piece[];
  readonly state: readonly Piece[];
  readonly lastCalls: readonly Piece[];
}

/** Makes the pieces. */
export function partsOf(facts: SessionFacts): Parts {
  const { requests, answers, commands, problems } = facts;
  const last = workedOn(requests);
  const lastAnswer = answers.at(-1);
  const todos = todoPieces(facts.todos);
  // A command that still fails is told once, with its error.
  const broken = new Set(problems.filter(({ fixed }) => !fixed).map(({ about }) => about));
  return {
    lastRequest: last === undefined ? [] : [{ ...lastRequestPiece(last.request), label: `**Last request (${last.position + 1}):**` }],
    earlierRequests: requestPieces(requests, last?.position),
    rules: rulePieces(facts.statements, requests),
    choices: choicePieces(facts.choices),
    files: filePieces(facts),
    commands: commandPieces(commands.filter(({ isLookUp, status, command }) => !isLookUp && isOver(status) && !broken.has(command))),
    lookUps: commands.filter(({ isLookUp }) => isLookUp).length,
    unfixed: problemPieces(problems.filter(({ fixed }) => !fixed)),
    fixed: problemPieces(problems.filter(({ fixed }) => fixed)),
    answers: answerPieces(answers.slice(0, -1), requests),
    reports: reportPieces(facts.reports),
    notes: notePieces(facts.notes),
    openTodos: todos.open,
    doneTodos: [...newest(todos.done), ...newest(doneEarlierPieces(facts.doneEarlier))],
    running: runningPieces(commands),
    openCalls: openCallPieces(facts.openCalls),
    summaries: earlierSummaryPieces(facts.earlierSummaries),
    state: lastAnswer === undefined ? [] : [lastStatePiece(lastAnswer)],
    lastCalls: facts.lastCalls.length === 0 ? [] : [lastCallsPiece(facts.lastCalls)],
  };
}

/** The last request that the agent had to work on; undefined when there is none. */
export function workedOn(requests: readonly UserRequest[]): { readonly request: UserRequest; readonly position: number } | undefined {
  const position = requests.findLastIndex(({ isHandled }) => !isHandled);
  const request = requests[position];
  return request === undefined ? undefined : { request, position };
}

/** Running and refused commands are told elsewhere. */
function isOver(status: CommandStatus): boolean {
  return status !== 'running' && status !== 'refused';
}

/** A list from its end. */
export function newest<T>(list: readonly T[]): T[] {
  return [...list].reverse();
}
