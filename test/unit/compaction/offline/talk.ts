// Short ways to write a conversation with tool calls, in the shapes of Claude Code and Codex.
import type { ContentBlock, Message, MessageKind } from '../../../../src/core/model/message';

/** Some messages in a row. */
export type Part = readonly Message[];

let calls = 0;

function message(role: Message['role'], content: readonly ContentBlock[], kind: MessageKind = 'message'): Message {
  return { id: '', role, kind, content, line: 0 };
}

export function says(text: string): Part {
  return [message('assistant', [{ type: 'text', text }])];
}

export function asks(...texts: readonly string[]): Part {
  return [
    message(
      'user',
      texts.map((text) => ({ type: 'text', text })),
    ),
  ];
}

/** A text of another kind in the user's name: an attachment, program text, a summary. */
export function added(kind: MessageKind, text: string): Part {
  return [message('user', [{ type: 'text', text }], kind)];
}

/** A call with its result; without one when `output` is undefined. */
export function uses(name: string, input: unknown, output?: string, isError = false): Part {
  const id = `call-${calls++}`;
  const use = message('assistant', [{ type: 'toolUse', id, name, input }]);
  if (output === undefined) return [use];
  return [use, message('user', [{ type: 'toolResult', toolUseId: id, content: output, ...(isError ? { isError } : {}) }])];
}

/** Claude Code's shell tool. */
export function bash(command: string, output: string, isError = false): Part {
  return uses('Bash', { command }, output, isError);
}

/** Codex's shell tool, with the lines that it writes in front of the output. */
export function execs(command: string, output: string, exitCode = 0, workdir = '/repo'): Part {
  const text = `Chunk ID: 3f2a1b\nWall time: 1.5 seconds\nProcess exited with code ${exitCode}\nOriginal token count: 9\nOutput:\n${output}`;
  return uses('exec_command', { cmd: command, workdir }, text);
}

/** Codex's patch tool. */
export function patches(
  envelope: string,
  output = '{"output":"Success. Updated the following files:\\nM x\\n","metadata":{"exit_code":0,"duration_seconds":0.1}}',
): Part {
  return uses('apply_patch', envelope, output);
}

/** The parts as one conversation with ids of their own. */
export function talk(...parts: readonly Part[]): readonly Message[] {
  return parts.flat().map((one, index) => ({ ...one, id: `m${index}`, line: index + 1 }));
}
