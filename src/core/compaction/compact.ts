import { collectAttachments } from '../attachments/collect';
import { messagesAfterBoundary } from '../boundary/activeSlice';
import { createBoundaryMessage } from '../boundary/boundaryMessage';
import { createSummaryMessage, summaryMessage } from '../boundary/summaryMessage';
import { CompactError, isCompactError } from '../errors/compactError';
import type { CompactTrigger, PartialDirection } from '../model/boundary';
import type { CompactionResult } from '../model/compactionResult';
import type { Message } from '../model/message';
import type { AttachmentSource } from '../ports/attachmentSource';
import type { CompactionHooks } from '../ports/hooks';
import type { Summarizer, SummaryForm } from '../ports/summarizer';
import type { TokenCounter } from '../ports/tokenCounter';
import { isReinjectedAttachment } from '../prepare/stripRuntime';
import { withFeedback, withHookInstructions } from '../prompts/mergeInstructions';
import { estimateConversation } from '../tokens/conversationEstimate';
import { askSummarizer } from './askSummarizer';
import { discoveredTools, identifierOf } from './boundaryFacts';
import type { CompactionEvent, EventSink } from './events';
import { growsContext } from './growth';
import { cutMessages, cutMessagesAt, type MessageCut } from './messageCut';
import type { PlanRefusal } from './plan';
import { continuationFor, postCompactMessages, type CompactionOutcome, type UnchangedHistory } from './result';
import { hookReminder, runHooks, type HookRun } from './runHooks';
import { orAborted, stopIfAborted } from './runPlan';

export interface CompactorPorts {
  readonly summarizer: Summarizer;
  readonly counter: TokenCounter;
  readonly hooks?: CompactionHooks;
  readonly attachments?: readonly AttachmentSource[];
  /** Where the full record lies that the summary may name, asked anew each time; what it answers is final (see readableTranscriptPath). */
  readonly transcriptPath?: () => Promise<string | undefined>;
  readonly onEvent?: EventSink;
}

export interface CompactorOptions extends SummaryForm {
  /** Newest messages to keep; 0 or absent means 10, below 0 keeps all. */
  readonly keepMessages?: number;
  /** The user's standing wish for summaries. */
  readonly instructions?: string;
  /** Which messages are boundaries and which are reminders of an earlier compaction; by default what their kind says. */
  readonly isBoundary?: (message: Message) => boolean;
  readonly isReminder?: (message: Message) => boolean;
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly contextWindowTokens?: number;
}

export interface CompactRequest {
  /** `manual` when absent. */
  readonly trigger?: CompactTrigger | undefined;
  /** Above 0 it wins over the compactor's own number. */
  readonly keepMessages?: number | undefined;
  readonly signal: AbortSignal;
}

export interface PartialRequest {
  /** Index into the messages that are given. */
  readonly pivot: number;
  readonly direction: PartialDirection;
  readonly feedback?: string;
  readonly signal: AbortSignal;
}

/** Compacts the messages of a running session. Changes none of them, and keeps nothing between two calls. */
export interface Compactor {
  /**
   * Replaces all but the newest messages after the latest boundary by a summary (seed 2, CompactWithTrigger). Nothing to do, a call that still
   * runs, or a summary that would add to the context leave the history unchanged, with a reason. Rejects with a CompactError.
   */
  compact(messages: readonly Message[], request: CompactRequest): Promise<CompactionOutcome>;
  /**
   * Replaces one side of a message by a summary (seed 2, PartialCompactConversation), without hooks and attachments. A cut that is not there or
   * leaves a side empty is an error, since a person chose it. An earlier summary on the kept side stays (DECISIONS 19).
   */
  compactPart(messages: readonly Message[], request: PartialRequest): Promise<CompactionOutcome>;
}

/** A compactor over its ports (seed 2, SummaryCompactor). */
export function createCompactor(ports: CompactorPorts, options: CompactorOptions = {}): Compactor {
  return {
    compact: (messages, request) => compact(new Run(messages, request.trigger ?? 'manual', request.signal, ports, options), request),
    compactPart: (messages, request) => {
      const trigger = request.direction === 'from' ? 'partial_from' : 'partial_up_to';
      return compactPart(new Run(messages, trigger, request.signal, ports, options), request);
    },
  };
}

/** What both kinds of compaction share: the messages, their sizes, and where events go. */
class Run {
  readonly main: readonly Message[];
  readonly context: readonly Message[];
  readonly preTokens: number;
  readonly onEvent: EventSink;

  constructor(
    readonly messages: readonly Message[],
    readonly trigger: CompactTrigger,
    readonly signal: AbortSignal,
    readonly ports: CompactorPorts,
    readonly options: CompactorOptions,
  ) {
    // A sub-agent's conversation has a window of its own (R26).
    this.main = messages.filter(({ isSidechain }) => isSidechain !== true);
    this.context = messagesAfterBoundary(this.main, options.isBoundary);
    this.preTokens = this.tokensOf(this.main);
    this.onEvent = (event: CompactionEvent) => ports.onEvent?.(event);
  }

  get facts(): { readonly trigger: CompactTrigger; readonly preTokens: number; readonly originalMessages: number } {
    return { trigger: this.trigger, preTokens: this.preTokens, originalMessages: this.messages.length };
  }

  tokensOf(messages: readonly Message[]): number {
    return estimateConversation(messages, this.ports.counter).knownTotal;
  }

  /** Position in the context of an index into all messages; one past the end is a place too. */
  positionOf(index: number): number | undefined {
    if (index === this.messages.length) return this.context.length;
    const main = this.messages.flatMap((message, at) => (message.isSidechain === true ? [] : [at]));
    const position = main.slice(main.length - this.context.length).indexOf(index);
    return position < 0 ? undefined : position;
  }

