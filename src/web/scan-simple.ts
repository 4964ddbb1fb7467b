import { CONTENT_MODEL, FOREIGN_EXITS, NAME_BYTES, TAG, TAG_BYTES, tagTable } from './html-names.ts';
import type { PageCollector } from './scan-collector.ts';
import { TOKEN } from './scan-reader.ts';
import type { MarkupReader } from './scan-reader.ts';
import { beginningsOf, skim } from './scan-skim.ts';

/** What to do at a start tag. */
const ACTION = {
  none: 0,
  take: 1,
  content: 2,
  title: 3,
  template: 4,
  foreign: 5,
  select: 6,
  frameset: 7,
  col: 8,
} as const;
const ACTIONS = tagTable(
  [ACTION.take, [TAG.a, TAG.area, TAG.base, TAG.meta]],
  [
    ACTION.content,
    [TAG.script, TAG.style, TAG.textarea, TAG.xmp, TAG.iframe, TAG.noembed, TAG.noframes, TAG.plaintext],
  ],
  [ACTION.title, [TAG.title]],
  [ACTION.template, [TAG.template]],
  [ACTION.foreign, [TAG.svg, TAG.math]],
  [ACTION.select, [TAG.select]],
  [ACTION.frameset, [TAG.frameset]],
  [ACTION.col, [TAG.col]],
);
/** Beginnings of the names above, but for `a`; of end tags, only that of a template means something. */
const NOTABLE = beginningsOf(TAG_BYTES.filter((_, tag) => ACTIONS[tag] !== ACTION.none && tag !== TAG.a));
/** Elements of MathML and SVG in which HTML may stand; `annotation-xml` and `font` depend on their attributes. */
const SVG_POINTS = tagTable([1, [TAG.foreignObject, TAG.desc, TAG.title]]);
const MATH_POINTS = tagTable([1, [TAG.mi, TAG.mo, TAG.mn, TAG.ms, TAG.mtext, TAG.annotationXml]]);
/** How a part of the page in SVG, MathML or `<select>` ended. */
const PART = { closed: 0, leftByStartTag: 1, pageEnd: 2, unsure: 3 } as const;

/**
 * Reads a page whose elements do not depend on what is open: outside SVG, MathML, `<select>` and framesets every tag that
 * is read becomes an element, wherever it stands, and a template ends with its end tag alone. Those parts are followed as far as
 * they are plain; false: they are not, only `scanExact` can tell. With `isLoose` nothing is, and it always returns true.
 */
export function scanSimple(reader: MarkupReader, collector: PageCollector, isLoose: boolean): boolean {
  let templates = 0;
  // Begin and end of the links that were skimmed over.
  const hrefs: number[] = [];
  let token = nextNotable(reader, collector, hrefs, templates > 0);
  while (token !== TOKEN.end) {
    if (token !== TOKEN.startTag) {
      if (token === TOKEN.endTag && reader.tag === TAG.template && templates > 0) templates--;
      token = nextNotable(reader, collector, hrefs, templates > 0);
      continue;
    }
    const { tag } = reader;
    switch (ACTIONS[tag] ?? ACTION.none) {
      case ACTION.take:
        if (templates === 0) collector.takeHtml(reader);
        if (collector.otherEncoding !== undefined) return true;
        break;
      case ACTION.content:
        if (tag === TAG.iframe && templates === 0) collector.takeHtml(reader);
        if (!reader.skipContent(tag, CONTENT_MODEL[tag] as number)) return true;
        break;
      case ACTION.title: {
        const start = reader.position;
        const isClosed = reader.skipContent(tag, CONTENT_MODEL[tag] as number);
        if (templates === 0) collector.takeTitle(start, reader.contentEnd);
        if (!isClosed) return true;
        break;
      }
      case ACTION.template:
        templates++;
        break;
      case ACTION.foreign:
      case ACTION.select: {
        if (isLoose) break;
        const end = tag === TAG.select ? skipSelect(reader) : scanForeign(reader, collector, templates > 0);
        if (end === PART.unsure) return false;
        if (end === PART.leftByStartTag) continue;
        break;
      }
      case ACTION.frameset:
        if (!isLoose) return false;
        break;
      case ACTION.col:
        // Right below a template, it makes the parser drop nearly all that follows.
        if (templates > 0 && !isLoose) return false;
        break;
      default:
    }
    token = nextNotable(reader, collector, hrefs, templates > 0);
  }
  return true;
}

