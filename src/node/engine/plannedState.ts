import type { PlanRefusal } from '../../core/compaction/plan';
import type { PlanInput } from '../../core/compaction/planInput';
import type { Message } from '../../core/model/message';
import { canWriteCopy } from '../../core/session/copy/copyWriter';
import type { Inspection } from '../../core/session/inspection';
import type { TranscriptFile } from '../sources/transcriptFiles';
import { KnownOriginals } from './historyOriginals';

/** What a plan is made for: a copy in the agent's own form, or a text for any agent. */
export type PlanPurpose = 'copy' | 'prompt';

/** The open session that is planned for, at its present revision. */
export interface PlannedSession {
  readonly path: string;
  readonly file: TranscriptFile;
  inspection(): Inspection;
  revision(): number;
}

type Originals = ReadonlyMap<string, readonly Message[]>;

/** What plans are made of: the present revision of a session, with the messages behind its earlier summaries where they were found. */
export class PlannedState {
  readonly #of: PlannedSession;
  readonly #known = new KnownOriginals();
  /** Id of an earlier summary → the messages that it stands for. */
  #originals: Originals = new Map();
  #input: { readonly of: Inspection; readonly originals: Originals; readonly input: PlanInput } | undefined;

  constructor(of: PlannedSession) {
    this.#of = of;
  }

  get now(): { readonly inspection: Inspection; readonly input: PlanInput; readonly path: string } {
    return { inspection: this.#of.inspection(), input: this.input, path: this.#of.path };
  }

  /** The same value for the same state, so that what was found out about it is found out once. */
  get input(): PlanInput {
    const of = this.#of.inspection();
    const revision = this.#of.revision();
    const known = this.#input;
    if (known?.of === of && known.originals === this.#originals && known.input.revision === revision) return known.input;
    const { messages, context } = of.transcript;
    const { sizes, unattributedTokens } = of;
    const originals = this.#originals.size === 0 ? {} : { originals: originalsByIndex(of, this.#originals) };
    const input: PlanInput = { messages, context, tokens: sizes.tokens, unattributedTokens, revision, ...originals };
    this.#input = { of, originals: this.#originals, input };
    return input;
  }

  /**
   * Finds the messages behind earlier summaries of the present revision, which are then summarized in the place of these. Without it, or where
   * `isWanted` is false, the summaries themselves are summarized. Never rejects.
   */
  async findOriginals(isWanted: boolean): Promise<void> {
    this.#originals = isWanted ? await this.#known.of(this.#of.path, this.#of.inspection().transcript) : new Map();
  }

  /** Those of the ids whose messages are in the context now. */
  inContext(ids: readonly string[]): readonly string[] {
    if (ids.length === 0) return [];
    const { messages, context } = this.#of.inspection().transcript;
    const present = new Set(context.map((index) => messages[index]?.id));
    return ids.filter((id) => present.has(id));
  }

  /** The refusal of a copy that cannot be written; undefined for what can be made. */
  unwritable(purpose: PlanPurpose): PlanRefusal | undefined {
    const isWritable = purpose === 'prompt' || canWriteCopy(this.#of.inspection().transcript.format);
    return isWritable ? undefined : { outcome: 'refusal', code: 'notSupported', detail: 'noCopy' };
  }
}

function originalsByIndex({ transcript }: Inspection, originals: Originals): NonNullable<PlanInput['originals']> {
  const { messages, context } = transcript;
  return new Map(
    context.flatMap((index) => {
      const message = messages[index];
      const behind = message === undefined ? undefined : originals.get(message.id);
      return behind === undefined ? [] : [[index, behind] as const];
    }),
  );
}
