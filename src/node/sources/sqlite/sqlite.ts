// What is used of sql.js, which ships no types.

export type SqlValue = string | number | Uint8Array | null;

export interface Statement {
  bind(values: readonly SqlValue[]): boolean;
  step(): boolean;
  get(): SqlValue[];
  free(): boolean;
}

export interface Database {
  prepare(sql: string): Statement;
  run(sql: string, values?: readonly SqlValue[]): Database;
  export(): Uint8Array;
  close(): void;
}

export interface SqlJs {
  readonly Database: new (data?: Uint8Array) => Database;
}
