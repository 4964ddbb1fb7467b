/**
 * Tag names that mean something to the parser (WHATWG HTML 13.2.6), as small numbers. 0 is any other name.
 * The keys are the names in lower case, but for the two that are no identifiers.
 */
export const TAG = {
  a: 1,
  address: 2,
  annotationXml: 3,
  applet: 4,
  area: 5,
  article: 6,
  aside: 7,
  b: 8,
  base: 9,
  basefont: 10,
  bgsound: 11,
  big: 12,
  blockquote: 13,
  body: 14,
  br: 15,
  button: 16,
  caption: 17,
  center: 18,
  code: 19,
  col: 20,
  colgroup: 21,
  dd: 22,
  desc: 23,
  details: 24,
  dialog: 25,
  dir: 26,
  div: 27,
  dl: 28,
  dt: 29,
  em: 30,
  embed: 31,
  fieldset: 32,
  figcaption: 33,
  figure: 34,
  font: 35,
  footer: 36,
  foreignObject: 37,
  form: 38,
  frame: 39,
  frameset: 40,
  h1: 41,
  h2: 42,
  h3: 43,
  h4: 44,
  h5: 45,
  h6: 46,
  head: 47,
  header: 48,
  hgroup: 49,
  hr: 50,
  html: 51,
  i: 52,
  iframe: 53,
  image: 54,
  img: 55,
  input: 56,
  keygen: 57,
  li: 58,
  link: 59,
  listing: 60,
  main: 61,
  malignmark: 62,
  marquee: 63,
  math: 64,
  menu: 65,
  meta: 66,
  mglyph: 67,
  mi: 68,
  mn: 69,
  mo: 70,
  ms: 71,
  mtext: 72,
  nav: 73,
  nobr: 74,
  noembed: 75,
  noframes: 76,
  noscript: 77,
  object: 78,
  ol: 79,
  optgroup: 80,
  option: 81,
  p: 82,
  param: 83,
  plaintext: 84,
  pre: 85,
  rb: 86,
  rp: 87,
  rt: 88,
  rtc: 89,
  ruby: 90,
  s: 91,
  script: 92,
  search: 93,
  section: 94,
  select: 95,
  small: 96,
  source: 97,
  span: 98,
  strike: 99,
  strong: 100,
  style: 101,
  sub: 102,
  summary: 103,
  sup: 104,
  svg: 105,
  table: 106,
  tbody: 107,
  td: 108,
  template: 109,
  textarea: 110,
  tfoot: 111,
  th: 112,
  thead: 113,
  title: 114,
  tr: 115,
  track: 116,
  tt: 117,
  u: 118,
  ul: 119,
  var: 120,
  wbr: 121,
  xmp: 122,
} as const;

/** Numbers from here on are free for names a parser meets on its way. */
export const FIRST_UNKNOWN_TAG = 123;

const SPELLINGS: Readonly<Record<string, string>> = { annotationXml: 'annotation-xml', foreignObject: 'foreignobject' };

/** Name in lower case as bytes, by tag number. */
export const TAG_BYTES: readonly Uint8Array[] = [
  new Uint8Array(0),
  ...Object.keys(TAG).map((key) => Buffer.from(SPELLINGS[key] ?? key, 'latin1')),
];

/** Lower case of each byte that can go on a tag name; 0 for the white space, `/` and `>` that end it (WHATWG HTML 13.2.5.8). */
export const NAME_BYTES: Uint8Array = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte === 0x09 || byte === 0x0a || byte === 0x0c || byte === 0x0d || byte === 0x20) return 0;
  if (byte === 0x2f || byte === 0x3e) return 0;
  // NUL becomes U+FFFD, which no known name holds; any byte that is in none will do.
  if (byte === 0) return 1;
  return byte >= 0x41 && byte <= 0x5a ? byte + 0x20 : byte;
});

/** Slots of the hash table: enough that few names share one. */
const SLOT_MASK = 1023;
const slots = new Uint8Array(SLOT_MASK + 1);

/** Hash of a name is `hash * HASH_FACTOR + lower-case byte`, as a 32-bit number, from 0. */
export const HASH_FACTOR = 31;

for (let tag = 1; tag < TAG_BYTES.length; tag++) {
  let hash = 0;
  for (const byte of TAG_BYTES[tag] ?? []) hash = (Math.imul(hash, HASH_FACTOR) + byte) | 0;
  let slot = hash & SLOT_MASK;
  while (slots[slot] !== 0) slot = (slot + 1) & SLOT_MASK;
  slots[slot] = tag;
}

/** Number of the tag name in `bytes[start, end)` with this hash, 0 if unknown. */
export function findTag(bytes: Uint8Array, start: number, end: number, hash: number): number {
  const length = end - start;
  for (let slot = hash & SLOT_MASK; ; slot = (slot + 1) & SLOT_MASK) {
    const tag = slots[slot] as number;
    if (tag === 0) return 0;
    const name = TAG_BYTES[tag] as Uint8Array;
    if (name.length !== length) continue;
    let i = 0;
    while (i < length && NAME_BYTES[bytes[start + i] as number] === name[i]) i++;
    if (i === length) return tag;
  }
}

/** A table by tag number: `value` for the listed names, 0 else. */
export function tagTable(...groups: readonly (readonly [value: number, tags: readonly number[]])[]): Uint8Array {
  const table = new Uint8Array(256);
  for (const [value, tags] of groups) for (const tag of tags) table[tag] = (table[tag] ?? 0) | value;
  return table;
}

/** Start tags that leave SVG and MathML (WHATWG HTML 13.2.6.5); `font` does by its attributes. */
export const FOREIGN_EXITS: Uint8Array = tagTable([
  1,
  [
    TAG.b,
    TAG.big,
    TAG.blockquote,
    TAG.body,
    TAG.br,
    TAG.center,
    TAG.code,
    TAG.dd,
    TAG.div,
    TAG.dl,
    TAG.dt,
    TAG.em,
    TAG.embed,
    TAG.h1,
    TAG.h2,
    TAG.h3,
    TAG.h4,
    TAG.h5,
    TAG.h6,
    TAG.head,
    TAG.hr,
    TAG.i,
    TAG.img,
    TAG.li,
    TAG.listing,
    TAG.menu,
    TAG.meta,
    TAG.nobr,
    TAG.ol,
    TAG.p,
    TAG.pre,
    TAG.ruby,
    TAG.s,
    TAG.small,
    TAG.span,
    TAG.strong,
    TAG.strike,
    TAG.sub,
    TAG.sup,
    TAG.table,
    TAG.tt,
    TAG.u,
    TAG.ul,
    TAG.var,
  ],
]);

/** How the content of an HTML element is to be read (WHATWG HTML 13.2.6.2): 1 raw text, 2 RCDATA, 3 script, 4 plaintext. */
export const CONTENT_MODEL: Uint8Array = tagTable(
  [1, [TAG.style, TAG.xmp, TAG.iframe, TAG.noembed, TAG.noframes]],
  [2, [TAG.title, TAG.textarea]],
  [3, [TAG.script]],
  [4, [TAG.plaintext]],
);
