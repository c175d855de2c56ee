import { createOfflineSummarizer } from '../../core/compaction/offline/offlineSummarizer';
import type { Summarizer } from '../../core/ports/summarizer';
import type { HistoryRecord } from '../../core/session/historyRecord';
import { assertNever } from '../../core/util/assertNever';
import { createOpenAiSummarizer } from '../summarizers/openaiCompatible';
import type { SummarizerSpec } from './contract';

/** What the engine asks by itself; models of the host are asked through it (hostModels.ts). */
export type OwnSpec = Exclude<SummarizerSpec, { kind: 'vscode' }>;

/** Makes the summarizer that a specification names. Nothing is loaded or sent before it is asked for a summary. */
export function createSummarizer(spec: OwnSpec): Summarizer {
  switch (spec.kind) {
    case 'offline':
      return createOfflineSummarizer();
    case 'openai':
      return createOpenAiSummarizer(spec);
    default:
      return assertNever(spec);
  }
}

/** What the history says of who summarized. */
export function writtenBy(spec: SummarizerSpec): Pick<HistoryRecord, 'summarizer' | 'model'> {
  const model = spec.kind === 'offline' ? null : spec.kind === 'openai' ? spec.model : spec.label;
  return { summarizer: spec.kind, model: model === null ? null : model.slice(0, 512) };
}

/** Host (with its port, where one is stated) that a summarizer sends to; undefined when nothing leaves the machine. */
export function sendHost(spec: OwnSpec): string | undefined {
  return createSummarizer(spec).capabilities.host;
}
