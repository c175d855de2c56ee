// A small seeded generator of numbers, so that the sample comes out the same on every machine.

/** @param {number} seed */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    // Mulberry32: one multiplication chain a step is plenty for filling tables.
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const integer = (from, to) => from + Math.floor(next() * (to - from + 1));
  return {
    integer,
    pick: (list) => list[integer(0, list.length - 1)],
    hex: (length) => Array.from({ length }, () => integer(0, 15).toString(16)).join(''),
    uuid() {
      const part = (length) => this.hex(length);
      return `${part(8)}-${part(4)}-4${part(3)}-${this.pick(['8', '9', 'a', 'b'])}${part(3)}-${part(12)}`;
    },
  };
}
