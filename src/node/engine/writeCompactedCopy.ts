import { createHash, randomUUID } from 'node:crypto';
import { dirname, basename } from 'node:path';
import { summaryUsd } from '../../core/compaction/cost';
import type { SummaryCall } from '../../core/compaction/costSummary';
import { withClearedResults } from '../../core/compaction/clearCandidates';
import { continuationPrompt } from '../../core/compaction/continuationPrompt';
import type { MicroPlan } from '../../core/compaction/microPlan';
import type { CompactionPlan } from '../../core/compaction/plan';
import type { PlanInput } from '../../core/compaction/planInput';
import type { Quote } from '../../core/compaction/quotes';
import { runPlan } from '../../core/compaction/runPlan';
import { CompactError } from '../../core/errors/compactError';
import type { Message } from '../../core/model/message';
import type { Summarizer, SummaryForm, SummaryNote } from '../../core/ports/summarizer';
import type { FileSystem } from '../../core/ports/fileSystem';
import type { ProgressStage } from '../../core/protocol/planView';
import { checkCopy } from '../../core/session/checkCopy';
import { buildCopy, canWriteCopy } from '../../core/session/copy/copyWriter';
import { copyFileName, copySessionId, resumeCommand } from '../../core/session/copy/copyName';
import type { HistoryRecord } from '../../core/session/historyRecord';
import type { Inspection } from '../../core/session/inspection';
import { writeSession } from '../../core/session/sessionWriter';
import { withSourceClaim } from '../../core/session/sourceClaim';
import type { WireBoundary } from '../../core/view/inspectReport';
import { wireBoundary } from '../../core/view/inspectReportOf';
import { createNodeFileSystem } from '../fs/nodeFileSystem';
import type { TranscriptFile } from '../sources/transcriptFiles';
import { copySource } from './copySource';
import { pathFrom, withHistory } from './historyFiles';
import { historyRecordOf } from './historyNote';
import { summaryCallOf } from './summaryCall';

export interface CopyOptions {
  readonly instructions: string;
  /** How long the summary may be. */
  readonly form?: SummaryForm;
  /** What is quoted at its end after all. */
  readonly quotes?: readonly Quote[];
  /** Absolute path of the new file; absent: beside the original, named by the agent's rule. */
  readonly target?: string;
  readonly onProgress: (stage: ProgressStage, received?: number | null) => void;
  /** The user's table of prices, for what the summary cost. */
  readonly priceOverrides?: Readonly<Record<string, unknown>> | undefined;
  /** Who summarizes, for the history; absent: nobody but this program. */
  readonly writtenBy?: Pick<HistoryRecord, 'summarizer' | 'model'>;
  /** For tests. */
  readonly fs?: FileSystem;
}

export interface CopyJob {
  readonly file: TranscriptFile;
  readonly inspection: Inspection;
  readonly input: PlanInput;
  readonly plan: CompactionPlan | MicroPlan;
  /** Not asked where nothing is summarized. */
  readonly summarizer: Summarizer;
  readonly options: CopyOptions;
}

export interface WrittenCopy {
  readonly path: string;
  readonly fileName: string;
  readonly sessionId: string;
  readonly summary: string;
  readonly notes: readonly SummaryNote[];
  readonly tokensAfter: number;
  readonly call: SummaryCall | undefined;
  readonly boundary: WireBoundary | null;
  readonly resume: string | null;
}

/**
 * Runs a plan and writes its copy: claim the source, read it, summarize, build the records, read them back and compare, note it in the history,
 * write. The source must be what it was when the plan was made and stay so to the end; else CompactError `staleSource`. Whatever fails, nothing
 * was written. The history comes first, so that no copy ever stands without it; a crash between the two leaves a note of a copy that is missing.
 */
