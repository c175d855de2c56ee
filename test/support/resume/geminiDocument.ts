import { arrayOf, field, isRecord, stringOf, type JsonRecord } from '../../../src/core/util/json';

/** A session as Gemini CLI wrote it to 0.39: one document, in which results stand inside of their calls alone. */
export function geminiDocument(log: string): string {
  const messages = new Map<string, JsonRecord>();
  let header: JsonRecord = {};
  for (const line of log.split('\n').filter((text) => text !== '')) {
    const record: unknown = JSON.parse(line);
    if (!isRecord(record)) continue;
    const id = stringOf(record, 'id');
    if (id !== undefined && !isResults(record)) messages.set(id, record);
    else if (stringOf(record, 'projectHash') !== undefined) header = record;
  }
  return JSON.stringify({ ...header, messages: [...messages.values()] }, null, 2);
}

function isResults(record: JsonRecord): boolean {
  const parts = arrayOf(record, 'content') ?? [];
  return parts.length > 0 && parts.every((part) => isRecord(part) && field(part, 'functionResponse') !== undefined);
}
