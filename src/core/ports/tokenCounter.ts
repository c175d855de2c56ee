/** Counts the tokens of plain text. Special-token text counts as ordinary text; never throws. */
export interface TokenCounter {
  /** For example `o200k_base` or `bytes/3.5`; shown beside numbers that it made. */
  readonly id: string;
  count(text: string): number;
}
