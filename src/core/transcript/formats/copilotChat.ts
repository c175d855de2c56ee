import type { Message } from '../../model/message';
import type { Diagnostic, Sidechain, Transcript } from '../../model/transcript';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { isSameValue } from '../sameMessage';
import { isSeen, type SessionFacts } from '../transcriptDraft';
import { textBlock } from './anthropicBlocks';
import { chatRequest, type ChatRequest } from './copilotChatRequest';
import { countOf, filledOf, titleOf } from './fields';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { MutationLog } from './mutationLog';
import { sessionTranscript, type BoundaryDraft } from './sessionTranscript';
import type { StableNames } from './stableNames';

/** Chats of GitHub Copilot in VS Code: a JSON document, its export, or the log of its changes. */
export const copilotChat: TranscriptFormat = {
  id: 'copilot-chat',
  agent: 'GitHub Copilot Chat',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector((source) => source, transcriptOf),
};

function sureness(value: unknown): number {
  if (!isRecord(value)) return 0;
  const kind = field(value, 'kind');
  if (kind === 0) return isChat(recordOf(value, 'v')) ? 1 : 0;
  if (kind === 1 || kind === 2 || kind === 3) return arrayOf(value, 'k') === undefined ? 0 : 0.9;
  return isChat(value) ? 1 : 0;
}

function isChat(value: JsonRecord | undefined): boolean {
  if (value === undefined || arrayOf(value, 'requests') === undefined) return false;
  return stringOf(value, 'responderUsername') !== undefined || stringOf(value, 'sessionId') !== undefined;
}

function transcriptOf(records: readonly SourceRecord[], damage: readonly Diagnostic[], names: StableNames): Transcript {
  const log = new MutationLog('requests');
  const diagnostics = [...damage];
  for (const record of records) {
    const isWhole = isRecord(record.value) && arrayOf(record.value, 'requests') !== undefined;
    const isKnown = log.apply(isWhole ? { ...record, value: { kind: 0, v: record.value } } : record);
    if (!isKnown) diagnostics.push({ line: record.line, code: 'unknown_record', severity: 'info' });
  }
  const document = isRecord(log.document) ? log.document : {};
  const requests = (arrayOf(document, 'requests') ?? []).flatMap((request, at) => {
    return isRecord(request) ? [chatRequest(request, log.lineOf(at), at)] : [];
  });
  const chat = new Chat(requests);
  if (chat.takenBack > 0) {
    diagnostics.push({ line: 0, code: 'abandoned_branch', severity: 'info', detail: `${chat.takenBack} messages` });
  }
  const { boundaries, sidechains } = chat;
  const messages = names.kept(chat.messages);
  return sessionTranscript(
    { format: 'copilot-chat', facts: factsOf(document, requests), messages, context: chat.context, boundaries, sidechains, diagnostics },
    names,
  );
}

function factsOf(document: JsonRecord, requests: readonly ChatRequest[]): SessionFacts {
  const selected = recordOf(recordOf(document, 'inputState') ?? {}, 'selectedModel') ?? {};
  return {
    sessionId: filledOf(document, 'sessionId'),
    title: titleOf(document, 'customTitle'),
    agentVersion: requests.findLast(({ version }) => version !== undefined)?.version,
    model: filledOf(selected, 'identifier') ?? requests.findLast(({ model }) => model !== undefined)?.model,
    windowTokens: countOf(recordOf(selected, 'metadata') ?? {}, 'maxInputTokens'),
  };
}

/** Puts the requests one behind the other, and the summaries where the rounds end that they stand for. */
class Chat {
  readonly messages: Message[] = [];
  readonly boundaries: BoundaryDraft[] = [];
  readonly sidechains: Sidechain[] = [];
  takenBack = 0;

  constructor(requests: readonly ChatRequest[]) {
    const live = requests.filter((request) => !request.isTakenBack);
    this.takenBack = requests.reduce((sum, request) => sum + (request.isTakenBack ? request.messages.length : 0), 0);
    const summaries = new Map(live.flatMap(({ summaries: list }) => list.map((summary) => [summary.roundId, summary] as const)));
    let global: Message | undefined;
    for (const request of live) {
      if (request.global !== undefined && !isSameValue(request.global.content, global?.content)) {
        global = request.global;
        this.messages.push(global);
      }
      const ends = new Map([...request.rounds].map(([roundId, end]) => [end, roundId]));
      request.messages.forEach((message, at) => {
        this.messages.push(message);
        const summary = summaries.get(ends.get(at + 1) ?? '');
        if (summary !== undefined) this.#compact(summary.text, summary.isManual, message);
      });
      for (const [id, messages] of request.sidechains) this.sidechains.push({ id, messages });
    }
  }

  /** Everything up to the last summary left the context. */
  get context(): readonly number[] {
    const from = this.boundaries.at(-1)?.index ?? 0;
    return this.messages.flatMap((message, index) => (index >= from && isSeen(message) ? [index] : []));
  }

  #compact(text: string, isManual: boolean, { id, line, timestamp }: Message): void {
    const index = this.messages.length;
    const place = { line, timestamp };
    this.messages.push(messageOf({ ...place, id: `${id}#boundary`, role: 'system', kind: 'boundary', content: [] }));
    this.messages.push(messageOf({ ...place, id: `${id}#summary`, role: 'user', kind: 'summary', content: [textBlock(text)] }));
    this.boundaries.push({ index, trigger: isManual ? 'manual' : 'auto', summary: index + 1, kept: [] });
  }
}