export async function writeCompactedCopy(job: CopyJob, outer: AbortSignal | undefined): Promise<WrittenCopy> {
  const { file, inspection, plan, options } = job;
  const fs = options.fs ?? createNodeFileSystem();
  const signal = outer ?? new AbortController().signal;
  const ids = { uuid: randomUUID };
  const clock = { now: Date.now };
  const { format } = inspection.transcript;
  if (!canWriteCopy(format)) throw new CompactError('notSupported', 'noCopy');
  options.onProgress('reading');
  const from = await copySource(fs, file);
  const directory = options.target === undefined ? from.directory : dirname(options.target);
  const sessionId = copySessionId(format, ids.uuid());
  const now = new Date(clock.now()).toISOString();
  const name = options.target === undefined ? copyFileName(format, basename(file.path), sessionId, now) : basename(options.target);

  return withSourceClaim({ fs, ids, clock, directory, fingerprint: from.fingerprint }, async (release) => {
    const { state, ...source } = await from.read();
    const content = await contentOf(job, signal);
    const input = {
      transcript: inspection.transcript,
      plan,
      ...source,
      summary: content.continuation,
      ...(plan.kind === 'micro' ? { cleared: plan.blocks } : {}),
      newSessionId: sessionId,
      ids,
      now,
      tokens: { before: content.tokensBefore, after: content.tokensAfter },
    };
    const copy = buildCopy(input);
    options.onProgress('checking');
    const checked = checkCopy(input, copy.records);
    if (checked.faults.length > 0) throw new CompactError('copyDiffers', undefined, { cause: new Error(checked.faults.join('; ')) });
    options.onProgress('writing');
    const record = historyRecordOf(job, {
      id: sessionId,
      createdAt: now,
      source: { path: pathFrom(directory, file.path), sessionId: inspection.transcript.sessionId ?? null, state },
      copy: { name, ...digestOf(copy.records) },
      summary: content.summary,
      summaryId: checked.summaryId ?? null,
      cost: historyCost(content.call),
      tokensBefore: content.tokensBefore,
      tokensAfter: content.tokensAfter,
    });
    const path = await withHistory({ fs, ids, clock, directory, record, signal }, () =>
      writeSession({
        fs,
        ids,
        clock,
        source: from.guard,
        directory,
        name,
        records: copy.records,
        release,
        signal,
      }),
    );
    const boundary = checked.transcript.boundaries[checked.boundary];
    return {
      path,
      fileName: name,
      sessionId,
      summary: content.summary,
      notes: content.notes ?? [],
      tokensAfter: content.tokensAfter,
      call: content.call,
      boundary: boundary === undefined ? null : wireBoundary(boundary, checked.boundary),
      resume: resumeCommand(format, sessionId, path),
    };
  });
}

export interface WrittenPrompt {
  readonly prompt: string;
  readonly summary: string;
  readonly notes: readonly SummaryNote[];
  readonly tokensAfter: number;
  readonly call: SummaryCall | undefined;
}

/** Runs a plan and answers the new context as a text for any agent, in place of a copy; works for sessions of every format. */
export async function continuationOf(job: CopyJob, signal: AbortSignal | undefined): Promise<WrittenPrompt> {
  const { inspection, plan } = job;
  const { messages } = inspection.transcript;
  const { summary, notes = [], tokensAfter, call } = await contentOf(job, signal ?? new AbortController().signal);
  const kept = plan.kept.flatMap((index): Message[] => {
    const message = messages[index];
    const blocks = plan.kind === 'micro' ? plan.blocks.get(index) : undefined;
    return message === undefined ? [] : [blocks === undefined ? message : withClearedResults(message, blocks)];
  });
  return { prompt: continuationPrompt(plan, summary, kept), summary, notes, tokensAfter, call };
}

/** What stands in the place of the summarized messages, and what the context weighs before and after. */
interface CopyContent {
  readonly summary: string;
  readonly continuation: string | undefined;
  readonly notes?: readonly SummaryNote[];
  /** The model's call that wrote the summary; absent: none was made. */
  readonly call?: SummaryCall | undefined;
  readonly tokensBefore: number;
  readonly tokensAfter: number;
}

async function contentOf({ file, inspection, input, plan, summarizer, options }: CopyJob, signal: AbortSignal): Promise<CopyContent> {
  if (plan.kind === 'micro') {
    if (plan.revision !== input.revision) throw new CompactError('staleSource');
    const { unattributedTokens, tokensBefore, tokensAfter } = plan;
    return {
      summary: '',
      continuation: undefined,
      tokensBefore: tokensBefore + unattributedTokens,
      tokensAfter: tokensAfter + unattributedTokens,
    };
  }
  const run = await runPlan(
    plan,
    input,
    { summarizer, tokensOf: inspection.sizes.sizeOf },
    {
      signal,
      ...options.form,
      instructions: options.instructions,
      quotes: options.quotes ?? [],
      original: file.path,
      onProgress: options.onProgress,
    },
  );
  if (run.outcome === 'refusal') throw new CompactError(run.code, run.detail);
  const { form, instructions, priceOverrides } = options;
  return { ...run, call: summaryCallOf({ plan, input, summarizer, ...form, instructions, priceOverrides }, run.usage) };
}

function historyCost(call: SummaryCall | undefined): HistoryRecord['cost'] {
  if (call === undefined) return null;
  return { inputTokens: call.inputTokens, outputTokens: call.outputTokens, usd: summaryUsd(call) ?? null };
}

/** Hash and size of a file of these lines. */
function digestOf(records: readonly string[]): { readonly sha256: string; readonly bytes: number } {
  const hash = createHash('sha256');
  let bytes = 0;
  for (const record of records) {
    hash.update(`${record}\n`);
    bytes += Buffer.byteLength(record) + 1;
  }
  return { sha256: hash.digest('hex'), bytes };
}
