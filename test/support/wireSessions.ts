// The same made-up conversation as each agent would store it, for the formats that compacted copies are written in.
import fc from 'fast-check';
import type { FormatId } from '../../src/core/model/transcript';
import { anyText } from './arbitraries';
import { anthropic, dockerAgent, openai, opencode } from './wireChats';
import { claudeCode, codex, GEMINI_HEADER, geminiRecords, jsonl, pi, qwen } from './wireLogs';

type Json = Readonly<Record<string, unknown>>;

export interface WireCall {
  readonly id: string;
  readonly input: Json;
  readonly result: string;
}

/** What a person asked, and what the model did and said then: calls, their results, and an answer at the end. */
export interface WireTurn {
  readonly asked: string;
  readonly calls: readonly WireCall[];
  readonly said: string;
}

export interface WireForm {
  readonly name: string;
  readonly format: FormatId;
  readonly render: (turns: readonly WireTurn[]) => string;
}

/** Conversations of several turns with texts of every kind. No text is blank: most agents store no such message. */
export const wireTurns: fc.Arbitrary<readonly WireTurn[]> = fc
  .array(
    fc.record({
      asked: anyText,
      calls: fc.array(fc.record({ text: anyText, result: anyText }), { maxLength: 3 }),
      said: anyText,
    }),
    { minLength: 3, maxLength: 8 },
  )
  .map((turns) =>
    turns.map(({ asked, calls, said }, turn) => ({
      asked: `${turn}: ${asked}`,
      calls: calls.map(({ text, result }, at) => ({
        id: `call_${turn}_${at}`,
        input: { path: `src/${turn}.ts`, text },
        result: `r ${result}`,
      })),
      said: `Done ${turn}. ${said}`,
    })),
  );

export const WIRE_FORMS: readonly WireForm[] = [
  { name: 'claude-code', format: 'claude-code', render: claudeCode },
  { name: 'codex', format: 'codex', render: codex },
  { name: 'gemini', format: 'gemini', render: (turns) => jsonl([GEMINI_HEADER, ...geminiRecords(turns)]) },
  { name: 'gemini document', format: 'gemini', render: (turns) => JSON.stringify({ ...GEMINI_HEADER, messages: geminiRecords(turns) }) },
  { name: 'qwen', format: 'qwen', render: qwen },
  { name: 'pi', format: 'pi', render: pi },
  { name: 'docker-agent', format: 'docker-agent', render: dockerAgent },
  { name: 'opencode', format: 'opencode', render: opencode },
  { name: 'anthropic-messages lines', format: 'anthropic-messages', render: (turns) => jsonl(anthropic(turns)) },
  { name: 'anthropic-messages document', format: 'anthropic-messages', render: (turns) => JSON.stringify({ messages: anthropic(turns) }) },
  { name: 'openai-chat lines', format: 'openai-chat', render: (turns) => jsonl(openai(turns)) },
  { name: 'openai-chat document', format: 'openai-chat', render: (turns) => JSON.stringify({ model: 'm', messages: openai(turns) }) },
];
