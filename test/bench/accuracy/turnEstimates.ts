import { errorBand, type FittedGeneration, type GuessedTokens } from '../../../src/core/tokens/errorBand';
import { contentTokens } from '../../../src/core/tokens/messageTokens';
import { heldToOutput, isPlaceholder, replySize } from '../../../src/core/tokens/replySize';
import { afterWindow, scaled, startingFit, type SessionFit } from '../../../src/core/tokens/sessionFit';
import { laterParts, replyParts, type TurnRow } from './turnRows';

/** An estimate of one turn, made from what the session had shown before it. */
export interface TurnEstimate {
  readonly row: TurnRow;
  readonly tokens: number;
  readonly band: number;
  readonly guessed: GuessedTokens;
}

/**
 * Estimates each turn of sessions as the product estimates what follows the newest report: the answer by its recorded output, the rest by
 * counted text and blocks, both under the factor that the turns before have shown. `fitted` gives the numbers for a row.
 */
export function estimateTurns(rows: readonly TurnRow[], fitted: (row: TurnRow) => FittedGeneration): readonly TurnEstimate[] {
  const fits = new Map<string, SessionFit>();
  return rows.map((row) => {
    const { cost, band } = fitted(row);
    const fit = fits.get(row.session) ?? startingFit(1);
    const reply = contentTokens(replyParts(row), cost);
    const later = contentTokens(laterParts(row), cost);
    fits.set(row.session, afterWindow(fit, windowOf(row, reply, later), band));
    const shown = replySize(row.outputTokens, heldToOutput(row.outputTokens, reply * fit.scale));
    const guessed = guessOf(row, shown.isGuessed ? reply : 0, later);
    const inPrompt = scaled(guessed, fit.scale);
    return {
      row,
      tokens: Math.trunc(shown.tokens) + Math.trunc(inPrompt.later),
      band: errorBand(inPrompt, band, fit.bandFactor),
      guessed: inPrompt,
    };
  });
}

function windowOf(row: TurnRow, reply: number, later: number): { readonly actual: number; readonly guessed: GuessedTokens } {
  const isGuessed = isPlaceholder(row.outputTokens, reply);
  return { actual: row.deltaTokens - (isGuessed ? 0 : row.outputTokens), guessed: guessOf(row, isGuessed ? reply : 0, later) };
}

function guessOf(row: TurnRow, reply: number, later: number): GuessedTokens {
  return { later, reply, hiddenThinking: reply > 0 ? row.thinkingBlocks : 0 };
}
