// Collects the commands that ran and how they went; runs of one command in one folder are counted together.
import type { ToolCall } from './calls';
import { isAbsolute } from './shellEffects';
import { reportsFailure, resultLine } from './telling';
import type { CommandFact, CommandStatus } from './sessionFacts';

export interface CommandRun {
  readonly command: string;
  /** Folder that the call states. */
  readonly folder: string | undefined;
  readonly isLookUp: boolean;
  /** The result belongs to this command alone. */
  readonly isAlone: boolean;
}

interface Entry extends CommandRun {
  readonly call: ToolCall;
}

export interface CommandLedger {
  add(run: CommandRun, call: ToolCall): void;
  /** In the order of the last run. */
  facts(): CommandFact[];
  /** Folder that most commands name; undefined when none names one. */
  folder(): string | undefined;
}

/** Makes an empty ledger. */
export function createCommandLedger(): CommandLedger {
  const entries: Entry[] = [];
  const counts = new Map<string, number>();
  const folder = (): string | undefined => {
    let best: string | undefined;
    for (const [name, count] of counts) if (best === undefined || count > (counts.get(best) ?? 0)) best = name;
    return best;
  };
  return {
    add: (run, call) => {
      const { moved, rest } = withoutMove(run.command);
      const stated = moved ?? run.folder;
      if (stated !== undefined && isAbsolute(stated)) counts.set(stated, (counts.get(stated) ?? 0) + 1);
      const command = essence(rest);
      // A call without a result is open work, no command that ran.
      if (command !== '' && call.outcome !== undefined) entries.push({ ...run, command, folder: stated, call });
    },
    facts: () => factsOf(entries, folder()),
    folder,
  };
}

function factsOf(entries: readonly Entry[], usual: string | undefined): CommandFact[] {
  const facts = new Map<string, CommandFact>();
  for (const { command, folder, isLookUp, isAlone, call } of entries) {
    const elsewhere = folder === usual ? undefined : folder;
    const key = `${elsewhere ?? ''}\u0000${command}`;
    const before = facts.get(key);
    facts.delete(key);
    const status = statusOf(isLookUp, isAlone, call);
    const outcome = isAlone ? call.outcome : undefined;
    facts.set(key, {
      source: call.source,
      command,
      folder: elsewhere,
      runs: (before?.runs ?? 0) + 1,
      failures: (before?.failures ?? 0) + (status === 'failed' ? 1 : 0),
      status,
      exitCode: outcome?.exitCode,
      seconds: outcome?.seconds,
      line: isLookUp || outcome === undefined ? undefined : resultLine(outcome.output),
      isLookUp,
      inBackground: call.args['run_in_background'] === true,
    });
  }
  return withoutBanners([...facts.values()]);
}

/** A shell may greet every command with the same line; it tells nothing about any of them. */
function withoutBanners(facts: readonly CommandFact[]): CommandFact[] {
  const counts = new Map<string, number>();
  for (const { line } of facts) if (line !== undefined) counts.set(line, (counts.get(line) ?? 0) + 1);
  return facts.map((fact) => ((counts.get(fact.line ?? '') ?? 0) < BANNER_COUNT ? fact : { ...fact, line: undefined }));
}

/** How a command went. A command in front of a pipe can fail with exit code 0; then the words of its output decide. */
function statusOf(isLookUp: boolean, isAlone: boolean, call: ToolCall): CommandStatus {
  const { outcome } = call;
  if (outcome === undefined) return 'unknown';
  if (!isAlone) return outcome.status === 'refused' ? 'refused' : 'unknown';
  // A search that finds nothing exits with 1.
  if (outcome.status === 'failed' && isLookUp && outcome.exitCode === '1') return 'ok';
  if (outcome.status === 'ok' && !isLookUp && reportsFailure(outcome.output)) return 'failed';
  return outcome.status;
}

/** Splits a leading `cd FOLDER &&` off a command line. */
export function withoutMove(command: string): { readonly moved: string | undefined; readonly rest: string } {
  const text = command.trim();
  const match = MOVE.exec(text.slice(0, MAX_MOVE));
  if (match === null) return { moved: undefined, rest: text };
  return { moved: match[1] ?? match[2] ?? match[3], rest: text.slice(match[0].length) };
}

/** A command line without what only shortens its output at the end. */
export function essence(command: string): string {
  let text = command.trim();
  for (let i = 0; i < MAX_TRIMS; i++) {
    const end = text.slice(-MAX_ENDING);
    const at = SHORTENER.exec(end)?.index;
    if (at === undefined) return text;
    text = text.slice(0, text.length - end.length + at).trimEnd();
  }
  return text;
}

const BANNER_COUNT = 4;
const MAX_MOVE = 400;
const MAX_TRIMS = 4;
const MAX_ENDING = 40;
const MOVE = /^cd (?:"([^"\n]*)"|'([^'\n]*)'|([^\s;&|]+)) ?&& ?/;
const SHORTENER = / ?(?:2>&1|2>\/dev\/null|\| ?(?:head|tail)(?: -n? ?\d+| -c \d+)?)$/;
