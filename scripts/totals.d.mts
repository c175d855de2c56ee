// Types of totals.mjs for its test.
export interface Total {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}
export function totalLine(total: Total): string;
export function readTotal(output: string): Total | undefined;
export function sum(totals: readonly Total[]): Total;
export function judge(run: { readonly output: string; readonly status: number }): Total;
