// npm run resume -- AGENT… [--keep]: the real programs go on from our copies, offline, and the first request of each is looked at. Needs Linux,
// the right to make network namespaces, and ../shared; npm fetches the programs the first time. See docs/resume.md.
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyFileName, copySessionId } from '../../src/core/session/copy/copyName';
import { AGENTS, preparePlace, type Place, type RealAgent } from './resume/agents';
import { copiesOf, type AgentCopy, type Expected } from './resume/copies';
import { replyTo, sentIn, type Sent } from './resume/request';
import { install, installNode, runOffline, type RunResult } from './resume/rig';

const PROMPT = 'AFTER the compaction, check once more';
/** What the stand-in server answers to an agent that compacts by itself. */
const OWN_SUMMARY = 'OWN-SUMMARY-MARK';

/** Where the sessions of the shared folder were made. */
const RECORDED_IN = /\/home\/dev\/agents\/proj\/[\w-]+/g;

const { values, positionals } = parseArgs({ options: { keep: { type: 'boolean' } }, allowPositionals: true });
const unknown = positionals.filter((name) => !Object.hasOwn(AGENTS, name));
const shared = join(process.cwd(), '..', 'shared');
if (positionals.length === 0 || unknown.length > 0) {
  console.error(`Usage: npm run resume -- AGENT… [--keep], of ${Object.keys(AGENTS).join(', ')}`);
  process.exit(2);
}
if (!existsSync(join(shared, 'agent-rig'))) {
  console.error('The folder ../shared with the sessions and the stand-in server is not here, so nothing was tried.');
  process.exit(1);
}
let [passed, failed] = [0, 0];
for (const name of positionals) {
  const agent = AGENTS[name];
  if (agent !== undefined) await tryAgent(name, agent);
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function tryAgent(name: string, agent: RealAgent): Promise<void> {
  const node = installNode();
  const program = install(agent.format, agent.packages);
  const root = mkdtempSync(join(tmpdir(), 'resume-'));
  const place: Place = { program, home: join(root, 'home'), project: join(root, 'project') };
  preparePlace(agent, place);
  const run = (command: readonly string[], log: string): Promise<RunResult> =>
    runOffline({
      command,
      cwd: place.project,
      home: place.home,
      env: agent.env(place),
      node,
      rig: join(shared, 'agent-rig'),
      rules: join(shared, 'agent-rig', agent.rules),
      log: join(root, 'log', log),
    });
  console.log(`${agent.packages.join(' ')}, from ${agent.source}${agent.convert === undefined ? '' : ' as a document'}`);
  if (agent.before !== undefined) await run(agent.before(place), 'before');
  const folder = agent.folder(place);
  mkdirSync(folder, { recursive: true });
  for (const [turn, command] of (agent.record?.(place) ?? []).entries()) await run(command, `record${turn}`);
  const own = agent.record === undefined ? undefined : newestIn(place.home);
  const recorded = readFileSync(own ?? join(shared, 'agents', agent.source), 'utf8');
  const [session, ending] = agent.convert === undefined ? [recorded, ''] : [agent.convert(recorded), '.json'];
  // An agent that finds itself in another folder tells the model so.
  const text = agent.enlarge.reduce((all, [from, to]) => all.replace(from, to), session.replaceAll(RECORDED_IN, place.project));
  const now = new Date(Date.now() - 60_000).toISOString();
  const { format } = agent;
  const ids = Array.from({ length: 4 }, () => copySessionId(format, randomUUID()));
  for (const [at, copy] of copiesOf(new TextEncoder().encode(text), (index) => ids[index] ?? '', now, randomUUID).entries()) {
    const sessionId = ids[at] ?? '';
    const path = join(folder, copyFileName(format, `${basename(agent.source)}${ending}`, sessionId, now));
    writeFileSync(path, copy.records.map((record) => `${record}\n`).join(''));
    if (agent.bring !== undefined) {
      const brought = await run(agent.bring(place, { sessionId, path }), `${copy.variant}-bring`);
      if (brought.status !== 0) console.log(`  ${copy.variant}: not brought in: ${brought.output.slice(-300)}`);
    }
    report(copy, await run(agent.resume(place, { sessionId, path }, PROMPT), copy.variant));
    // The next copy gets another name, which holds the time for some agents.
    if (format === 'gemini') rmSync(path);
  }
  if (values.keep === true) console.log(`  kept: ${root}`);
  else rmSync(root, { recursive: true, force: true });
}

/** The session that the agent has just made. */
function newestIn(home: string): string {
  const found = readdirSync(home, { recursive: true, encoding: 'utf8' }).find((name) => /rollout-.*\.jsonl$/.test(name));
  if (found === undefined) throw new Error('the agent made no session');
  return join(home, found);
}

function report(copy: AgentCopy, { status, output, requests }: RunResult): void {
  const at = requests.findIndex((request) => sentIn(request).some((item) => item.kind === 'text' && item.text.includes(PROMPT)));
  const sent = sentIn(requests[at]);
  const faults = [...copy.faults, ...(at === -1 ? ['no request with the new prompt'] : faultsOf(sent, copy.expected))];
  if (requests.some((request) => replyTo(request).includes(OWN_SUMMARY))) faults.push('the agent compacted the copy by itself');
  if (status !== 0) faults.push(`the program ended with ${status}: ${output.slice(-300).replaceAll('\n', ' ')}`);
  if (faults.length === 0) passed++;
  else failed++;
  console.log(`  ${copy.variant.padEnd(6)} ${faults.length === 0 ? 'ok  ' : 'FAIL'} ${requests.length} requests; first: ${sketch(sent)}`);
  for (const fault of faults) console.log(`         ${fault}`);
}

/** What is wrong with a request: order, something missing, twice or left over, and calls without their result. */
function faultsOf(sent: readonly Sent[], { order, gone }: Expected): readonly string[] {
  const faults: string[] = [];
  for (const kind of ['text', 'call', 'result'] as const) {
    const wanted = order.filter((line) => line.startsWith(`${kind} `)).map((line) => line.slice(kind.length + 1));
    const found = kind === 'text' ? textsOf(sent, wanted) : sent.flatMap((item) => (item.kind === kind ? [named(item, wanted)] : []));
    if (JSON.stringify(found) !== JSON.stringify(wanted)) faults.push(`${kind}s: ${shorts(found)} in place of ${shorts(wanted)}`);
  }
  const whole = sent.map((item) => ('text' in item ? item.text : '')).join('\n');
  faults.push(...gone.filter((text) => whole.includes(text)).map((text) => `still there: ${text.slice(0, 60)}`));
  const calls = sent.flatMap((item) => (item.kind === 'call' ? [item.id] : []));
  const results = sent.flatMap((item) => (item.kind === 'result' ? [item.id] : []));
  if (JSON.stringify(calls.toSorted()) !== JSON.stringify(results.toSorted())) faults.push('calls and results do not belong together');
  for (const mark of ['<environment_context>', '<session_context>', '<permissions instructions>']) {
    if (whole.split(mark).length > 2) faults.push(`${mark} twice`);
  }
  return faults;
}

/** The wanted texts in the order in which they stand in the request, each as often as it stands there. */
function textsOf(sent: readonly Sent[], wanted: readonly string[]): readonly string[] {
  return sent.flatMap((item) => {
    if (item.kind !== 'text') return [];
    return [...new Set(wanted)]
      .flatMap((text) =>
        item.text
          .split(text)
          .slice(1)
          .map((_, nth) => ({ text, at: nthIndex(item.text, text, nth) })),
      )
      .toSorted((a, b) => a.at - b.at)
      .map(({ text }) => text);
  });
}

function nthIndex(text: string, part: string, nth: number): number {
  let at = text.indexOf(part);
  for (let left = nth; left > 0; left--) at = text.indexOf(part, at + 1);
  return at;
}

/** A call by its name; a result by the wanted text that it holds, since agents may add to it. */
function named(item: Exclude<Sent, { kind: 'text' }>, wanted: readonly string[]): string {
  return item.kind === 'call'
    ? item.name
    : (wanted.find((text) => item.text.trim() === text) ?? wanted.find((text) => item.text.includes(text)) ?? item.text);
}

function shorts(texts: readonly string[]): string {
  return `[${texts.map((text) => text.replaceAll('\n', ' ').slice(0, 24)).join(' | ')}]`;
}

/** The request in a few words: marks of texts, C for calls and R for results. */
function sketch(sent: readonly Sent[]): string {
  return sent
    .flatMap((item) => {
      if (item.kind !== 'text') return [item.kind === 'call' ? 'C' : 'R'];
      return item.text.match(/EXTERNAL-SUMMARY|OWN-SUMMARY|TURN-\d|REPLY-\w+|AFTER/g) ?? [];
    })
    .join(' ');
}
