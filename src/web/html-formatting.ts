import { BOUND, keyOf, SPACE } from './html-open-elements.ts';
import type { OpenElements } from './html-open-elements.ts';
import { TAG } from './html-names.ts';

interface Entry {
  /** 0 for a marker. */
  readonly tag: number;
  identity: number;
  /** The tag's attributes as written, to tell equal elements (Noah's Ark clause). */
  readonly attributes: string;
}

const MARKER: Entry = { tag: 0, identity: 0, attributes: '' };
/** Equal elements kept after the last marker. */
const ARK_SIZE = 3;
const OUTER_LOOPS = 8;
const INNER_LOOPS = 3;

/** The list of active formatting elements and the adoption agency (WHATWG HTML 13.2.4.3, 13.2.6.4.7). */
export class FormattingList {
  readonly #open: OpenElements;
  readonly #entries: Entry[] = [];

  constructor(open: OpenElements) {
    this.#open = open;
  }

  addMarker(): void {
    this.#entries.push(MARKER);
  }

  clearToMarker(): void {
    while (this.#entries.length > 0 && this.#entries.pop() !== MARKER);
  }

  /** Adds the current element. */
  add(tag: number, identity: number, attributes: string): void {
    let equals = 0;
    let earliest = -1;
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      const entry = this.#entries[i] as Entry;
      if (entry === MARKER) break;
      this.#open.steps++;
      if (entry.tag === tag && entry.attributes === attributes) {
        equals++;
        earliest = i;
      }
    }
    if (equals >= ARK_SIZE) this.#entries.splice(earliest, 1);
    this.#entries.push({ tag, identity, attributes });
  }

  /** Index of the last entry of this name after the last marker, -1 if none. */
  #findLast(tag: number): number {
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      const entry = this.#entries[i] as Entry;
      if (entry === MARKER) return -1;
      this.#open.steps++;
      if (entry.tag === tag) return i;
    }
    return -1;
  }

  #find(identity: number): number {
    for (let i = this.#entries.length - 1; i >= 0; i--) {
      this.#open.steps++;
      if ((this.#entries[i] as Entry).identity === identity) return i;
    }
    return -1;
  }

  /** Opens again what was closed too early ("reconstruct the active formatting elements"). */
  reconstruct(): void {
    let index = this.#entries.length - 1;
    while (index >= 0) {
      const entry = this.#entries[index] as Entry;
      if (entry === MARKER || this.#open.find(entry.identity) >= 0) break;
      index--;
    }
    for (index++; index < this.#entries.length; index++) {
      this.#open.steps++;
      const entry = this.#entries[index] as Entry;
      entry.identity = this.#open.push(keyOf(entry.tag, SPACE.html));
    }
  }

  /** Before a new `<a>`: closes one that is still active. */
  closeLink(endOther: (tag: number) => void): void {
    const index = this.#findLast(TAG.a);
    if (index < 0) return;
    const { identity } = this.#entries[index] as Entry;
    this.adopt(TAG.a, endOther);
    const left = this.#find(identity);
    if (left >= 0) this.#entries.splice(left, 1);
    const open = this.#open.find(identity);
    if (open >= 0) this.#open.remove(open);
  }

  /** The adoption agency algorithm; `endOther` does "any other end tag". */
  adopt(tag: number, endOther: (tag: number) => void): void {
    const open = this.#open;
    if (open.isTop(tag) && this.#find(open.topIdentity) < 0) {
      open.pop();
      return;
    }
    for (let loop = 0; loop < OUTER_LOOPS; loop++) {
      const listed = this.#findLast(tag);
      if (listed < 0) {
        endOther(tag);
        return;
      }
      const formatting = this.#entries[listed] as Entry;
      const index = open.find(formatting.identity);
      if (index < 0) {
        this.#entries.splice(listed, 1);
        return;
      }
      if (open.isBoundAbove(index, BOUND.scope)) return;
      const furthest = open.findSpecialAbove(index);
      if (furthest < 0) {
        open.cutTo(index);
        this.#entries.splice(listed, 1);
        return;
      }
      this.#moveInto(formatting, index, furthest);
    }
  }

  /** Steps 9 to 19: what is between the formatting element and the furthest block is remade, the element put into the block. */
  #moveInto(formatting: Entry, index: number, furthestBlock: number): void {
    const open = this.#open;
    let furthest = furthestBlock;
    let bookmark = formatting;
    let isFirst = true;
    let counter = 0;
    for (let node = furthest - 1; node > index; node--) {
      counter++;
      const listed = this.#find(open.identities[node] as number);
      if (listed < 0 || counter > INNER_LOOPS) {
        if (listed >= 0) this.#entries.splice(listed, 1);
        open.remove(node);
        furthest--;
        continue;
      }
      const entry = this.#entries[listed] as Entry;
      entry.identity = open.newIdentity();
      open.identities[node] = entry.identity;
      if (isFirst) bookmark = entry;
      isFirst = false;
    }
    // `isFirst` holds as long as the last node is still the furthest block itself, removed ones do not count.
    const moved: Entry = { tag: formatting.tag, identity: open.newIdentity(), attributes: formatting.attributes };
    this.#entries.splice(this.#entries.indexOf(bookmark) + 1, 0, moved);
    this.#entries.splice(this.#entries.indexOf(formatting), 1);
    open.remove(index);
    open.insert(furthest, keyOf(moved.tag, SPACE.html), moved.identity);
  }
}
