import { FIRST_UNKNOWN_TAG, TAG, tagTable } from './html-names.ts';

/** Namespaces of an open element. */
export const SPACE = { html: 0, svg: 1, math: 2 } as const;

/** What bounds a search through the stack, as bits (WHATWG HTML 13.2.4.2). */
export const BOUND = { special: 1, scope: 2, listItem: 4, button: 8, table: 16, tableBody: 32, tableRow: 64 } as const;
const IMPLIED = 128;

const HTML_BITS = tagTable(
  [
    BOUND.special,
    [
      TAG.address,
      TAG.applet,
      TAG.area,
      TAG.article,
      TAG.aside,
      TAG.base,
      TAG.basefont,
      TAG.bgsound,
      TAG.blockquote,
      TAG.body,
      TAG.br,
      TAG.button,
      TAG.caption,
      TAG.center,
      TAG.col,
      TAG.colgroup,
      TAG.dd,
      TAG.details,
      TAG.dir,
      TAG.div,
      TAG.dl,
      TAG.dt,
      TAG.embed,
      TAG.fieldset,
      TAG.figcaption,
      TAG.figure,
      TAG.footer,
      TAG.form,
      TAG.frame,
      TAG.frameset,
      TAG.h1,
      TAG.h2,
      TAG.h3,
      TAG.h4,
      TAG.h5,
      TAG.h6,
      TAG.head,
      TAG.header,
      TAG.hgroup,
      TAG.hr,
      TAG.html,
      TAG.iframe,
      TAG.img,
      TAG.input,
      TAG.keygen,
      TAG.li,
      TAG.link,
      TAG.listing,
      TAG.main,
      TAG.marquee,
      TAG.menu,
      TAG.meta,
      TAG.nav,
      TAG.noembed,
      TAG.noframes,
      TAG.noscript,
      TAG.object,
      TAG.ol,
      TAG.p,
      TAG.param,
      TAG.plaintext,
      TAG.pre,
      TAG.script,
      TAG.search,
      TAG.section,
      TAG.select,
      TAG.source,
      TAG.style,
      TAG.summary,
      TAG.table,
      TAG.tbody,
      TAG.td,
      TAG.template,
      TAG.textarea,
      TAG.tfoot,
      TAG.th,
      TAG.thead,
      TAG.title,
      TAG.tr,
      TAG.track,
      TAG.ul,
      TAG.wbr,
      TAG.xmp,
    ],
  ],
  [
    BOUND.scope | BOUND.listItem | BOUND.button,
    [TAG.applet, TAG.caption, TAG.html, TAG.table, TAG.td, TAG.th, TAG.marquee, TAG.object, TAG.template],
  ],
  [BOUND.listItem, [TAG.ol, TAG.ul]],
  [BOUND.button, [TAG.button]],
  [BOUND.table, [TAG.table, TAG.html, TAG.template]],
  [BOUND.tableBody, [TAG.tbody, TAG.tfoot, TAG.thead, TAG.html, TAG.template]],
  [BOUND.tableRow, [TAG.tr, TAG.html, TAG.template]],
  [IMPLIED, [TAG.dd, TAG.dt, TAG.li, TAG.optgroup, TAG.option, TAG.p, TAG.rb, TAG.rp, TAG.rt, TAG.rtc]],
);
const FOREIGN_BOUND = BOUND.special | BOUND.scope | BOUND.listItem | BOUND.button;
const SVG_BITS = tagTable([FOREIGN_BOUND, [TAG.foreignObject, TAG.desc, TAG.title]]);
const MATH_BITS = tagTable([FOREIGN_BOUND, [TAG.mi, TAG.mo, TAG.mn, TAG.ms, TAG.mtext, TAG.annotationXml]]);
const MATH_TEXT = tagTable([1, [TAG.mi, TAG.mo, TAG.mn, TAG.ms, TAG.mtext]]);
const THOROUGHLY_IMPLIED = tagTable([
  1,
  [TAG.caption, TAG.colgroup, TAG.tbody, TAG.td, TAG.tfoot, TAG.th, TAG.thead, TAG.tr],
]);

/** An element is `tag * 4 + space`. */
export function keyOf(tag: number, space: number): number {
  return tag * 4 + space;
}

function bitsOf(key: number): number {
  const tag = key >> 2;
  if (tag >= FIRST_UNKNOWN_TAG) return 0;
  const space = key & 3;
  const table = space === SPACE.html ? HTML_BITS : space === SPACE.svg ? SVG_BITS : MATH_BITS;
  return table[tag] as number;
}

/**
 * The stack of open elements (WHATWG HTML 13.2.4.2) without elements: a key and an identity each.
 * `steps` counts what its searches cost, so that the owner can give up on a page made to be slow.
 */
export class OpenElements {
  readonly keys: number[] = [];
  /** Identity of each; negative for a MathML `annotation-xml` that holds HTML. */
  readonly identities: number[] = [];
  steps = 0;
  /** How many are open, by key, so that a search for what is not there costs nothing. */
  readonly #counts = new Map<number, number>();
  #lastIdentity = 0;

