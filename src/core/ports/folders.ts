/** Makes directories. Rejects with StoreError. */
export interface Folders {
  /**
   * Makes a directory with mode 0700 in one that exists; one that is there already stays as it is. Rejects with `link` when a link has the name
   * and with `exists` when anything else but a directory has it.
   */
  ensure(path: string): Promise<void>;
}
