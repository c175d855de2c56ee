import { basename, resolve } from 'node:path';
import { DEFAULT_KEEP_RESULTS, type MicroRequest } from '../../core/compaction/microPlan';
import type { LostItem } from '../../core/compaction/lost';
import type { PlanRequest } from '../../core/compaction/plan';
import { CompactError } from '../../core/errors/compactError';
import { withConsent } from '../../core/privacy/consent';
import { oneLine } from '../../core/util/text';
import type { CompactReport } from '../../node/engine/compactReport';
import { OpenSession } from '../../node/engine/openSession';
import { createSummarizer, sendHost, writtenBy, type OwnSpec } from '../../node/engine/summarizers';
import { choiceOption, countOption, flag, listOption, onlyFile, parse, textOption, type Values } from '../args';
import { costLine } from '../costLine';
import { shortTokens } from '../format';
import { CliError, EXIT, printJson, usageError, type CliIo, type ExitCode } from '../io';

const DEFAULT_KEEP = 10;
const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const TIMEOUT_MS = 120_000;

/** `compact FILE (--full [--keep N] | --up-to ID | --from ID | --micro [--keep N]) [--pin ID]… [--summarizer offline|openai] [--detail brief|normal|full] [--out FILE] [--dry-run | --as-prompt] [--json]` */
export async function compact(args: readonly string[], io: CliIo): Promise<ExitCode> {
  const { values, positionals } = parse(args, {
    full: { type: 'boolean' },
    'up-to': { type: 'string' },
    from: { type: 'string' },
    micro: { type: 'boolean' },
    keep: { type: 'string' },
    pin: { type: 'string', multiple: true },
    'of-summary': { type: 'boolean' },
    summarizer: { type: 'string' },
    'base-url': { type: 'string' },
    model: { type: 'string' },
    'allow-send': { type: 'string' },
    instructions: { type: 'string' },
    detail: { type: 'string' },
    out: { type: 'string' },
    'as-prompt': { type: 'boolean' },
    'dry-run': { type: 'boolean' },
    json: { type: 'boolean' },
  });
  const file = onlyFile('compact', positionals);
  const request = planRequest(values);
  const spec = summarizerSpec(values, io);
  const dryRun = flag(values, 'dry-run');
  if (!dryRun) requireConsent(values, spec);
  const out = textOption(values, 'out');
  const form = { detail: choiceOption(values, 'detail', ['brief', 'normal', 'full'], 'normal') };
  const asPrompt = flag(values, 'as-prompt');
  if (asPrompt && (dryRun || out !== undefined))
    throw usageError('--as-prompt prints a text and writes nothing; leave out --dry-run and --out.');

  const session = await OpenSession.open(file, { options: {}, watch: false, pollMs: 0 }, io.signal);
  try {
    await session.plans.findOriginals(!flag(values, 'of-summary'));
    const purpose = asPrompt ? 'prompt' : 'copy';
    const plan = request.kind === 'micro' ? session.plans.planMicro(request, purpose) : session.plans.plan(request, purpose);
    if (plan.outcome === 'refusal') throw new CompactError(plan.code, plan.detail ?? '');
    const summarizer = withConsent(createSummarizer(spec), (host) => host === textOption(values, 'allow-send'));
    const onProgress = (stage: string): void => {
      if (io.isTerminal) io.err(`${stage}…\n`);
    };
    const wishes = { instructions: textOption(values, 'instructions') ?? '', form, onProgress };
    if (asPrompt) {
      const { prompt, report } = await session.plans.prompt(plan, summarizer, wishes, io.signal);
      if (flag(values, 'json')) printJson(io, { ...report, prompt });
      else io.out(prompt);
      return EXIT.done;
    }
    const done = dryRun
      ? session.plans.dryRun(plan, form)
      : await session.plans.run(
          plan,
          summarizer,
          { ...wishes, writtenBy: writtenBy(spec), ...(out === undefined ? {} : { target: resolve(io.cwd, out) }) },
          io.signal,
        );
    if (flag(values, 'json')) printJson(io, done.report);
    else io.out(humanResult(done.report, dryRun));
    return EXIT.done;
  } finally {
    session.dispose();
  }
}