  get top(): number {
    return this.keys[this.keys.length - 1] ?? -1;
  }

  get topIdentity(): number {
    return this.identities[this.identities.length - 1] ?? 0;
  }

  newIdentity(): number {
    return ++this.#lastIdentity;
  }

  push(key: number, holdsHtml = false): number {
    const identity = this.newIdentity();
    this.keys.push(key);
    this.identities.push(holdsHtml ? -identity : identity);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
    return identity;
  }

  pop(): void {
    this.identities.pop();
    const key = this.keys.pop();
    if (key !== undefined) this.#counts.set(key, (this.#counts.get(key) ?? 1) - 1);
  }

  /** Removes what is at `index` from the middle. */
  remove(index: number): void {
    const key = this.keys[index];
    if (key === undefined) return;
    this.steps += this.keys.length - index;
    this.keys.splice(index, 1);
    this.identities.splice(index, 1);
    this.#counts.set(key, (this.#counts.get(key) ?? 1) - 1);
  }

  insert(index: number, key: number, identity: number): void {
    this.steps += this.keys.length - index;
    this.keys.splice(index, 0, key);
    this.identities.splice(index, 0, identity);
    this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1);
  }

  has(tag: number): boolean {
    return (this.#counts.get(keyOf(tag, SPACE.html)) ?? 0) > 0;
  }

  count(tag: number): number {
    return this.#counts.get(keyOf(tag, SPACE.html)) ?? 0;
  }

  isTop(tag: number): boolean {
    return this.top === keyOf(tag, SPACE.html);
  }

  /** Index of the element with this identity, -1 if it is not open. */
  find(identity: number): number {
    for (let i = this.identities.length - 1; i >= 0; i--) {
      this.steps++;
      if (this.identities[i] === identity) return i;
    }
    return -1;
  }

  /** Whether the HTML element is open above the nearest bound. */
  isInScope(tag: number, bound: number): boolean {
    return this.has(tag) && this.indexInScope(tag, bound) >= 0;
  }

  indexInScope(tag: number, bound: number): number {
    const key = keyOf(tag, SPACE.html);
    for (let i = this.keys.length - 1; i >= 0; i--) {
      this.steps++;
      const open = this.keys[i] as number;
      if (open === key) return i;
      if ((bitsOf(open) & bound) !== 0) return -1;
    }
    return -1;
  }

  /** Lowest special element above `index`, -1 if none. */
  findSpecialAbove(index: number): number {
    for (let i = index + 1; i < this.keys.length; i++) {
      this.steps++;
      if ((bitsOf(this.keys[i] as number) & BOUND.special) !== 0) return i;
    }
    return -1;
  }

  /** Whether a scope's bound lies above `index`. */
  isBoundAbove(index: number, bound: number): boolean {
    for (let i = this.keys.length - 1; i > index; i--) {
      this.steps++;
      if ((bitsOf(this.keys[i] as number) & bound) !== 0) return true;
    }
    return false;
  }

  isSpecial(index: number): boolean {
    return (bitsOf(this.keys[index] as number) & BOUND.special) !== 0;
  }

  cutTo(length: number): void {
    while (this.keys.length > length) this.pop();
  }

  /** Pops up to and with the topmost HTML element of this name. */
  popUntil(tag: number): void {
    const key = keyOf(tag, SPACE.html);
    while (this.keys.length > 0) {
      const top = this.top;
      this.pop();
      if (top === key) return;
    }
  }

  /** Pops until one of the bounding elements is the current one ("clear the stack back to a … context"). */
  clearTo(bound: number): void {
    while (this.keys.length > 0 && ((this.top & 3) !== SPACE.html || (bitsOf(this.top) & bound) === 0)) this.pop();
  }

  popImplied(except = 0): void {
    while ((this.top & 3) === SPACE.html && this.top >> 2 !== except && (bitsOf(this.top) & IMPLIED) !== 0) this.pop();
  }

  popImpliedThoroughly(): void {
    for (;;) {
      const { top } = this;
      if (top < 0 || (top & 3) !== SPACE.html) return;
      if ((bitsOf(top) & IMPLIED) === 0 && THOROUGHLY_IMPLIED[top >> 2] !== 1) return;
      this.pop();
    }
  }

  /** Whether the current element is in SVG or MathML. */
  isForeign(): boolean {
    return this.keys.length > 0 && (this.top & 3) !== SPACE.html;
  }

  isMathTextPoint(): boolean {
    const { top } = this;
    return (top & 3) === SPACE.math && MATH_TEXT[top >> 2] === 1;
  }

  /** Whether HTML may stand in the current foreign element. */
  isHtmlPoint(): boolean {
    const { top } = this;
    return (top & 3) === SPACE.svg ? ((SVG_BITS[top >> 2] ?? 0) & BOUND.special) !== 0 : this.topIdentity < 0;
  }
}
