import { prepareSummaryInput } from '../../../src/core/prepare/summaryInput';
import { transcriptLines } from '../../../src/core/prompts/flattenTranscript';
import { summaryPrompt } from '../../../src/core/prompts/summaryPrompt';
import { isRecord, stringOf, type JsonRecord } from '../../../src/core/util/json';
import { isDeepStrictEqual } from 'node:util';
import type { CaseAdapter, CaseCall } from '../caseTypes';

const NONCE = '0123456789abcdef';
const OPEN = `<transcript ${NONCE}>\n`;
const CLOSE = `\n</transcript ${NONCE}>`;

/** The request that asks a model for a summary. */
export const prompt: CaseAdapter = {
  functions: { buildSummaryRequest: (call) => request(call) },
  properties: {
    P51: (call) => {
      const { system, data, before, after } = parts(call);
      const empty = parts({ ...call, messages: [] });
      if (system !== empty.system) return 'the system part depends on the transcript';
      if (before.includes(OPEN) || after.includes(CLOSE) || /<\/?transcript/i.test(data)) return 'the data hold a delimiter';
      const lines = data.split('\n').map((line): unknown => JSON.parse(line));
      const written: unknown = JSON.parse(JSON.stringify(transcriptLines(prepareSummaryInput(call.messages))));
      return isDeepStrictEqual(lines, written) ? undefined : 'the data cannot be read back';
    },
  },
};

function request(call: CaseCall): JsonRecord {
  const { system, user, data, after } = parts(call);
  return {
    system,
    user,
    dataDelimiterClosedBy: user.split('</transcript').length === 2 ? 'builder' : 'data',
    instructionAfterData: after.trim() !== '' && !after.includes(data),
    roleOf: Object.fromEntries(data.split('\n').flatMap(authorOfTexts)),
  };
}

/** Each line of a text with the author that the flattened form names. */
function authorOfTexts(line: string): readonly (readonly [string, string])[] {
  const value: unknown = JSON.parse(line);
  if (!isRecord(value)) return [];
  const author = stringOf(value, 'author') ?? '';
  return (stringOf(value, 'text') ?? '').split('\n').map((text) => [text, author] as const);
}

interface Parts {
  readonly system: string;
  readonly user: string;
  readonly before: string;
  readonly data: string;
  readonly after: string;
}

function parts({ messages }: CaseCall): Parts {
  const prepared = prepareSummaryInput(messages);
  const { system, user } = summaryPrompt({ messages: prepared, direction: undefined, instructions: '', maxOutputTokens: 1000 }, NONCE);
  const from = user.indexOf(OPEN) + OPEN.length;
  const to = user.lastIndexOf(CLOSE);
  return { system, user, before: user.slice(0, from - OPEN.length), data: user.slice(from, to), after: user.slice(to + CLOSE.length) };
}
