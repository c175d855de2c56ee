import { createReminder } from '../boundary/reminderMessage';
import { isText, type Message } from '../model/message';
import type { AttachmentSource } from '../ports/attachmentSource';
import { oneLine } from '../util/text';
import { answerText, hasSucceeded, isSet, observedCalls, textInput, type ObservedCall } from './observedCalls';

/** Work that goes on behind the conversation. Fields that nothing told are undefined. */
export interface BackgroundTask {
  readonly id: string;
  readonly kind: 'command' | 'agent';
  readonly status: string;
  readonly description: string | undefined;
  readonly command: string | undefined;
  readonly prompt: string | undefined;
  readonly error: string | undefined;
  readonly result: string | undefined;
}

/** Tasks as one reminder, a paragraph each; no message without tasks. Long fields are cut to 240 units (seed 2, background tasks). */
export function backgroundTaskAttachment(tasks: readonly BackgroundTask[]): readonly Message[] {
  return createReminder('background-tasks', 'background tasks', tasks.map(paragraph).join('\n'));
}

/**
 * Tasks that were started and are not known to have ended: what they were asked to do, with their last known status. A task ends by its own
 * notice, by being stopped, or when its output was read and says so (seed 2, BackgroundTaskProvider).
 */
export function runningTasks(messages: readonly Message[]): readonly BackgroundTask[] {
  const tasks = new Map<string, BackgroundTask>();
  const taskOfCall = new Map<string, string>();
  for (const call of observedCalls(messages)) {
    const started = startedTask(call);
    if (started !== undefined) {
      tasks.set(started.id, started);
      taskOfCall.set(call.id, started.id);
    } else if (hasSucceeded(call)) note(tasks, call);
  }
  for (const id of noticedCalls(messages)) tasks.delete(taskOfCall.get(id) ?? '');
  return [...tasks.values()];
}

export const backgroundTasks: AttachmentSource = {
  id: 'backgroundTasks',
  collect: ({ originalMessages }) => Promise.resolve(backgroundTaskAttachment(runningTasks(originalMessages))),
};

const MAX_FIELD_UNITS = 240;
const AGENT_CALLS = new Set(['Agent', 'Task']);
const STOP_CALLS = new Set(['KillShell', 'KillBash', 'TaskStop']);
const OUTPUT_CALLS = new Set(['BashOutput', 'TaskOutput', 'AgentOutputTool']);
const TASK_ID = /\b(?:agentId|ID): ([A-Za-z0-9_-]{1,64})/;
const STATUS = /<status>([a-z_]{1,30})<\/status>/;
const NOTICE = '<task-notification>';
const NOTICE_CALL = /<tool-use-id>([^<\s]{1,200})<\/tool-use-id>/;

function paragraph(task: BackgroundTask): string {
  const parts: readonly (readonly [string, string | undefined])[] = [
    ['what', task.description],
    ['command', task.command],
    ['prompt', task.prompt],
    ['error', task.error],
    ['result', task.result],
  ];
  const told = parts.flatMap(([name, text]) =>
    text === undefined || text.trim() === '' ? [] : [`\n  ${name}: ${oneLine(text, MAX_FIELD_UNITS)}`],
  );
  return `- ${task.kind} ${task.id}, ${task.status}${told.join('')}`;
}

/** A call whose answer says that the work goes on under an id. */
function startedTask(call: ObservedCall): BackgroundTask | undefined {
  if (!hasSucceeded(call)) return undefined;
  const isAgent = AGENT_CALLS.has(call.name);
  const answer = answerText(call);
  const isBackground = isSet(call, 'run_in_background') || (isAgent && answer.startsWith('Async agent launched'));
  const id = isBackground ? TASK_ID.exec(answer)?.[1] : undefined;
  if (id === undefined) return undefined;
  return {
    id,
    kind: isAgent ? 'agent' : 'command',
    status: 'running',
    description: textInput(call, 'description'),
    command: textInput(call, 'command'),
    prompt: textInput(call, 'prompt'),
    error: undefined,
    result: undefined,
  };
}

/** Takes in what another call says about a task. Only the head of an output is the program's; the rest is what the task printed. */
function note(tasks: Map<string, BackgroundTask>, call: ObservedCall): void {
  const id = textInput(call, 'task_id') ?? textInput(call, 'bash_id') ?? textInput(call, 'shell_id') ?? textInput(call, 'agentId') ?? '';
  if (!tasks.has(id)) return;
  if (STOP_CALLS.has(call.name)) tasks.delete(id);
  else if (OUTPUT_CALLS.has(call.name)) {
    const status = STATUS.exec(headOf(answerText(call)))?.[1];
    if (status !== undefined && status !== 'running') tasks.delete(id);
  }
}

function headOf(text: string): string {
  const output = text.search(/<(?:stdout|stderr|output)>/);
  return output < 0 ? text : text.slice(0, output);
}

/** Ids of the calls whose tasks sent their last notice. A notice is a text of its own in the user's name. */
function noticedCalls(messages: readonly Message[]): readonly string[] {
  return messages.flatMap((message) => {
    if (message.role !== 'user' || message.isSidechain === true) return [];
    return message.content.filter(isText).flatMap(({ text }) => {
      const status = text.startsWith(NOTICE) ? STATUS.exec(text)?.[1] : undefined;
      const id = NOTICE_CALL.exec(text)?.[1];
      return status === undefined || status === 'running' || id === undefined ? [] : [id];
    });
  });
}
