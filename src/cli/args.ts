import { parseArgs, type ParseArgsConfig } from 'node:util';
import { usageError } from './io';

type Options = NonNullable<ParseArgsConfig['options']>;
export type Values = Readonly<Record<string, string | boolean | readonly string[] | undefined>>;

export interface Parsed {
  readonly values: Values;
  readonly positionals: readonly string[];
}

/** Reads options and positionals; unknown options and missing values are wrong usage. */
export function parse(args: readonly string[], options: Options): Parsed {
  try {
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true, strict: true });
    return { values: values as Values, positionals };
  } catch (error) {
    throw usageError(firstSentence(error));
  }
}

/** Exactly one positional: the transcript. */
export function onlyFile(command: string, positionals: readonly string[]): string {
  const [file, ...rest] = positionals;
  if (file === undefined || file === '') throw usageError(`${command} needs the path of a transcript.`);
  if (rest.length > 0) throw usageError(`${command} takes one transcript; “${rest[0] ?? ''}” is one too many.`);
  return file;
}

export function textOption(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}

/** All values of an option that may be said several times. */
export function listOption(values: Values, name: string): readonly string[] {
  const value = values[name];
  return typeof value === 'object' ? value : [];
}

export function flag(values: Values, name: string): boolean {
  return values[name] === true;
}

/** A whole number from `least` up. */
export function countOption(values: Values, name: string, least: number): number | undefined {
  const text = textOption(values, name);
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d{1,9}$/.test(text) || value < least) throw usageError(`--${name} takes a whole number of ${least} or more; “${text}” is none.`);
  return value;
}

/** One of a few words. */
export function choiceOption<T extends string>(values: Values, name: string, choices: readonly T[], fallback: T): T {
  const text = textOption(values, name);
  if (text === undefined) return fallback;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw usageError(`--${name} takes ${choices.join(' or ')}; “${text}” is neither.`);
  return found;
}

function firstSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const end = message.indexOf('. ');
  return end === -1 ? message : message.slice(0, end + 1);
}
