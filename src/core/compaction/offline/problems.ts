// Collects what went wrong and whether the same thing worked later.
import { detailOf, pathOf, type ToolCall } from './calls';
import { essence, withoutMove } from './commandLedger';
import type { ProblemFact } from './sessionFacts';
import { errorLine, reportsFailure } from './telling';

export interface ProblemLedger {
  /** `command` is the one command that the call ran, where it ran exactly one. */
  add(call: ToolCall, command: string | undefined, isLookUp: boolean): void;
  /** Oldest first, by the last time that each went wrong. */
  facts(): ProblemFact[];
}

/** Makes an empty ledger. A slip in using a tool counts only while it was not put right. A search without a find is no problem; a refusal by the user is a choice of theirs and stands elsewhere. */
export function createProblemLedger(): ProblemLedger {
  const problems = new Map<string, ProblemFact>();
  return {
    add: (call, command, isLookUp) => {
      const { outcome } = call;
      if (outcome === undefined || outcome.status === 'refused' || outcome.status === 'running' || OWN_TOOLS.has(call.name)) return;
      const isCommand = command !== undefined;
      const failed = outcome.status === 'failed' || (isCommand && !isLookUp && reportsFailure(outcome.output));
      const about = isCommand ? essence(withoutMove(command).rest) : aboutTool(call);
      const known = problems.get(about);
      if (!failed) {
        if (known !== undefined && outcome.status === 'ok') problems.set(about, { ...known, fixed: true });
        return;
      }
      if (isLookUp && (outcome.exitCode === undefined || outcome.exitCode === '1' || outcome.exitCode === '2')) return;
      problems.delete(about);
      const line = errorLine(outcome.output) ?? '';
      problems.set(about, { source: call.source, about, isCommand, line, count: (known?.count ?? 0) + 1, fixed: false });
    },
    facts: () => [...problems.values()].filter(({ fixed, line }) => !fixed || !SLIP.test(line)),
  };
}

function aboutTool(call: ToolCall): string {
  const detail = pathOf(call.args) ?? detailOf(call);
  const line = detail.split('\n', 1)[0] ?? '';
  return line === '' ? call.name : `${call.name} ${line}`;
}

/** Tools for the agent's own housekeeping; nothing of the user's work fails with them. */
const OWN_TOOLS: ReadonlySet<string> = new Set([
  'KillShell',
  'KillBash',
  'TaskStop',
  'TodoWrite',
  'TaskUpdate',
  'ToolSearch',
  'write_stdin',
  'wait',
  'close_agent',
]);
const SLIP =
  /has not been read yet|modified since read|String to replace not found|matches of the string to replace|InputValidationError|verification failed/;
