// What the tokenizers count: the messages of real sessions, each once.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { field, isRecord } from '../../src/core/util/json';
import { randomFrom, type Random } from '../support/nastyTexts';

export interface Texts {
  readonly texts: readonly string[];
  /** Where they are from, as a sentence. */
  readonly origin: string;
}

/** Texts of the sessions of Claude Code and Codex below the folder; generated ones where there is no such folder. */
export function textsOf(folder: string): Texts {
  const texts = existsSync(folder) ? [...new Set(['claude', 'codex'].flatMap((agent) => sessionTexts(join(folder, agent))))] : [];
  if (texts.length > 0) return { texts, origin: `${texts.length} messages and results of ${folder}, each counted once.` };
  return {
    texts: generatedTexts(),
    origin: `There are no sessions in ${folder}: the texts are generated, and no measure of real messages.`,
  };
}

function sessionTexts(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.jsonl'));
  return files.sort().flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n').flatMap(lineTexts));
}

function lineTexts(line: string): string[] {
  let record: unknown;
  try {
    record = JSON.parse(line);
  } catch {
    return [];
  }
  if (!isRecord(record)) return [];
  const message = field(record, 'message') ?? field(record, 'payload');
  if (!isRecord(message)) return [];
  return [field(message, 'content'), field(message, 'arguments'), field(message, 'output')].flatMap(contentTexts);
}

function contentTexts(content: unknown): string[] {
  if (typeof content === 'string') return content === '' ? [] : [content];
  if (Array.isArray(content)) return content.flatMap(contentTexts);
  if (!isRecord(content)) return [];
  const input = field(content, 'input');
  const parts = [
    field(content, 'text'),
    field(content, 'thinking'),
    isRecord(input) ? JSON.stringify(input) : input,
    field(content, 'content'),
  ];
  return parts.flatMap(contentTexts);
}

/** About 8 MB of prose, code, JSON, listings and ids over a vocabulary of 30,000 words, common and rare ones. */
function generatedTexts(): string[] {
  const random = randomFrom(42);
  const syllables = 'ba be ca co de di er es fi ge in ing ion ka le lo ma men ne or pa re sta te ter ti un ver wa xi'.split(' ');
  const pick = <T>(list: readonly T[], otherwise: T): T => list[random(list.length)] ?? otherwise;
  const words = Array.from({ length: 30_000 }, () => Array.from({ length: 1 + random(4) }, () => pick(syllables, '')).join(''));
  const word = (): string => words[Math.floor(random(173) ** 2 / (1 + random(20)))] ?? '';
  const title = (): string => word().replace(/^./, (first) => first.toUpperCase());
  const kinds: readonly ((random: Random) => string)[] = [
    () => `${title()} ${word()} ${word()}, ${word()} the ${word()} of ${word()}. `,
    () => `  const ${word()}${title()} = ${word()}.${word()}(${random(1000)}, '${word()}');\n`,
    () => `{"${word()}_${word()}":"${word()}","id":${random(1_000_000)},"${word()}":[${random(9)},${random(99)}]},`,
    () => `-rw-r--r-- 1 ${word()} ${word()} ${random(100_000)} src/${word()}/${word()}${title()}.ts\n`,
    () => `${random(2 ** 32).toString(16)}-${random(2 ** 16).toString(16)} ${random(2 ** 32).toString(36)}/${word()}#L${random(2000)}\n`,
    () =>
      `${word()} \u2014 \u201c${word()} \u00e9t\u00e9 ${word()}\u201d, \u4e2d\u6587${String.fromCharCode(0x4e00 + random(3000))}\u3002 `,
  ];
  return Array.from({ length: 3000 }, () => {
    const kind = pick(kinds, () => '');
    return Array.from({ length: 1 + random(100) }, () => kind(random)).join('');
  });
}
