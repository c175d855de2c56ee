export interface Disposable {
  dispose(): void;
}

/** Holds disposables; disposing twice is harmless, and what is added late is disposed at once. */
export class DisposableStore implements Disposable {
  #items: Disposable[] | undefined = [];

  add<T extends Disposable>(item: T): T {
    if (this.#items === undefined) item.dispose();
    else this.#items.push(item);
    return item;
  }

  dispose(): void {
    const items = this.#items;
    this.#items = undefined;
    for (const item of items?.reverse() ?? []) item.dispose();
  }
}
