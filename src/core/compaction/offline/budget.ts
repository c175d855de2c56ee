// Spends a budget of tokens on pieces of a summary. Pieces come in ever longer forms; steps say in which order they get their share.

export interface Piece {
  /** Shortest first; at least one. */
  readonly forms: readonly string[];
  /** Printed once above the first piece with the same label. */
  readonly label?: string;
  /** How many things it tells of; one unless stated. */
  readonly count?: number;
}

/** One helping: pieces in order of importance, the longest form that may be taken, and the part of the budget that it may use up. */
export interface Step {
  readonly pieces: readonly Piece[];
  readonly upTo: number;
  readonly share: number;
}

/** Index of the form that was taken; pieces that are not in it are left out. */
export type Selection = ReadonlyMap<Piece, number>;

/** Tokens of a piece in one of its forms. */
export type PriceOf = (piece: Piece, form: number) => number;

/** Makes prices that are estimated once. */
export function createPricer(estimate: (text: string) => number): PriceOf {
  const prices = new WeakMap<Piece, number[]>();
  return (piece, form) => {
    const text = piece.forms[form];
    if (text === undefined) return 0;
    const known = prices.get(piece) ?? [];
    prices.set(piece, known);
    return (known[form] ??= estimate(text) + LINE_END);
  };
}

export interface BudgetOptions {
  readonly priceOf: PriceOf;
  readonly budget: number;
  /** Tokens already spent on what is always there. */
  readonly spent: number;
}

/** Takes pieces step by step. `must` pieces are taken first in their shortest form, even over the budget. */
export function spendBudget(must: readonly Piece[], steps: readonly Step[], options: BudgetOptions): Selection {
  const { priceOf, budget } = options;
  const taken = new Map<Piece, number>();
  let spent = options.spent;
  for (const piece of must) {
    if (taken.has(piece)) continue;
    taken.set(piece, 0);
    spent += priceOf(piece, 0);
  }
  for (const { pieces, upTo, share } of steps) {
    let left = Math.min(share * budget, budget - spent);
    for (const piece of pieces) {
      if (left < SMALLEST) break;
      const has = taken.get(piece) ?? -1;
      for (let form = Math.min(upTo, piece.forms.length - 1); form > has; form--) {
        const price = priceOf(piece, form) - (has < 0 ? 0 : priceOf(piece, has));
        if (price > left) continue;
        taken.set(piece, form);
        spent += price;
        left -= price;
        break;
      }
    }
  }
  return taken;
}

/** A line end costs about this much of a token. */
const LINE_END = 0.3;
/** Nothing is worth trying below this many tokens. */
const SMALLEST = 3;
