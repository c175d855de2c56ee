/**
 * Value of a record of a source that has several parts: a file of a session's folder, or a row of its database. Only the host's readers make
 * one; JSON of a file never is an instance and so cannot pass for a part.
 */
export class PartRecord {
  constructor(
    /** Path below the session's folder, with `/`, or name of the table. */
    readonly part: string,
    /** The file's JSON, one line of it, or the row as a record of its columns. */
    readonly value: unknown,
  ) {}
}

/** Value of a record of a source that is text and not JSON: one line without its line end. */
export class TextLine {
  constructor(readonly text: string) {}
}
