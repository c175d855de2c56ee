import { readFileSync } from 'node:fs';
import { generationOf, type Generation } from '../../../src/core/tokens/modelGeneration';

/** One turn of a real session: what its messages are made of, and what they cost. Figures only. */
export interface TurnRow {
  readonly model: string;
  readonly generation: Generation;
  readonly session: string;
  readonly turn: number;
  /** The truth: by how much the next prompt was larger. */
  readonly deltaTokens: number;
  /** As recorded with the answer; some versions of the agent record a placeholder. */
  readonly outputTokens: number;
  readonly thinkingBlocks: number;
  readonly textBlocks: number;
  readonly toolUseBlocks: number;
  readonly toolResultBlocks: number;
  readonly userTextBlocks: number;
  readonly assistantTokens: number;
  readonly userTokens: number;
  readonly assistantChars: number;
  readonly userChars: number;
}

/** Reads a table of turns (tab separated, first line names the columns), in the order of sessions and turns. Throws on a missing column. */
export function readTurnRows(file: string): readonly TurnRow[] {
  const [head = '', ...lines] = readFileSync(file, 'utf8').split('\n');
  const columns = head.trimEnd().split('\t');
  const at = (name: string): number => {
    const index = columns.indexOf(name);
    if (index < 0) throw new Error(`${file} has no column "${name}"`);
    return index;
  };
  const places = {
    model: at('model'),
    session: at('session'),
    turn: at('turn'),
    deltaTokens: at('delta_tokens'),
    outputTokens: at('output_tokens'),
    thinkingBlocks: at('thinking_blocks'),
    textBlocks: at('text_blocks'),
    toolUseBlocks: at('tool_use_blocks'),
    toolResultBlocks: at('tool_result_blocks'),
    userTextBlocks: at('user_text_blocks'),
    assistantTokens: at('o200k_assistant'),
    userTokens: at('o200k_user'),
    assistantChars: at('chars_assistant'),
    userChars: at('chars_user'),
  };
  const rows = lines.filter((line) => line.trim() !== '').map((line) => rowOf(line.trimEnd().split('\t'), places));
  return rows.sort((a, b) => (a.session < b.session ? -1 : a.session > b.session ? 1 : a.turn - b.turn));
}

type Places = Readonly<Record<Exclude<keyof TurnRow, 'generation'>, number>>;

function rowOf(cells: readonly string[], places: Places): TurnRow {
  const number = (place: number): number => {
    const value = Number(cells[place]);
    if (!Number.isFinite(value)) throw new Error(`"${cells[place] ?? ''}" is no number`);
    return value;
  };
  const model = cells[places.model] ?? '';
  return {
    model,
    generation: generationOf(model),
    session: cells[places.session] ?? '',
    turn: number(places.turn),
    deltaTokens: number(places.deltaTokens),
    outputTokens: number(places.outputTokens),
    thinkingBlocks: number(places.thinkingBlocks),
    textBlocks: number(places.textBlocks),
    toolUseBlocks: number(places.toolUseBlocks),
    toolResultBlocks: number(places.toolResultBlocks),
    userTextBlocks: number(places.userTextBlocks),
    assistantTokens: number(places.assistantTokens),
    userTokens: number(places.userTokens),
    assistantChars: number(places.assistantChars),
    userChars: number(places.userChars),
  };
}

/** What the assistant's message is made of. The text of its thinking is not in the table, so it counts as hidden. */
export function replyParts(row: TurnRow): RowParts {
  return {
    tokens: row.assistantTokens,
    chars: row.assistantChars,
    messages: 1,
    blocks: row.textBlocks + row.thinkingBlocks,
    calls: row.toolUseBlocks,
    results: 0,
    hiddenThinking: row.thinkingBlocks,
  };
}

/** What the messages after it are made of: one for each result, as the agent stores them, and one for each text. */
export function laterParts(row: TurnRow): RowParts {
  return {
    tokens: row.userTokens,
    chars: row.userChars,
    messages: row.toolResultBlocks + row.userTextBlocks,
    blocks: row.userTextBlocks,
    calls: 0,
    results: row.toolResultBlocks,
    hiddenThinking: 0,
  };
}

export interface RowParts {
  readonly tokens: number;
  readonly chars: number;
  readonly messages: number;
  readonly blocks: number;
  readonly calls: number;
  readonly results: number;
  readonly hiddenThinking: number;
}
