// In which order the parts of a summary get their share of the budget.
import type { Piece, Step } from './budget';
import { newest, type Parts } from './parts';
import { REQUEST_FORMS } from './requestPieces';

export interface Spending {
  /** Never dropped. */
  readonly core: readonly Piece[];
  /** Taken before the steps in their shortest form; dropped last. */
  readonly must: readonly Piece[];
  readonly steps: readonly Step[];
}

/**
 * The last request, open work and what the user demanded come first and always, and files are all named. Then requests, errors, commands and
 * answers get a modest share each, newest first, so that none starves another; what is left goes to their longer forms in the same spirit.
 */
export function spendingOf(parts: Parts): Spending {
  const requests = newest(parts.earlierRequests);
  const answers = newest(parts.answers);
  const commands = newest(parts.commands);
  const reports = newest(parts.reports);
  const notes = newest(parts.notes);
  const { files, summaries, state, rules, choices } = parts;
  const step = (pieces: readonly Piece[], upTo: number, share: number): Step => ({ pieces, upTo, share });
  return {
    core: [...parts.lastRequest, ...parts.openCalls.slice(-MAX_CORE), ...parts.openTodos.slice(0, MAX_CORE)],
    must: [...newest(rules.sure), ...newest(choices.spoken), ...summaries.slice(0, 1), ...parts.running],
    steps: [
      step(parts.lastRequest, 1, 0.75),
      step(files.changed, 0, 1),
      step(files.read, 0, 0.45),
      step(state, 0, 1),
      step(state, 1, 0.15),
      step(requests, REQUEST_FORMS.headline, 0.3),
      step(requests, REQUEST_FORMS.essentials, 0.15),
      step(summaries, 2, 0.3),
      step(answers, 0, 0.15),
      step(newest(parts.unfixed), 0, 0.06),
      step(commands, 0, 0.1),
      step(requests, REQUEST_FORMS.ends, 0.15),
      step(answers, 1, 0.15),
      step(parts.lastCalls, 0, 0.05),
      step(parts.openTodos, 0, 0.1),
      step(parts.openCalls, 0, 0.1),
      step(parts.doneTodos, 0, 0.05),
      step(files.read, 0, 1),
      step(requests, REQUEST_FORMS.ends, 0.3),
      step(answers, 2, 0.4),
      step(requests, REQUEST_FORMS.ends, 1),
      step(reports, 2, 0.15),
      step(summaries, 6, 0.3),
      step(newest(rules.pasted), 0, 0.1),
      step(answers, 4, 0.5),
      step(state, 2, 1),
      step(commands, 0, 0.1),
      step(answers, LONGEST, 1),
      step(newest(parts.fixed), 0, 0.1),
      step(summaries, LONGEST, 0.5),
      step(notes, 1, 0.2),
      step(reports, 5, 1),
      step(commands, 1, 1),
      step(parts.doneTodos, 0, 1),
      step(notes, 2, 1),
      step(newest(choices.silent), 0, 1),
      step(requests, REQUEST_FORMS.whole, 1),
    ],
  };
}

/** More open calls or to-do items than anybody can act on are no longer a must. */
const MAX_CORE = 40;
const LONGEST = 20;
