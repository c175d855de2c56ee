import type { Diagnostic, Transcript } from '../../model/transcript';
import type { SourceRecord } from '../lineReader';
import type { RecordCollector } from './format';
import { StableNames } from './stableNames';

/**
 * Collector of a format in which a later record may change what an earlier one said (replace, rewind, compact): each record is translated
 * once, and all translations are folded anew for every transcript. Linear in the records.
 */
export class FoldCollector<R> implements RecordCollector {
  readonly #translate: (source: SourceRecord) => R;
  readonly #fold: (records: readonly R[], damage: readonly Diagnostic[], names: StableNames) => Transcript;
  readonly #records: R[] = [];
  readonly #early = new WeakMap<SourceRecord, R>();
  readonly #names = new StableNames();

  constructor(
    translate: (source: SourceRecord) => R,
    fold: (records: readonly R[], damage: readonly Diagnostic[], names: StableNames) => Transcript,
  ) {
    this.#translate = translate;
    this.#fold = fold;
  }

  add(source: SourceRecord): void {
    this.#records.push(this.#early.get(source) ?? this.#translate(source));
  }

  assemble(tail: readonly SourceRecord[], damage: readonly Diagnostic[]): Transcript {
    const pending = tail.map((source) => {
      const record = this.#early.get(source) ?? this.#translate(source);
      this.#early.set(source, record);
      return record;
    });
    return this.#fold([...this.#records, ...pending], damage, this.#names);
  }
}
