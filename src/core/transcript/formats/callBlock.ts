import type { ToolUseBlock } from '../../model/message';
import { isRecord } from '../../util/json';
import { toWellFormed } from '../../util/text';
import { nestsDeeperThan, parseJson } from '../jsonText';
import { DEFAULT_LINE_LIMITS } from '../lineReader';

/** A call whose arguments are a value, or text that holds one. */
export function callBlock(id: string, name: string, input: unknown): ToolUseBlock {
  const named = { type: 'toolUse', id, name: toWellFormed(name) } as const;
  if (typeof input !== 'string') return { ...named, input };
  const value = jsonIn(input);
  return { ...named, input: isRecord(value) ? value : input, rawInput: toWellFormed(input) };
}

/** Value of JSON text that stands inside a record; undefined when it is none or nests too deep. */
export function jsonIn(text: string): unknown {
  return nestsDeeperThan(text, DEFAULT_LINE_LIMITS.maxDepth) ? undefined : parseJson(text);
}
