const INITIAL_SLOTS = 1024;

/**
 * 64-bit fingerprint → number from 1, in memory: open addressing with linear probing in one typed array, three words a slot
 * (high, low, number; number 0 is an empty slot). 12 bytes a slot, filled to at most two thirds, doubled when full.
 * Fingerprints must be well mixed: their upper half chooses the slot.
 */
export class FingerprintIndex {
  #slots = new Int32Array(INITIAL_SLOTS * 3);
  #mask = INITIAL_SLOTS - 1;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The number stored for this fingerprint, 0 if none. */
  get(high: number, low: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    for (let slot = high & mask; ; slot = (slot + 1) & mask) {
      const at = slot * 3;
      const number = slots[at + 2] as number;
      if (number === 0) return 0;
      if (slots[at] === high && slots[at + 1] === low) return number >>> 0;
    }
  }

  /** Stores a number, unless the fingerprint has one already: then that one is returned and stays. 0 says it was stored. */
  add(high: number, low: number, number: number): number {
    const slots = this.#slots;
    const mask = this.#mask;
    let slot = high & mask;
    for (; ; slot = (slot + 1) & mask) {
      const at = slot * 3;
      const present = slots[at + 2] as number;
      if (present === 0) break;
      if (slots[at] === high && slots[at + 1] === low) return present >>> 0;
    }
    const at = slot * 3;
    slots[at] = high;
    slots[at + 1] = low;
    slots[at + 2] = number;
    this.#size++;
    if (this.#size * 3 > (mask + 1) * 2) this.#resize((mask + 1) * 2);
    return 0;
  }

  /** Makes room for this many entries at once, so that loading does not double step by step. */
  reserve(entries: number): void {
    let slots = this.#mask + 1;
    while (entries * 3 > slots * 2) slots *= 2;
    if (slots > this.#mask + 1) this.#resize(slots);
  }

  #resize(slotCount: number): void {
    const old = this.#slots;
    const slots = new Int32Array(slotCount * 3);
    const mask = slotCount - 1;
    for (let from = 0; from < old.length; from += 3) {
      const number = old[from + 2] as number;
      if (number === 0) continue;
      const high = old[from] as number;
      let slot = high & mask;
      while (slots[slot * 3 + 2] !== 0) slot = (slot + 1) & mask;
      const at = slot * 3;
      slots[at] = high;
      slots[at + 1] = old[from + 1] as number;
      slots[at + 2] = number;
    }
    this.#slots = slots;
    this.#mask = mask;
  }
}
