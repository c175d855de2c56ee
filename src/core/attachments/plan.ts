import { createReminder } from '../boundary/reminderMessage';
import type { Message } from '../model/message';
import type { AttachmentSource } from '../ports/attachmentSource';
import { cutToBytes, utf8Length } from '../util/text';
import { hasSucceeded, isSet, observedCalls, textInput, type ObservedCall } from './observedCalls';

/** The plan that the agent works by, as far as the conversation tells. */
export interface PlanState {
  /** The agent may plan and not act now. */
  readonly isActive: boolean;
  readonly path: string | undefined;
  /** Undefined when it is not known word for word. */
  readonly text: string | undefined;
}

export const MAX_PLAN_BYTES = 64 * 1024;

/** The plan and, while it is on, plan mode as reminders. A plan above 64 KiB is cut, and the reminder says so (seed 2, plan file and plan mode). */
export function planAttachment({ isActive, path, text }: PlanState): readonly Message[] {
  return [...createReminder('plan', 'plan', planText(path, text)), ...createReminder('plan-mode', 'plan mode', isActive ? PLAN_MODE : '')];
}

/**
 * Finds the plan in what was written to a plan file and handed in with the end of planning; plan mode in its begin and end (seed 2, plan file
 * and plan mode).
 */
export function planState(messages: readonly Message[]): PlanState {
  let state: PlanState = { isActive: false, path: undefined, text: undefined };
  for (const call of observedCalls(messages)) if (hasSucceeded(call)) state = afterCall(state, call);
  return state;
}

export const plan: AttachmentSource = {
  id: 'plan',
  collect: ({ originalMessages }) => Promise.resolve(planAttachment(planState(originalMessages))),
};

const PLAN_MODE = 'Plan mode is on: work on the plan, change nothing else, and hand the plan in for approval before you act.';

function planText(path: string | undefined, text: string | undefined): string {
  if (text === undefined || text.trim() === '') return path === undefined ? '' : `The plan is in ${path}. Read it before you go on.`;
  const place = path === undefined ? 'The plan that you work by' : `The plan that you work by, in ${path}`;
  const shown = cutToBytes(text, MAX_PLAN_BYTES);
  const note = shown.length < text.length ? `\n\n(The first ${MAX_PLAN_BYTES} of ${utf8Length(text)} bytes.)` : '';
  return `${place}:\n\n${shown}${note}`;
}

function afterCall(state: PlanState, call: ObservedCall): PlanState {
  switch (call.name) {
    case 'EnterPlanMode':
      return { ...state, isActive: true };
    case 'ExitPlanMode':
    case 'exit_plan_mode':
      return { ...state, isActive: false, text: textInput(call, 'plan') ?? state.text };
    case 'Write': {
      const path = textInput(call, 'file_path');
      return path === undefined || !isPlanFile(path) ? state : { ...state, path, text: textInput(call, 'content') };
    }
    case 'Edit': {
      const path = textInput(call, 'file_path');
      return path === undefined || !isPlanFile(path)
        ? state
        : { ...state, path, text: edited(path === state.path ? state.text : undefined, call) };
    }
    default:
      return state;
  }
}

/** `plans/NAME.md` in the agent's own folder, with either separator. */
function isPlanFile(path: string): boolean {
  const [name = '', folder, parent] = path.split(/[\\/]/).reverse();
  return name.endsWith('.md') && folder === 'plans' && parent === '.claude';
}

/** Undefined when the edit does not fit what is known: the file was changed by somebody else too. */
function edited(text: string | undefined, call: ObservedCall): string | undefined {
  const from = textInput(call, 'old_string');
  const to = textInput(call, 'new_string');
  if (text === undefined || from === undefined || from === '' || to === undefined || !text.includes(from)) return undefined;
  const pieces = text.split(from);
  return isSet(call, 'replace_all') ? pieces.join(to) : `${pieces[0] ?? ''}${to}${pieces.slice(1).join(from)}`;
}
