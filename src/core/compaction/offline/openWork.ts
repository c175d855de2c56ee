// Follows the to-do list of a session: whole lists (TodoWrite, update_plan) and single tasks (TaskCreate, TaskUpdate).
import { arrayOf, isRecord, stringOf, type JsonRecord } from '../../util/json';
import type { ToolCall } from './calls';
import type { TodoItem, TodoStatus } from './sessionFacts';

export interface TodoLedger {
  add(call: ToolCall): void;
  newest(): TodoItem[];
  /** Texts of items that were done in lists that have been replaced since. */
  doneEarlier(): string[];
}

/** Makes an empty ledger. */
export function createTodoLedger(): TodoLedger {
  let list: TodoItem[] = [];
  const tasks = new Map<string, TodoItem>();
  const done = new Set<string>();
  return {
    add: (call) => {
      if (call.outcome?.status === 'failed' || call.outcome?.status === 'refused') return;
      const items = listOf(call);
      if (items !== undefined) {
        list = items;
        for (const { text, status } of items) if (status === 'done') done.add(text);
      } else if (call.name === 'TaskCreate') addTask(call, tasks);
      else if (call.name === 'TaskUpdate') updateTask(call.args, tasks);
    },
    newest: () => [...list, ...tasks.values()],
    doneEarlier: () => {
      const shown = new Set(list.map(({ text }) => text));
      return [...done].filter((text) => !shown.has(text));
    },
  };
}

function listOf(call: ToolCall): TodoItem[] | undefined {
  const isTodo = call.name === 'TodoWrite' || call.name === 'todo_write' || call.name === 'write_todos';
  const items = isTodo ? arrayOf(call.args, 'todos') : call.name === 'update_plan' ? arrayOf(call.args, 'plan') : undefined;
  return items?.filter(isRecord).flatMap((item) => {
    const text = stringOf(item, 'content') ?? stringOf(item, 'step') ?? stringOf(item, 'description');
    return text === undefined || text.trim() === '' ? [] : [{ text: text.trim(), status: statusOf(stringOf(item, 'status')) }];
  });
}

/** The result names the number of a new task: `Task #3 created successfully: …`. */
function addTask(call: ToolCall, tasks: Map<string, TodoItem>): void {
  const text = stringOf(call.args, 'subject') ?? stringOf(call.args, 'description');
  const id = /#(\w+)/.exec(call.outcome?.output.slice(0, 60) ?? '')?.[1];
  if (text !== undefined && id !== undefined) tasks.set(id, { text: text.trim(), status: 'open' });
}

function updateTask(args: JsonRecord, tasks: Map<string, TodoItem>): void {
  const id = stringOf(args, 'taskId');
  const task = id === undefined ? undefined : tasks.get(id);
  const status = stringOf(args, 'status');
  if (id === undefined || task === undefined || status === undefined) return;
  if (status === 'deleted') tasks.delete(id);
  else tasks.set(id, { text: stringOf(args, 'subject') ?? task.text, status: statusOf(status) });
}

function statusOf(status: string | undefined): TodoStatus {
  if (status === 'completed' || status === 'done' || status === 'cancelled') return 'done';
  return status === 'in_progress' || status === 'active' ? 'active' : 'open';
}
