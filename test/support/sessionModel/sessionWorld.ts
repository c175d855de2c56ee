// A session on a disk in memory and what the product does to it, from reading to the finished copy; the disk may fail at any call.
import type { MicroPlan } from '../../../src/core/compaction/microPlan';
import type { CompactionPlan } from '../../../src/core/compaction/plan';
import type { PlanInput } from '../../../src/core/compaction/planInput';
import { runPlan } from '../../../src/core/compaction/runPlan';
import { CompactError } from '../../../src/core/errors/compactError';
import type { FileSystem } from '../../../src/core/ports/fileSystem';
import type { Summarizer } from '../../../src/core/ports/summarizer';
import { checkCopy } from '../../../src/core/session/checkCopy';
import { buildCopy } from '../../../src/core/session/copy/copyWriter';
import { inspectTranscript, type Inspection } from '../../../src/core/session/inspection';
import { writeSession } from '../../../src/core/session/sessionWriter';
import { withSourceClaim } from '../../../src/core/session/sourceClaim';
import { sourceFingerprint } from '../../../src/core/session/sourceFingerprint';
import { EMPTY_REPLACEMENTS, type ReplacementState } from '../../../src/core/toolResults/replacementState';
import { readTranscript } from '../../../src/core/transcript/readTranscript';
import { readSourceLines } from '../../../src/node/engine/sourceLines';
import { createNodeFileSystem } from '../../../src/node/fs/nodeFileSystem';
import { faultyIo, type FaultKind } from '../faultyFileSystem';
import { MemoryDisk } from '../memoryFileSystem';

export const FOLDER = '/s';
const HOUR_NS = 3_600_000_000_000n;

/** The disk's call that fails, by its number, and how. */
export interface Fault {
  readonly number: number;
  readonly kind: FaultKind;
}

export interface RunOptions {
  readonly summarizer: Summarizer;
  readonly signal: AbortSignal;
  readonly fault: Fault | undefined;
}

export class SessionWorld {
  readonly disk = new MemoryDisk([FOLDER, '/']);
  path = `${FOLDER}/session.jsonl`;
  /** Every line that was ever appended, by the file that it went to. */
  readonly ever = new Map<string, string[]>();
  /** The last run was ended by the program's death. */
  crashed = false;
  replacements: ReplacementState = EMPTY_REPLACEMENTS;
  model = 'claude-sonnet-4-5';
  prompt = 20_000;
  #ids = 0;

  constructor() {
    this.disk.write(this.path, '');
  }

  /** An id of the form that both the agent and our own names use. */
  id(): string {
    return `00000000-0000-4000-8000-${String(++this.#ids).padStart(12, '0')}`;
  }

  append(line: string): void {
    this.disk.append(this.path, `${line}\n`);
    this.ever.set(this.path, [...(this.ever.get(this.path) ?? []), line]);
  }

  get text(): string {
    return this.disk.text(this.path) ?? '';
  }

  /** The program starts again, an hour later. */
  reopen(): void {
    this.disk.nowNs += HOUR_NS;
  }

  /** The session as the product reads it; undefined while the file is empty. */
  inspect(): { readonly inspection: Inspection; readonly input: PlanInput } | undefined {
    if (this.text === '') return undefined;
    const inspection = inspectTranscript(readTranscript(new TextEncoder().encode(this.text)), { model: this.model });
    const { transcript, sizes, unattributedTokens } = inspection;
    const { messages, context } = transcript;
    return { inspection, input: { messages, context, tokens: sizes.tokens, unattributedTokens, revision: 1 } };
  }

  /** Runs a plan to a copy and answers its path. Rejects as the product does; what the fault leaves on the disk stays there. */
  async compact(inspection: Inspection, input: PlanInput, plan: CompactionPlan | MicroPlan, options: RunOptions): Promise<string> {
    const { fault, signal, summarizer } = options;
    this.crashed = false;
    const strike = (_: unknown, at: number): FaultKind | undefined => {
      if (at !== fault?.number) return undefined;
      this.crashed = fault.kind.startsWith('crash');
      return fault.kind;
    };
    const { io } = faultyIo(this.disk.io, strike);
    const fs: FileSystem = { ...createNodeFileSystem(io), pause: () => Promise.resolve() };
    const ids = { uuid: () => this.id() };
    const clock = { now: () => Number(this.disk.nowNs / 1_000_000n) };
    const fingerprint = await sourceFingerprint(fs, this.path);
    if (fingerprint === undefined) throw new CompactError('staleSource');
    return withSourceClaim({ fs, ids, clock, directory: FOLDER, fingerprint }, async () => {
      const source = await readSourceLines(fs, this.path, fingerprint.size);
      const summary = plan.kind === 'micro' ? undefined : await summaryOf(plan, input, inspection, summarizer, signal);
      const newSessionId = this.id();
      const copyInput = {
        transcript: inspection.transcript,
        plan,
        ...source,
        summary,
        ...(plan.kind === 'micro' ? { cleared: plan.blocks } : {}),
        newSessionId,
        ids,
        now: new Date(clock.now()).toISOString(),
        tokens: { before: plan.tokensBefore, after: 0 },
      };
      const { records } = buildCopy(copyInput);
      const { faults } = checkCopy(copyInput, records);
      if (faults.length > 0) throw new CompactError('copyDiffers', faults.join('; '));
      const name = `${newSessionId}.jsonl`;
      return writeSession({ fs, ids, clock, source: { path: this.path, fingerprint }, directory: FOLDER, name, records, signal });
    });
  }
}

async function summaryOf(
  plan: CompactionPlan,
  input: PlanInput,
  { sizes }: Inspection,
  summarizer: Summarizer,
  signal: AbortSignal,
): Promise<string> {
  const run = await runPlan(plan, input, { summarizer, tokensOf: sizes.sizeOf }, { signal });
  if (run.outcome === 'refusal') throw new CompactError(run.code, run.detail);
  return run.continuation;
}
