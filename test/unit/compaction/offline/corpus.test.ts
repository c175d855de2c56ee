// Summarizes the real sessions beside the checkout and measures what survives, with a counter of its own. Nothing of them is kept.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { extractFacts } from '../../../../src/core/compaction/offline/facts';
import { readFileStatements } from '../../../../src/core/compaction/offline/fileStatements';
import { harmless } from '../../../../src/core/compaction/offline/markdown';
import { summarizeOffline } from '../../../../src/core/compaction/offline/offlineSummarizer';
import { roughTokens, zoneTokens } from '../../../../src/core/compaction/offline/zoneTokens';
import { toolResultText, type ContentBlock, type Message, type ToolUseBlock } from '../../../../src/core/model/message';
import { prepareSummaryInput } from '../../../../src/core/prepare/summaryInput';
import { readTranscript } from '../../../../src/core/transcript/readTranscript';
import { field, isRecord, stringOf } from '../../../../src/core/util/json';
import { filesBelow, NO_TRANSCRIPTS, TRANSCRIPTS } from '../../../support/folders';

const LEAST_TOKENS = 20_000;
const ZONE = 0.98;
const LEAST_RECALL = 0.95;

/** A counted pair: what happened to which path. */
type Pair = `${'created' | 'changed' | 'deleted' | 'read'} ${string}`;

describe(`offline summaries of real sessions${NO_TRANSCRIPTS}`, () => {
  const folders = TRANSCRIPTS === undefined ? [] : [join(TRANSCRIPTS, 'claude'), join(TRANSCRIPTS, 'codex')];
  const files = folders.flatMap((folder) => filesBelow(folder, '.jsonl'));
  for (const file of files) {
    const zone = zoneOf(file);
    if (zoneTokens(zone) <= LEAST_TOKENS) continue;
    it(basename(file), () => check(zone));
  }
});

function zoneOf(file: string): readonly Message[] {
  const { messages, context } = readTranscript(readFileSync(file));
  const active = context.flatMap((index) => messages[index] ?? []);
  return prepareSummaryInput(active.slice(0, Math.floor(active.length * ZONE)));
}

function check(zone: readonly Message[]): void {
  const tokens = zoneTokens(zone);
  const summary = summarizeOffline(zone);
  const size = roughTokens(summary);
  assert.ok(size <= Math.max(2000, tokens * 0.03), `${size} tokens for ${tokens}`);

  const last = extractFacts(zone).requests.findLast(({ isHandled }) => !isHandled);
  const lastText = harmless((last?.blocks ?? []).join('\n\n'));
  assert.ok(summary.includes(lastText.length > 2000 ? lastText.slice(0, 500) : lastText), 'the last request is not there word for word');

  const said = textOfAll(zone);
  const stated = readFileStatements(summary);
  const invented = stated.filter(({ path }) => !said.includes(path));
  assert.deepEqual(invented, []);

  const truth = countPairs(zone);
  const pairs = new Set<string>(stated.map(({ action, path }) => `${action} ${path}`));
  const found = [...truth].filter((pair) => pairs.has(pair) || pairs.has(withoutFolder(pair, zone)));
  const recall = truth.size === 0 ? 1 : found.length / truth.size;
  const wrong = stated.filter(({ action, path }) => !isTrue(action, path, zone));
  const precision = stated.length === 0 ? 1 : 1 - wrong.length / stated.length;
  console.log(
    `      ${tokens} → ${size} tokens, ${truth.size} pairs counted, recall ${recall.toFixed(3)}, ${stated.length} stated, precision ${precision.toFixed(3)}`,
  );
  assert.ok(recall >= LEAST_RECALL, `missing: ${[...truth].filter((pair) => !found.includes(pair)).join(', ')}`);
  assert.ok(precision >= LEAST_RECALL, `wrong: ${wrong.map(({ action, path }) => `${action} ${path}`).join(', ')}`);
}

