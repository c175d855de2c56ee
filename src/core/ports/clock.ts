export interface Clock {
  /** Milliseconds since 1970. */
  now(): number;
}

/** Makes ids for new sessions and records (UUID v4 text). */
export interface IdSource {
  uuid(): string;
}
