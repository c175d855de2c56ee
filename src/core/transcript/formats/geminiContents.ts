import type { Message } from '../../model/message';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { messageId, messageOf } from '../assemble';
import type { SourceRecord } from '../lineReader';
import { filledOf } from './fields';
import { FoldCollector } from './foldCollector';
import type { TranscriptFormat } from './format';
import { geminiContent, geminiMetadata, geminiRole } from './geminiParts';
import { bodiesIn, requestTranscript, SYSTEM_ID, type Body, type BodyRecord } from './requestLog';

/** Contents of the Gemini API: request bodies, answers, lists of contents, or a content a line. */
export const geminiContents: TranscriptFormat = {
  id: 'gemini-contents',
  agent: 'Gemini API',
  recognise: (sample) => sample.reduce<number>((best, value) => Math.max(best, sureness(value)), 0),
  collect: () => new FoldCollector(bodyRecord, (records, damage, names) => requestTranscript('gemini-contents', records, damage, names)),
};

const ROLES = new Set(['user', 'model', 'function', 'tool', 'system']);
const NO_NAMES = new Set<string>();

function sureness(value: unknown): number {
  if (Array.isArray(value)) return value.length > 0 && value.slice(0, 100).every(isContent) ? 0.85 : 0;
  if (isContent(value)) return 0.8;
  return bodiesIn(value).some(isBody) ? 0.88 : 0;
}

function isContent(value: unknown): value is JsonRecord {
  return isRecord(value) && arrayOf(value, 'parts') !== undefined && ROLES.has(stringOf(value, 'role') ?? '');
}

function isBody(value: JsonRecord): boolean {
  const contents = arrayOf(value, 'contents');
  if (contents !== undefined)
    return contents.slice(0, 100).every((content) => isRecord(content) && arrayOf(content, 'parts') !== undefined);
  return answerOf(value) !== undefined;
}

function answerOf(value: JsonRecord): JsonRecord | undefined {
  const first: unknown = arrayOf(value, 'candidates')?.[0];
  return isRecord(first) ? recordOf(first, 'content') : undefined;
}

function bodyRecord({ value, line, part }: SourceRecord): BodyRecord {
  const list = Array.isArray(value) ? value : isContent(value) ? [value] : undefined;
  if (list !== undefined) {
    const messages = contentMessages(list, line, part, undefined);
    return { line, bodies: [{ kind: 'messages', messages }], odd: messages.length < list.length };
  }
  const bodies = bodiesIn(value).flatMap((body, at): readonly Body[] => bodyOf(body, line, part + at));
  return { line, bodies, odd: bodies.length === 0 };
}

function bodyOf(value: JsonRecord, line: number, part: number): readonly Body[] {
  const contents = arrayOf(value, 'contents');
  const facts = { model: filledOf(value, 'model') ?? filledOf(value, 'modelVersion') ?? filledOf(value, 'model_version') };
  if (contents !== undefined) {
    const instruction = field(value, 'systemInstruction') ?? field(value, 'system_instruction');
    const system = geminiContent(isRecord(instruction) ? (arrayOf(instruction, 'parts') ?? instruction) : instruction).blocks;
    const prompt = messageOf({ id: SYSTEM_ID, role: 'system', kind: 'message', content: system, line });
    const messages = contentMessages(contents, line, part, undefined);
    return [{ kind: 'request', messages: system.length === 0 ? messages : [prompt, ...messages], facts }];
  }
  const answer = answerOf(value);
  if (answer === undefined) return [];
  const usage = geminiMetadata(field(value, 'usageMetadata') ?? field(value, 'usage_metadata'));
  const messageIdOf = filledOf(value, 'responseId') ?? filledOf(value, 'response_id');
  const messages = contentMessages([{ ...answer, role: 'model' }], line, part, facts.model).map((message): Message => {
    return { ...message, ...(usage === undefined ? {} : { usage }), ...(messageIdOf === undefined ? {} : { messageId: messageIdOf }) };
  });
  return [{ kind: 'answer', messages, facts }];
}

function contentMessages(contents: readonly unknown[], line: number, part: number, model: string | undefined): readonly Message[] {
  return contents.flatMap((content, at): readonly Message[] => {
    if (!isRecord(content)) return [];
    const { blocks } = geminiContent(field(content, 'parts'));
    const role = stringOf(content, 'role');
    const id = messageId(undefined, line, part + at, NO_NAMES);
    const isModel = role === 'model';
    return [
      messageOf({
        id,
        role: role === 'system' ? 'system' : geminiRole(isModel, blocks),
        kind: 'message',
        content: blocks,
        line,
        model: isModel ? model : undefined,
      }),
    ];
  });
}
