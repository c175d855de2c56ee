// The figures of one compaction: what the new context still states of what it replaced.
import { toolResultText, type ContentBlock, type Message } from '../../../src/core/model/message';
import { artifactsOf, doneCalls, isRooted, type Artifact } from './artifacts';
import { inventedIn } from './invented';
import { statementsOf, type Statement } from './statements';
import { constraintsIn, keywordsOf, lastAnswers, ownTexts, PASTED, PASTED_END, survival, wordSet, type Keywords } from './words';

/** A part of a whole; the share of nothing is not known. */
export interface Share {
  readonly kept: number;
  readonly all: number;
}

export interface Figures {
  readonly recall: Share;
  /** `kept` of `all` statements are true. */
  readonly precision: Share;
  readonly requests: Share;
  readonly answers: Share;
  readonly verbatim: Share;
  readonly invented: readonly string[];
  /** What is missing or wrong, for people. */
  readonly misses: readonly string[];
}

/** Facts of a zone, counted once for all the texts that are held against it. */
export interface Zone {
  readonly messages: readonly Message[];
  readonly cwd: string | undefined;
  readonly artifacts: readonly Artifact[];
  readonly requests: Keywords;
  readonly answers: Keywords;
  readonly verbatim: readonly { readonly what: string; readonly text: string }[];
}

/** Counts the facts of the zone. `active` are all messages of the context: the last request and open calls are theirs. */
export function zoneOf(messages: readonly Message[], active: readonly Message[], cwd: string | undefined): Zone {
  return {
    messages,
    cwd,
    artifacts: artifactsOf(messages, cwd),
    requests: merged(messages.flatMap(ownTexts).map(keywordsOf)),
    answers: merged(lastAnswers(messages).map(keywordsOf)),
    verbatim: [...lastRequest(messages), ...openCalls(messages, active), ...constraints(messages)],
  };
}

/** Figures of a summary with the messages that are kept beside it. */
export function summaryFigures(zone: Zone, summary: string, carried: string, kept: readonly Message[]): Figures {
  const text = `${carried}\n${textOfAll(kept)}`;
  const statements = statementsOf(summary);
  const told = [...statements, ...certain(artifactsOf(kept, zone.cwd))];
  const base = /^- Usual folder: (.*)$/m.exec(summary)?.[1] ?? zone.cwd;
  const { recall, precision, misses } = artifactFigures(zone, statements, told, base);
  const quoted = verbatimFigures(zone, text);
  return {
    recall,
    precision,
    ...wordFigures(zone, text),
    verbatim: quoted.share,
    invented: inventedIn(summary, zone.messages),
    misses: [...misses, ...quoted.misses],
  };
}

/** Figures of a context that is nothing but messages and pieces of messages. */
export function truncationFigures(zone: Zone, messages: readonly Message[]): Figures {
  const told = certain(artifactsOf(messages, zone.cwd));
  const text = textOfAll(messages);
  const { recall } = artifactFigures(zone, [], told, zone.cwd);
  return {
    recall,
    precision: { kept: 0, all: 0 },
    ...wordFigures(zone, text),
    verbatim: verbatimFigures(zone, text).share,
    invented: [],
    misses: [],
  };
}

function certain(artifacts: readonly Artifact[]): readonly Pair[] {
  return artifacts.filter(({ isDoubtful }) => !isDoubtful);
}

interface Pair {
  readonly kind: Artifact['kind'];
  readonly path: string;
  readonly base: string | undefined;
}

function artifactFigures(zone: Zone, statements: readonly Statement[], told: readonly Pair[], usual: string | undefined) {
  const all = distinct(certain(zone.artifacts));
  const truthIndex = indexOf(all);
  // What was written first and changed later is told by the change; whether it was created nobody can say.
  const fates = new Set(all.filter(({ kind }) => kind === 'created' || kind === 'changed').map((pair) => normal(fullPath(pair))));
  const truth = all.filter((pair) => pair.kind !== 'written' || !fates.has(normal(fullPath(pair))));
  const toldIndex = indexOf(told.map((one) => ({ ...one, base: one.base ?? usual })));
  const missing = truth.filter((pair) => !holds(toldIndex, pair));
  const own = distinct(statements.map((one) => ({ ...one, base: one.base ?? usual })));
  const wrong = own.filter((pair) => !holds(truthIndex, pair));
  return {
    recall: { kept: truth.length - missing.length, all: truth.length },
    precision: { kept: own.length - wrong.length, all: own.length },
    misses: [...missing.map((pair) => `not stated: ${show(pair)}`), ...wrong.map((pair) => `not true: ${show(pair)}`)],
  };
}

function show({ kind, path, base }: Pair): string {
  return `${kind} ${path}${base === undefined || isRooted(path) ? '' : ` (in ${base})`}`;
}

function fullPath({ path, base }: Pair): string {
  if (isRooted(path) || base === undefined || !isRooted(base)) return path;
  return `${base.replace(/\/$/, '')}/${path}`;
}

/** Each path once for each kind. */
function distinct(pairs: readonly Pair[]): readonly Pair[] {
  const seen = new Map<string, Pair>();
  for (const pair of pairs) {
    const key = `${pair.kind} ${normal(fullPath(pair))}`;
    if (!seen.has(key)) seen.set(key, pair);
  }
  return [...seen.values()];
}

