import { decodeReferences } from './html-character-references.ts';
import { closeTag } from './html-end-tags.ts';
import { CONTENT_MODEL, FIRST_UNKNOWN_TAG, TAG } from './html-names.ts';
import { isQuirksDoctype } from './html-quirks.ts';
import { openTag } from './html-start-tags.ts';
import { FATE, TEXT, TreeState } from './html-tree-state.ts';
import type { StartTag } from './html-tree-state.ts';
import type { PageCollector } from './scan-collector.ts';
import { SLOT, TOKEN } from './scan-reader.ts';
import type { MarkupReader } from './scan-reader.ts';

/** Names that are kept apart; pages with more are made up. */
const MAX_NAMES = 10_000;
/** Steps through open elements allowed: some, and some more for each byte. */
const FREE_STEPS = 1_000_000;
const STEPS_PER_BYTE = 10;
/** Bytes of a doctype looked at. */
const MAX_DOCTYPE = 1024;

const NO_ATTRIBUTES: StartTag = {
  isSelfClosing: false,
  isHidden: false,
  hasLook: false,
  holdsHtml: false,
  attributes: '',
};

/**
 * Reads a page with the full state of tree construction (WHATWG HTML 13.2.6).
 * False when the page takes more steps than a page may: it was made to.
 */
export function scanExact(reader: MarkupReader, collector: PageCollector): boolean {
  const state = new TreeState(
    () => collector.noteBody(),
    () => collector.dropBody(),
  );
  const names = new Map<string, number>();
  const budget = FREE_STEPS + STEPS_PER_BYTE * reader.length;
  for (;;) {
    reader.isForeign = state.open.isForeign();
    const token = reader.next();
    feedText(reader, state);
    if (state.open.steps > budget) return false;
    if (token === TOKEN.end) return true;
    if (token === TOKEN.startTag) {
      if (!readStartTag(reader, collector, state, names)) return true;
    } else if (token === TOKEN.endTag) closeTag(state, findName(reader, names));
    else if (token === TOKEN.doctype) {
      const end = Math.min(reader.position - 1, reader.tokenStart + MAX_DOCTYPE);
      state.doctype(isQuirksDoctype(reader.bytes.toString('latin1', reader.tokenStart + 9, end)));
    } else if (reader.isForeign && reader.bytes[reader.tokenStart + 2] === 0x5b) state.text(TEXT.other);
  }
}

/** False when nothing can follow. */
function readStartTag(
  reader: MarkupReader,
  collector: PageCollector,
  state: TreeState,
  names: Map<string, number>,
): boolean {
  const { tag } = reader;
  const fate = openTag(state, findName(reader, names), describe(reader));
  if (fate === FATE.dropped) return true;
  const counts = !state.isInTemplate;
  if (fate === FATE.foreign) {
    if (counts) collector.takeForeign(reader);
    return true;
  }
  if (counts) collector.takeHtml(reader);
  if (collector.otherEncoding !== undefined) return false;
  const model = CONTENT_MODEL[tag] as number;
  if (model === 0) return true;
  const start = reader.position;
  const isClosed = reader.skipContent(tag, model);
  if (tag === TAG.title && counts) collector.takeTitle(start, reader.contentEnd);
  return isClosed;
}

/** Number of the tag's name, also of one that means nothing to the parser. */
function findName(reader: MarkupReader, names: Map<string, number>): number {
  if (reader.tag !== 0) return reader.tag;
  const name = reader.bytes.toString('latin1', reader.nameStart, reader.nameEnd).toLowerCase();
  const known = names.get(name);
  if (known !== undefined) return known;
  const number = FIRST_UNKNOWN_TAG + names.size;
  if (names.size < MAX_NAMES) names.set(name, number);
  return number;
}

function describe(reader: MarkupReader): StartTag {
  const { bytes, slots } = reader;
  if (reader.nameEnd + 1 === reader.position) return NO_ATTRIBUTES;
  const value = (slot: number): string => {
    const start = slots[2 * slot] as number;
    return start === -1
      ? ''
      : decodeReferences(bytes.toString('latin1', start, slots[2 * slot + 1]), true).toLowerCase();
  };
  const { tag } = reader;
  const encoding = tag === TAG.annotationXml ? value(SLOT.encoding) : '';
  return {
    isSelfClosing: reader.isSelfClosing,
    isHidden: tag === TAG.input && value(SLOT.type) === 'hidden',
    hasLook: tag === TAG.font && slots[2 * SLOT.look] !== -1,
    holdsHtml: encoding === 'text/html' || encoding === 'application/xhtml+xml',
    attributes: bytes.toString('latin1', reader.nameEnd, Math.min(reader.position - 1, reader.nameEnd + 1024)).trim(),
  };
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x09 || code === 0x0d || code === 0x0c;
}

/** Tells the state of the text before the token, as runs of white space, NUL and the rest. */
function feedText(reader: MarkupReader, state: TreeState): void {
  const { bytes, tokenStart } = reader;
  let from = reader.textStart;
  if (from >= tokenStart) return;
  while (from < tokenStart && isSpace(bytes[from] as number)) from++;
  if (from > reader.textStart) state.text(TEXT.space);
  if (from === tokenStart) return;
  if (bytes[from] === 0x26) {
    feedReference(bytes.toString('latin1', from, tokenStart), state);
    return;
  }
  if (bytes[from] === 0) {
    state.text(TEXT.nul);
    while (from < tokenStart && bytes[from] === 0) from++;
    while (from < tokenStart && isSpace(bytes[from] as number)) from++;
    if (from === tokenStart) {
      state.text(TEXT.space);
      return;
    }
  }
  state.text(TEXT.other);
}

/** Text that begins with a reference: it may stand for white space. */
function feedReference(text: string, state: TreeState): void {
  const decoded = decodeReferences(text, false);
  for (let i = 0; i < decoded.length; i++) {
    if (!isSpace(decoded.charCodeAt(i))) {
      if (i > 0) state.text(TEXT.space);
      state.text(TEXT.other);
      return;
    }
  }
  state.text(TEXT.space);
}