  /** Tells about a failure, whichever it is, and passes it on. */
  async telling(work: () => Promise<CompactionOutcome>): Promise<CompactionOutcome> {
    try {
      return await work();
    } catch (error) {
      this.onEvent({ kind: 'failure', ...this.facts, code: isCompactError(error) ? error.code : 'other' });
      throw error;
    }
  }

  unchanged({ code, detail }: PlanRefusal): UnchangedHistory {
    return { outcome: 'unchanged', reason: code, detail, kept: this.context };
  }
}

function compact(run: Run, request: CompactRequest): Promise<CompactionOutcome> {
  const { ports, options, signal, trigger, onEvent, context } = run;
  return run.telling(async () => {
    if (context.length === 0) throw new CompactError('notEnoughMessages');
    const asked = request.keepMessages ?? 0;
    const isReminder = options.isReminder ?? isReminderRecord;
    const cut = cutMessages(context, asked > 0 ? asked : (options.keepMessages ?? 0), isReminder);
    if (cut.outcome === 'refusal') return run.unchanged(cut);
    stopIfAborted(signal);
    const hooks: HookRun = { hooks: ports.hooks, trigger, signal, onEvent };
    const wish = options.instructions ?? '';
    const before = await runHooks(hooks, 'preCompact', { instructions: wish });
    onEvent({ kind: 'progress', stage: 'start', trigger });
    onEvent({ kind: 'start', ...run.facts });
    const made = await summarize(run, cut, withHookInstructions(wish, before.instructions ?? ''));
    if (made.outcome === 'unchanged') return made;
    const facts = { sessionId: options.sessionId, cwd: options.cwd, contextWindowTokens: options.contextWindowTokens };
    const seen = { originalMessages: run.main, messagesAfterBoundary: context, preservedTail: cut.kept };
    const leftOut = (source: string): void => onEvent({ kind: 'attachmentFailed', source });
    const attachments = await collectAttachments(ports.attachments ?? [], { ...seen, ...facts }, signal, leftOut);
    const started = await runHooks(hooks, 'sessionStart', {});
    const after = await runHooks(hooks, 'postCompact', { summary: made.summary });
    const displayText = [before.display, after.display].filter((line) => line !== undefined && line.trim() !== '').join('\n');
    return finish(run, { ...made.result, attachments, hookResults: hookReminder(started.context), displayText });
  });
}

function compactPart(run: Run, { pivot, direction, feedback }: PartialRequest): Promise<CompactionOutcome> {
  return run.telling(async () => {
    if (run.context.length === 0) throw new CompactError('notEnoughMessages');
    const position = run.positionOf(pivot);
    if (position === undefined) throw new CompactError('unknownMessage', run.messages[pivot] === undefined ? undefined : 'notInContext');
    stopIfAborted(run.signal);
    const cut = cutMessagesAt(run.context, position, direction);
    if (cut.outcome === 'refusal') throw new CompactError(cut.code, cut.detail);
    run.onEvent({ kind: 'start', ...run.facts });
    const made = await summarize(run, cut, withFeedback(run.options.instructions ?? '', feedback ?? ''));
    return made.outcome === 'unchanged' ? made : finish(run, made.result);
  });
}

interface Summarized {
  readonly outcome: 'summarized';
  readonly summary: string;
  readonly result: CompactionResult;
}

/** Asks for the summary and puts the parts together that need nothing else. */
async function summarize(run: Run, cut: MessageCut, instructions: string): Promise<Summarized | UnchangedHistory> {
  const { ports, options, signal } = run;
  const { direction, summarized, kept } = cut;
  const question = { messages: summarized, direction, instructions, form: options };
  const { text: summary, usage } = await askSummarizer(question, ports.summarizer, signal);
  if (growsContext(run.tokensOf([summaryMessage(summary)]), run.tokensOf(summarized))) {
    run.onEvent({ kind: 'failure', ...run.facts, code: 'notSmaller' });
    return run.unchanged({ outcome: 'refusal', code: 'notSmaller' });
  }
  const original = ports.transcriptPath === undefined ? undefined : await orAborted(ports.transcriptPath(), signal);
  const summaries = [createSummaryMessage(continuationFor(cut, summary, original))];
  const last = run.main.at(-1);
  const boundary = createBoundaryMessage({
    trigger: run.trigger,
    preTokens: run.preTokens,
    postTokens: undefined,
    truePostTokens: undefined,
    usage: undefined,
    previousTail: last === undefined ? undefined : identifierOf(last),
    discoveredTools: discoveredTools(run.main),
    preservedSegment: {
      startIndex: cut.startIndex,
      count: kept.length,
      anchor: cut.anchor === undefined ? undefined : identifierOf(cut.anchor),
      direction,
    },
  });
  const prepared = cut.order === 'keptFirst' ? [boundary, ...kept, ...summaries] : undefined;
  const parts = { boundary, summaries, kept, attachments: [], hookResults: [], displayText: '', prepared };
  return { outcome: 'summarized', summary, result: { outcome: 'compacted', ...parts, preTokens: run.preTokens, postTokens: 0, usage } };
}

/** Measures the new view, of which no model sees the boundary that it begins with, and tells about it. */
function finish(run: Run, parts: CompactionResult): CompactionResult {
  stopIfAborted(run.signal);
  const view = postCompactMessages(parts);
  const postTokens = run.tokensOf(view.slice(1));
  run.onEvent({ kind: 'success', ...run.facts, postTokens, compactedMessages: view.length, usage: parts.usage });
  return { ...parts, postTokens };
}

function isReminderRecord(message: Message): boolean {
  return isReinjectedAttachment(message, () => true);
}