function normal(path: string): string {
  const parts: string[] = [];
  for (const part of path.replace(/\/$/, '').split('/')) {
    if (part === '..' && parts.length > 1 && parts.at(-1) !== '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}

type Index = ReadonlyMap<string, readonly Pair[]>;

function indexOf(pairs: readonly Pair[]): Index {
  const index = new Map<string, Pair[]>();
  for (const pair of pairs) {
    const name = lastName(pair.path);
    const list = index.get(name) ?? [];
    list.push(pair);
    index.set(name, list);
  }
  return index;
}

function lastName(path: string): string {
  return normal(path).replace(/^.*[/\\]/, '');
}

/** Two spellings are one path when they are equal in full, or when the shorter one is relative and ends the longer one. */
function holds(index: Index, pair: Pair): boolean {
  return (index.get(lastName(pair.path)) ?? []).some((other) => sameKind(pair.kind, other.kind) && samePath(pair, other));
}

function sameKind(a: Pair['kind'], b: Pair['kind']): boolean {
  if (a === b) return true;
  const isWrite = (kind: Pair['kind']): boolean => kind === 'created' || kind === 'changed';
  return (a === 'written' && isWrite(b)) || (b === 'written' && isWrite(a));
}

function samePath(a: Pair, b: Pair): boolean {
  const [x, y] = [normal(fullPath(a)), normal(fullPath(b))];
  if (x === y) return true;
  return (!isRooted(a.path) && `/${y}`.endsWith(`/${normal(a.path)}`)) || (!isRooted(b.path) && `/${x}`.endsWith(`/${normal(b.path)}`));
}

function wordFigures(zone: Zone, text: string): { readonly requests: Share; readonly answers: Share } {
  const known = wordSet(text);
  return { requests: survival(zone.requests, text, known), answers: survival(zone.answers, text, known) };
}

function verbatimFigures(zone: Zone, text: string): { readonly share: Share; readonly misses: readonly string[] } {
  // A line end is a line end, whichever system wrote it.
  const plain = text.replaceAll('\r\n', '\n');
  const misses = zone.verbatim.filter((one) => !plain.includes(one.text.replaceAll('\r\n', '\n')));
  return {
    share: { kept: zone.verbatim.length - misses.length, all: zone.verbatim.length },
    misses: misses.map(({ what, text: wanted }) => `not word for word: ${what}: ${wanted.slice(0, 160).replace(/\n/g, '⏎')}`),
  };
}

function lastRequest(messages: readonly Message[]): Zone['verbatim'] {
  const last = messages.findLast((message) => ownTexts(message).some((text) => !/^\/\w+$/.test(text)));
  if (last === undefined) return [];
  return ownTexts(last).map((text) => ({ what: 'last request', text: text.length <= LONGEST_REQUEST ? text : text.slice(0, PASTED_END) }));
}

function openCalls(messages: readonly Message[], active: readonly Message[]): Zone['verbatim'] {
  const answered = new Set(
    active.flatMap(({ content }) => content.flatMap((block) => (block.type === 'toolResult' ? [block.toolUseId] : []))),
  );
  return doneCalls(messages)
    .filter(({ use }) => use.server !== true && !answered.has(use.id))
    .flatMap(({ use }) => [use.name, ...tellingArguments(use.input)].map((text) => ({ what: 'open call', text })));
}

/** Short arguments of a call: what it was about. Long ones are contents. */
function tellingArguments(input: unknown): readonly string[] {
  if (typeof input !== 'object' || input === null) return [];
  return Object.entries(input).flatMap(([key, value]) =>
    typeof value === 'string' && /command|cmd|path|pattern|query|url/.test(key) && value.length <= 400 && !value.includes('\n')
      ? [value]
      : [],
  );
}

function constraints(messages: readonly Message[]): Zone['verbatim'] {
  const found = new Set<string>();
  for (const text of messages.flatMap(ownTexts)) {
    if (text.length <= PASTED) for (const sentence of constraintsIn(text)) found.add(sentence);
    else {
      // At the cuts of a pasted block sentences are torn.
      for (const sentence of constraintsIn(text.slice(0, PASTED_END)).slice(0, -1)) found.add(sentence);
      for (const sentence of constraintsIn(text.slice(-PASTED_END)).slice(1)) found.add(sentence);
    }
  }
  return [...found].map((text) => ({ what: 'constraint', text }));
}

/** All text of some messages. */
export function textOfAll(messages: readonly Message[]): string {
  const parts: string[] = [];
  const add = (block: ContentBlock): void => {
    if (block.type === 'text') parts.push(block.text);
    else if (block.type === 'toolResult') parts.push(toolResultText(block));
    else if (block.type === 'toolUse') parts.push(block.name, ...stringsIn(block.input));
  };
  for (const { content } of messages) for (const block of content) add(block);
  return parts.join('\n');
}

function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function merged(all: readonly Keywords[]): Keywords {
  return {
    words: new Set(all.flatMap(({ words }) => [...words])),
    identifiers: new Set(all.flatMap(({ identifiers }) => [...identifiers])),
  };
}

/** A longer request fills the summary alone; then its beginning must stand there. */
const LONGEST_REQUEST = 2 * PASTED;
export { PASTED };
