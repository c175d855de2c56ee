// The JSON texts of a Gemini CLI session's messages, by the lines on which they stand.
import type { ClearedBlocks } from '../../compaction/microPlan';
import { geminiContent } from '../../transcript/formats/geminiParts';
import { geminiRecord } from '../../transcript/formats/geminiRecord';
import { arrayOf, field, isRecord, recordOf, stringOf, type JsonRecord } from '../../util/json';
import { present } from '../../util/present';
import { clearContent } from './clearedParts';
import type { CopyInput } from './copyInput';
import { elementSpans, mapMember, memberText, withoutMembers } from './jsonSpans';
import type { FoundText } from './messageFinder';
import { recordsOn } from './sourceRecords';

/** A record, or the results inside of it. */
export interface GeminiText {
  readonly kind: 'record' | 'results';
  /** Of the record in both cases. */
  readonly text: string;
}

const DISPLAY = new Set(['resultDisplay']);
const RESULT = new Set(['result']);
const NO_BLOCKS: ClearedBlocks = new Map();

/** The messages of a line: a record, those of a list that a line states, or those of the document. */
export function geminiTexts(input: CopyInput, line: number, document: string | undefined): readonly FoundText<GeminiText>[] {
  const records = document === undefined ? recordsOn(input, line).map(({ text }) => text) : [document];
  return records.flatMap((text, part) => {
    const value = valueOf(text);
    const set = recordOf(value, '$set');
    const list = arrayOf(set ?? value, 'messages');
    if (list === undefined) return messageTexts(text, value, line, part);
    const listText = present(memberText(set === undefined ? text : present(memberText(text, '$set')), 'messages'));
    return elementSpans(listText).flatMap(({ start, end }, at) => {
      const element = list[at];
      return isRecord(element) ? messageTexts(listText.slice(start, end), element, line, at) : [];
    });
  });
}

function messageTexts(text: string, value: JsonRecord, line: number, part: number): readonly FoundText<GeminiText>[] {
  const record = geminiRecord({ value, line, part, bytes: 0 });
  if (record.kind !== 'message') return [];
  const { message, results } = record.entry;
  const own: FoundText<GeminiText> = { message, source: { kind: 'record', text } };
  return results === undefined ? [own] : [own, { message: results, source: { kind: 'results', text } }];
}

/** What becomes of the results inside of a record. */
export interface InnerResults {
  /** Calls that a message of the copy answers: the agent would send what stands here once more. */
  readonly answered: ReadonlySet<string>;
  /** Calls whose results are cleared. */
  readonly cleared: ReadonlySet<string>;
  /** New texts of the record's results, by their place among all of them. */
  readonly blocks: ClearedBlocks | undefined;
}

/** The record without results that stand elsewhere, and with its cleared ones held neither for the model nor for people. */
export function withInnerResults(record: string, { answered, cleared, blocks }: InnerResults): string {
  return mapMember(record, 'toolCalls', (calls) => {
    if (!calls.startsWith('[')) return undefined;
    let place = 0;
    const changed = elementSpans(calls).map(({ start, end }) => {
      const call = calls.slice(start, end);
      if (!call.startsWith('{')) return call;
      const value = valueOf(call);
      const id = stringOf(value, 'id') ?? '';
      const places = placesOf(value, blocks ?? NO_BLOCKS, place);
      place += geminiContent(field(value, 'result')).blocks.length;
      const shown = cleared.has(id) || places.size > 0 ? withoutMembers(call, DISPLAY) : call;
      if (answered.has(id)) return withoutMembers(shown, RESULT);
      return places.size === 0 ? shown : mapMember(shown, 'result', (result) => clearContent(result, places));
    });
    return `[${changed.join(',')}]`;
  });
}

/** New texts of one call's results, by their place among these. */
function placesOf(call: JsonRecord, blocks: ClearedBlocks, before: number): ClearedBlocks {
  const own = geminiContent(field(call, 'result')).blocks;
  return new Map(
    own.flatMap((_, at) => {
      const text = blocks.get(before + at);
      return text === undefined ? [] : [[at, text]];
    }),
  );
}

function valueOf(text: string): JsonRecord {
  const value: unknown = JSON.parse(text);
  return isRecord(value) ? value : {};
}
