import { ReadError } from '../errors/readError';
import type { Message } from '../model/message';
import type { Diagnostic, Transcript } from '../model/transcript';
import { FORMATS } from './formats';
import type { SourceRecord } from './lineReader';
import { isSameValue } from './sameMessage';

/** Records that are looked at to tell the format. Sources put what identifies them first. */
const SAMPLE_RECORDS = 200;

/**
 * Makes the transcript of all parts of a session. Messages that say the same as in `before`, the transcript of an earlier state, are its
 * objects. Throws ReadError `unknownFormat` when no format knows the parts.
 */
export function transcriptOfParts(
  records: readonly SourceRecord[],
  damage: readonly Diagnostic[],
  before: Transcript | undefined,
): Transcript {
  const sample = records.slice(0, SAMPLE_RECORDS).map((record) => record.value);
  const scores = FORMATS.map((format) => ({ format, sureness: format.recognise(sample) }));
  const best = scores.reduce((a, b) => (b.sureness > a.sureness ? b : a));
  if (best.sureness === 0) throw new ReadError('unknownFormat');
  const collector = best.format.collect();
  for (const record of records) collector.add(record);
  const transcript = collector.assemble([], damage);
  return before === undefined ? transcript : { ...transcript, messages: keptObjects(transcript.messages, before.messages) };
}

/** Parts are read whole each time, and whoever draws the messages looks for changed objects. */
function keptObjects(messages: readonly Message[], before: readonly Message[]): readonly Message[] {
  const known = new Map(before.map((message) => [message.id, message]));
  return messages.map((message) => {
    const old = known.get(message.id);
    return old !== undefined && isSameValue(message, old) ? old : message;
  });
}
