import { NO_TOKEN, type PlaceOf } from './rankTable';
import type { TextBytes } from './textBytes';

/** Merges the bytes from `from` to `to` into tokens and returns where each of them ends; valid until the next call. */
export type WindowMerger = (text: TextBytes, from: number, to: number) => Int32Array;

/** A heap's key holds the rank above this, the position below: the lowest rank comes first, the leftmost of equal ranks. */
const POSITIONS = 2 ** 31;

/**
 * Creates a merger that keeps the possible merges in a heap. An entry whose rank is no longer that of its position is out of date and
 * skipped, so each merge costs two entries at most.
 */
export function createWindowMerger(placeOf: PlaceOf): WindowMerger {
  let scratch = createScratch(2048);

  return (text, from, to) => {
    const length = to - from;
    if (length > scratch.next.length - 1) scratch = createScratch(length);
    const { next, previous, joined, heap, ends } = scratch;
    let size = 0;
    for (let i = 0; i < length; i++) {
      next[i] = i + 1;
      previous[i] = i - 1;
      const rank = i + 1 < length ? placeOf(text, from + i, from + i + 2) : NO_TOKEN;
      joined[i] = rank;
      if (rank !== NO_TOKEN) heap[size++] = rank * POSITIONS + i;
    }
    for (let i = (size >> 1) - 1; i >= 0; i--) siftDown(heap, size, i, heap[i] ?? 0);
    while (size > 0) {
      const top = heap[0] ?? 0;
      const rank = (top / POSITIONS) | 0;
      const left = (top - rank * POSITIONS) | 0;
      // What takes the place of the entry at the top, so that the heap is put in order once.
      let replaced = false;
      if (joined[left] === rank) {
        const middle = next[left] ?? length;
        const right = next[middle] ?? length;
        joined[middle] = NO_TOKEN;
        next[left] = right;
        if (right < length) previous[right] = left;
        const after = right < length ? placeOf(text, from + left, from + (next[right] ?? length)) : NO_TOKEN;
        joined[left] = after;
        if (after !== NO_TOKEN) {
          siftDown(heap, size, 0, after * POSITIONS + left);
          replaced = true;
        }
        const before = previous[left] ?? -1;
        if (before >= 0) {
          const joint = placeOf(text, from + before, from + right);
          joined[before] = joint;
          if (joint !== NO_TOKEN) {
            const key = joint * POSITIONS + before;
            if (replaced) siftUp(heap, size++, key);
            else siftDown(heap, size, 0, key);
            replaced = true;
          }
        }
      }
      if (!replaced) {
        size -= 1;
        if (size > 0) siftDown(heap, size, 0, heap[size] ?? 0);
      }
    }
    let count = 0;
    for (let i = 0; i < length; i = next[i] ?? length) ends[count++] = from + (next[i] ?? length);
    return ends.subarray(0, count);
  };
}

interface Scratch {
  readonly next: Int32Array;
  readonly previous: Int32Array;
  /** Rank of the token that the part at a position and the part behind it would make; NO_TOKEN where no part starts. */
  readonly joined: Int32Array;
  readonly heap: Float64Array;
  readonly ends: Int32Array;
}

function createScratch(length: number): Scratch {
  return {
    next: new Int32Array(length + 1),
    previous: new Int32Array(length + 1),
    joined: new Int32Array(length + 1),
    // Each merge takes one entry away and adds two at most.
    heap: new Float64Array(2 * length + 2),
    ends: new Int32Array(length),
  };
}

function siftDown(heap: Float64Array, size: number, from: number, key: number): void {
  let at = from;
  for (;;) {
    let child = 2 * at + 1;
    if (child >= size) break;
    let smallest = heap[child] ?? 0;
    const other = child + 1 < size ? (heap[child + 1] ?? 0) : Infinity;
    if (other < smallest) {
      child += 1;
      smallest = other;
    }
    if (smallest >= key) break;
    heap[at] = smallest;
    at = child;
  }
  heap[at] = key;
}

function siftUp(heap: Float64Array, from: number, key: number): void {
  let at = from;
  while (at > 0) {
    const parent = (at - 1) >> 1;
    const above = heap[parent] ?? 0;
    if (above <= key) break;
    heap[at] = above;
    at = parent;
  }
  heap[at] = key;
}