/** Takes the links on the way to the next token that may mean more. */
function nextNotable(reader: MarkupReader, collector: PageCollector, hrefs: number[], isInTemplate: boolean): number {
  reader.position = skim(reader.bytes, reader.position, NOTABLE, hrefs);
  if (hrefs.length > 0) {
    if (!isInTemplate) collector.takeHrefs(hrefs);
    hrefs.length = 0;
  }
  return reader.next();
}

/** After `<select>`: options only, up to its end. */
function skipSelect(reader: MarkupReader): number {
  for (;;) {
    const token = reader.next();
    if (token === TOKEN.end) return PART.pageEnd;
    if (token !== TOKEN.startTag && token !== TOKEN.endTag) continue;
    const { tag } = reader;
    if (tag === TAG.option || tag === TAG.optgroup || tag === TAG.hr) continue;
    // A start tag of another select ends this one, too.
    return tag === TAG.select ? PART.closed : PART.unsure;
  }
}

/** After `<svg>` or `<math>`. Sure as long as no HTML stands inside and all that is closed was opened in it. */
function scanForeign(reader: MarkupReader, collector: PageCollector, isInTemplate: boolean): number {
  if (reader.isSelfClosing) return PART.closed;
  const points = reader.tag === TAG.svg ? SVG_POINTS : MATH_POINTS;
  // Begin and end of each open element's name, and its tag.
  const open = [reader.nameStart, reader.nameEnd, reader.tag];
  reader.isForeign = true;
  let end: number = PART.closed;
  while (open.length > 0) {
    const token = reader.next();
    if (token === TOKEN.end) {
      end = PART.pageEnd;
      break;
    }
    if (token === TOKEN.startTag) {
      const { tag } = reader;
      if (points[open[open.length - 1] as number] === 1 || tag === TAG.font) {
        end = PART.unsure;
        break;
      }
      if (FOREIGN_EXITS[tag] === 1) {
        end = hasPoint(open, points) ? PART.unsure : PART.leftByStartTag;
        break;
      }
      if (!isInTemplate) collector.takeForeign(reader);
      if (!reader.isSelfClosing) open.push(reader.nameStart, reader.nameEnd, tag);
    } else if (token === TOKEN.endTag) {
      if (reader.tag === TAG.p || reader.tag === TAG.br) {
        end = hasPoint(open, points) ? PART.unsure : PART.closed;
        break;
      }
      if (!close(reader, open)) {
        end = PART.unsure;
        break;
      }
    }
  }
  reader.isForeign = false;
  return end;
}

function hasPoint(open: readonly number[], points: Uint8Array): boolean {
  for (let i = 2; i < open.length; i += 3) if (points[open[i] as number] === 1) return true;
  return false;
}

/** Closes the topmost element of the end tag's name; false when there is none. */
function close(reader: MarkupReader, open: number[]): boolean {
  const { bytes, nameStart, nameEnd } = reader;
  const length = nameEnd - nameStart;
  for (let top = open.length - 3; top >= 0; top -= 3) {
    const start = open[top] as number;
    if ((open[top + 1] as number) - start !== length) continue;
    let i = 0;
    while (i < length && NAME_BYTES[bytes[start + i] as number] === NAME_BYTES[bytes[nameStart + i] as number]) i++;
    if (i < length) continue;
    open.length = top;
    return true;
  }
  return false;
}
