import type { Message, MessageKind, Role } from '../../model/message';
import type { Usage } from '../../model/usage';
import { oneLine } from '../../util/text';
import { messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { TextLine } from '../partRecord';
import type { TranscriptDraft } from '../transcriptDraft';
import { endsInBreak, isChatStart, noticeModel, noticeText, noticeUsage, noticeVersion, userText } from './aiderText';
import { textBlock } from './anthropicBlocks';
import type { TranscriptFormat } from './format';
import { SessionCollector } from './session';

/** Aider: a Markdown file of all chats in a folder. What is sent is the last chat, from its last `/clear` on. */
export const aider: TranscriptFormat = {
  id: 'aider',
  agent: 'Aider',
  recognise: (sample) => (sample.some((value) => value instanceof TextLine && isChatStart(value.text)) ? 1 : 0),
  collect: () => new SessionCollector('aider', read),
};

const TITLE_LENGTH = 80;

function read(records: readonly SourceRecord[]): TranscriptDraft {
  const hasBreaks = records.some(({ value }) => value instanceof TextLine && endsInBreak(value.text));
  const history = new History(hasBreaks);
  for (const { value, line } of records) if (value instanceof TextLine) history.add(value.text, line);
  history.close();
  const { messages, context, model, agentVersion } = history;
  const first = messages.find((message, index) => message.role === 'user' && message.kind === 'message' && index >= history.chatStart);
  const [block] = first?.content ?? [];
  return {
    messages,
    context,
    model,
    agentVersion,
    title: block?.type === 'text' ? oneLine(block.text, TITLE_LENGTH) : undefined,
  };
}

type Speaker = 'user' | 'assistant' | 'notice';

/** Plays the lines in order. A block of lines of one speaker is a message. */
class History {
  readonly messages: Message[] = [];
  context: number[] = [];
  model: string | undefined;
  agentVersion: string | undefined;
  /** Index of the first message of the last chat. */
  chatStart = 0;
  #lastAnswer = -1;
  #open: { readonly speaker: Speaker; readonly line: number; readonly lines: string[] } | undefined;
  /** The fence that an answer has opened: nothing in it is the user's or the program's, whatever it looks like. */
  #fence: string | undefined;

  /** Histories that went through other hands may have lost the breaks that tell the user's lines from headings. */
  constructor(private readonly hasBreaks: boolean) {}

  add(text: string, line: number): void {
    if (isChatStart(text)) {
      this.close();
      this.context = [];
      this.chatStart = this.messages.length;
      return;
    }
    const notice = noticeText(text);
    const usage = notice === undefined ? undefined : noticeUsage(notice);
    // An answer that broke off leaves its fence open; its numbers follow all the same.
    if (usage !== undefined) this.#fence = undefined;
    const isUser = this.#fence === undefined && (!this.hasBreaks || endsInBreak(text));
    const said = isUser ? userText(text) : undefined;
    if (said !== undefined) this.#take('user', said, line);
    else if (notice !== undefined && this.#fence === undefined) {
      this.#take('notice', notice, line);
      this.model = noticeModel(notice) ?? this.model;
      this.agentVersion = noticeVersion(notice) ?? this.agentVersion;
      if (usage !== undefined) this.#report(usage);
    } else this.#answer(text, line);
  }

  /** Ends the block that is open. */
  close(): void {
    const open = this.#open;
    this.#open = undefined;
    this.#fence = undefined;
    if (open === undefined) return;
    const text = open.lines.join('\n').trim();
    if (text === '') return;
    if (open.speaker === 'notice') this.#push('system', 'meta', text, open.line);
    else if (open.speaker === 'assistant') {
      this.#lastAnswer = this.#push('assistant', 'message', text, open.line);
      this.context.push(this.#lastAnswer);
    } else this.#said(text, open.line);
  }

  #take(speaker: Speaker, text: string, line: number): void {
    if (this.#open?.speaker !== speaker) {
      this.close();
      this.#open = { speaker, line, lines: [] };
    }
    this.#open.lines.push(text);
  }

  #answer(text: string, line: number): void {
    // Empty lines stand between blocks.
    if (text.trim() === '' && this.#open?.speaker !== 'assistant') {
      this.close();
      return;
    }
    this.#take('assistant', text, line);
    const fence = /^(`{3,}|~{3,})/u.exec(text)?.[1];
    if (fence === undefined) return;
    if (this.#fence === undefined) this.#fence = fence;
    else if (fence.startsWith(this.#fence) && text.trim() === fence) this.#fence = undefined;
  }

  /** Commands are for the program; those that ask something are sent. */
  #said(text: string, line: number): void {
    const command = /^\/([a-z-]+)(?:\s|$)/u.exec(text)?.[1];
    const isSent = command === undefined || ['ask', 'code', 'architect', 'context'].includes(command);
    const index = this.#push('user', isSent ? 'message' : 'meta', text, line);
    if (isSent) this.context.push(index);
    else if (command === 'clear' || command === 'reset') this.context = [];
  }

  #push(role: Role, kind: MessageKind, text: string, line: number): number {
    return (
      this.messages.push(messageOf({ id: `line:${line}`, role, kind, content: [textBlock(text)], line, model: this.#modelFor(role) })) - 1
    );
  }

  #modelFor(role: Role): string | undefined {
    return role === 'assistant' ? this.model : undefined;
  }

  /** The numbers of a reply stand behind it. One without text (an edit that was refused) has none to stand at. */
  #report(usage: Usage): void {
    const message = this.messages[this.#lastAnswer];
    const isOfChat = this.#lastAnswer >= this.chatStart;
    if (message !== undefined && message.usage === undefined && isOfChat) this.messages[this.#lastAnswer] = { ...message, usage };
  }
}