/** Pairs that need no knowledge of a shell: the agents' file tools, patches, and commands that read a single file. */
function countPairs(zone: readonly Message[]): ReadonlySet<Pair> {
  const pairs = new Set<Pair>();
  for (const { use, output, failed } of callsOf(zone)) {
    if (output === undefined || failed) continue;
    const path = isRecord(use.input) ? (stringOf(use.input, 'file_path') ?? stringOf(use.input, 'notebook_path')) : undefined;
    if (use.name === 'Read' && path !== undefined) pairs.add(`read ${path}`);
    if (use.name === 'Write' && path !== undefined) pairs.add(output.startsWith('File created') ? `created ${path}` : `changed ${path}`);
    if (['Edit', 'MultiEdit', 'NotebookEdit'].includes(use.name) && path !== undefined) pairs.add(`changed ${path}`);
    if (use.name === 'apply_patch' && typeof use.input === 'string') {
      for (const [, verb, file] of use.input.matchAll(/^\*\*\* (Add|Update|Delete) File: (.+)$/gm)) {
        if (!use.input.includes('*** Move to: '))
          pairs.add(`${verb === 'Add' ? 'created' : verb === 'Update' ? 'changed' : 'deleted'} ${file ?? ''}`);
      }
    }
    const single = /^(?:cat|sed -n '[\d,$p]+') ([\w./-]+)$/.exec(commandOf(use))?.[1];
    if (single !== undefined && output.split('\n').length > 9) pairs.add(`read ${single}`);
  }
  return pairs;
}

/** A path below the folder that the commands name may be stated from there. */
function withoutFolder(pair: Pair, zone: readonly Message[]): string {
  const folder = extractFacts(zone).folder;
  return folder === undefined ? pair : pair.replace(`${folder}/`, '');
}

/** True when some call that did not fail can have done that to the path: judged by words alone, apart from the code under test. */
function isTrue(action: string, path: string, zone: readonly Message[]): boolean {
  return callsOf(zone).some(({ use, output, failed }) => {
    if (output === undefined || failed) return false;
    const args = typeof use.input === 'string' ? use.input : JSON.stringify(use.input);
    if (!isNamed(path, args)) return false;
    const command = commandOf(use);
    if (action === 'read') return /^(?:Read|view|read)/.test(use.name) || /\b(?:cat|sed|head|tail|nl|less|more|bat)\b/.test(command + args);
    if (action === 'deleted') return /\b(?:rm|mv|unlink)\b/.test(command) || /Delete File|Move to/.test(args);
    return (
      /^(?:Write|Edit|MultiEdit|NotebookEdit)$/.test(use.name) ||
      /Add File|Update File|Move to/.test(args) ||
      />|\btee\b|\bsed\b.* -|\btouch\b|\bcp\b|\bmv\b/.test(command)
    );
  });
}

/** Named as it is, or from a folder that the command changes into. */
function isNamed(path: string, args: string): boolean {
  if (args.includes(path) || args.includes(JSON.stringify(path).slice(1, -1))) return true;
  const cuts = [...path.matchAll(/\//g)].map(({ index }) => index);
  return cuts.some((cut) => cut > 0 && args.includes(`cd ${path.slice(0, cut)} `) && args.includes(path.slice(cut + 1)));
}

interface Done {
  readonly use: ToolUseBlock;
  readonly output: string | undefined;
  readonly failed: boolean;
}

const known = new WeakMap<readonly Message[], readonly Done[]>();

function callsOf(zone: readonly Message[]): readonly Done[] {
  const done = known.get(zone) ?? pairUp(zone.flatMap(({ content }) => content));
  known.set(zone, done);
  return done;
}

function pairUp(blocks: readonly ContentBlock[]): readonly Done[] {
  const results = blocks.flatMap((block) => (block.type === 'toolResult' ? [block] : []));
  return blocks.flatMap((use) => {
    if (use.type !== 'toolUse') return [];
    const result = results[results.findIndex(({ toolUseId }) => toolUseId === use.id)];
    if (result !== undefined) results.splice(results.indexOf(result), 1);
    const output = result === undefined ? undefined : toolResultText(result);
    const failed =
      result?.isError === true ||
      /^(?:<tool_use_error>|apply_patch verification failed)|exited with code [1-9]|^Exit code:? [1-9]/.test(output?.slice(0, 2000) ?? '');
    return [{ use, output, failed }];
  });
}

function commandOf({ input }: ToolUseBlock): string {
  if (!isRecord(input)) return '';
  const command = field(input, 'command') ?? field(input, 'cmd');
  return typeof command === 'string' ? command : Array.isArray(command) ? command.join(' ') : '';
}

/** All text of the zone, as it is and without the escapes of JSON. */
function textOfAll(zone: readonly Message[]): string {
  const parts = zone
    .flatMap(({ content }) => content)
    .map((block) => {
      if (block.type === 'text') return block.text;
      if (block.type === 'toolResult') return toolResultText(block);
      return block.type === 'toolUse' ? `${block.rawInput ?? ''}\n${JSON.stringify(block.input)}` : '';
    });
  const text = parts.join('\n');
  return `${text}\n${text.replace(/\\\\/g, '\\').replace(/\\n/g, '\n').replace(/\\"/g, '"')}`;
}