type Request = PlanRequest | (MicroRequest & { readonly kind: 'micro' });

function planRequest(values: Values): Request {
  const upTo = textOption(values, 'up-to');
  const from = textOption(values, 'from');
  const chosen = [flag(values, 'full'), flag(values, 'micro'), upTo !== undefined, from !== undefined].filter(Boolean).length;
  if (chosen !== 1) throw usageError('compact needs exactly one of --full, --up-to ID, --from ID and --micro.');
  const keep = countOption(values, 'keep', 1);
  const pinned = listOption(values, 'pin');
  if (flag(values, 'micro')) return { kind: 'micro', keepResults: keep ?? DEFAULT_KEEP_RESULTS, pinned };
  if (flag(values, 'full')) return { kind: 'full', keepMessages: keep ?? DEFAULT_KEEP, pinned };
  if (keep !== undefined) throw usageError('--keep goes with --full or --micro.');
  if (upTo !== undefined) return { kind: 'partialUpTo', pivotId: upTo, pinned };
  return { kind: 'partialFrom', pivotId: from ?? '', pinned };
}

function summarizerSpec(values: Values, io: CliIo): OwnSpec {
  const kind = choiceOption(values, 'summarizer', ['offline', 'openai'], 'offline');
  if (kind === 'offline') {
    for (const name of ['base-url', 'model', 'allow-send']) {
      if (textOption(values, name) !== undefined) throw usageError(`--${name} goes with --summarizer openai.`);
    }
    return { kind };
  }
  const model = textOption(values, 'model');
  if (model === undefined) throw usageError('--summarizer openai needs --model ID.');
  const baseUrl = textOption(values, 'base-url') ?? DEFAULT_BASE_URL;
  return { kind, baseUrl, model, apiKey: io.env['OPENAI_API_KEY'], headers: {}, timeoutMs: TIMEOUT_MS };
}

/** Nothing is sent before the user has named the host that it goes to (R58). */
function requireConsent(values: Values, spec: OwnSpec): void {
  const host = sendHost(spec);
  if (host === undefined) return;
  const allowed = textOption(values, 'allow-send');
  if (allowed === host) return;
  throw new CliError(
    EXIT.refused,
    'consentRequired',
    allowed === undefined
      ? `The transcript would be sent to ${host}. Nothing was sent; say --allow-send ${host} to allow it.`
      : `--allow-send names ${allowed}, but the transcript would go to ${host}. Nothing was sent.`,
  );
}

function humanResult({ tokensBefore, tokensAfter, written, resume, lost, notes, cost }: CompactReport, dryRun: boolean): string {
  const saved = tokensBefore - tokensAfter;
  const lines = [`~${shortTokens(tokensBefore)} → ~${shortTokens(tokensAfter)} tokens (−${shortTokens(saved)})`];
  lines.push(costLine(cost), ...notes.map(({ message }) => message));
  if (lost !== null) lines.push(...lostLines(lost));
  if (written !== null) lines.push(`Compacted copy: ${written}`, `${basename(written)} is new; the original transcript was not changed.`);
  if (resume !== null) lines.push(`Continue with: ${resume}`);
  if (dryRun) lines.push('Dry run: nothing was written and no model was called.');
  return `${lines.join('\n')}\n`;
}

/** The most important things that are in the copy no more, with the message of each. */
function lostLines(lost: readonly LostItem[]): readonly string[] {
  if (lost.length === 0) return ['Nothing was found that the copy does not state any more.'];
  const shown = lost
    .slice(0, SHOWN_LOST)
    .map(({ kind, value, messageId }) => `  ${kind.padEnd(10)} ${oneLine(value, 100)}  (${oneLine(messageId, 40)})`);
  const more = lost.length - shown.length;
  return [
    `${lost.length} ${lost.length === 1 ? 'thing is' : 'things are'} in the original and not in the copy:`,
    ...shown,
    ...(more > 0 ? [`  … and ${more} more; --json lists all of them.`] : []),
  ];
}

const SHOWN_LOST = 20;
