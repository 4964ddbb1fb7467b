import { isHeading } from './html-body-start-tags.ts';
import { TAG, tagTable } from './html-names.ts';
import { BOUND, keyOf, SPACE } from './html-open-elements.ts';
import { MODE } from './html-tree-state.ts';
import type { TreeState } from './html-tree-state.ts';

/** End tags of blocks that close all that is open in them. */
const BLOCK = tagTable([
  1,
  [
    TAG.address,
    TAG.article,
    TAG.aside,
    TAG.blockquote,
    TAG.button,
    TAG.center,
    TAG.details,
    TAG.dialog,
    TAG.dir,
    TAG.div,
    TAG.dl,
    TAG.fieldset,
    TAG.figcaption,
    TAG.figure,
    TAG.footer,
    TAG.header,
    TAG.hgroup,
    TAG.listing,
    TAG.main,
    TAG.menu,
    TAG.nav,
    TAG.ol,
    TAG.pre,
    TAG.search,
    TAG.section,
    TAG.summary,
    TAG.ul,
  ],
]);
const FORMATTING = tagTable([
  1,
  [
    TAG.a,
    TAG.b,
    TAG.big,
    TAG.code,
    TAG.em,
    TAG.font,
    TAG.i,
    TAG.nobr,
    TAG.s,
    TAG.small,
    TAG.strike,
    TAG.strong,
    TAG.tt,
    TAG.u,
  ],
]);
/** End tags ignored, as bits: 1 in a table, 2 in a caption, 4 in a table body, 8 in a row, 16 in a cell. */
const IGNORED = tagTable(
  [1 | 2 | 4 | 8 | 16, [TAG.body, TAG.col, TAG.colgroup, TAG.html]],
  [1 | 4 | 8 | 16, [TAG.caption]],
  [1 | 2 | 4 | 8, [TAG.td, TAG.th]],
  [1 | 2, [TAG.tbody, TAG.tfoot, TAG.thead]],
  [1 | 2 | 4, [TAG.tr]],
);

/** An end tag (WHATWG HTML 13.2.6, 13.2.6.5 "any other end tag" for SVG and MathML). */
export function closeTag(state: TreeState, tag: number): void {
  const { open } = state;
  if (open.isForeign()) {
    if (tag === TAG.p || tag === TAG.br) state.leaveForeign();
    else {
      for (let i = open.keys.length - 1; i > 0; i--) {
        const key = open.keys[i] as number;
        open.steps++;
        if ((key & 3) === SPACE.html) break;
        if (key >> 2 === tag) {
          open.cutTo(i);
          return;
        }
      }
    }
  }
  // Each round ends the tag or changes the mode ("reprocess the token").
  while (endByMode(state, tag));
}

/** True when the tag is to be processed again, in the new mode. */
function endByMode(state: TreeState, tag: number): boolean {
  const { open, mode } = state;
  const isDocumentTag = tag === TAG.body || tag === TAG.html || tag === TAG.br;
  switch (mode) {
    case MODE.initial:
      state.isQuirks = true;
      state.mode = MODE.beforeHtml;
      return true;
    case MODE.beforeHtml:
      if (!isDocumentTag && tag !== TAG.head) return false;
      state.push(TAG.html);
      state.mode = MODE.beforeHead;
      return true;
    case MODE.beforeHead:
      if (!isDocumentTag && tag !== TAG.head) return false;
      state.pushHead();
      return true;
    case MODE.inHead:
      if (tag === TAG.template) state.endTemplate();
      if (!isDocumentTag && tag !== TAG.head) return false;
      open.pop();
      state.mode = MODE.afterHead;
      return isDocumentTag;
    case MODE.inHeadNoscript:
      if (tag !== TAG.noscript && tag !== TAG.br) return false;
      open.pop();
      state.mode = MODE.inHead;
      return tag === TAG.br;
    case MODE.afterHead:
      if (tag === TAG.template) state.endTemplate();
      if (!isDocumentTag) return false;
      state.pushBody();
      return true;
    case MODE.inTable:
      endInTable(state, tag);
      return false;
    case MODE.inCaption:
      return endInCaption(state, tag);
    case MODE.inColumnGroup:
      if (tag === TAG.template) state.endTemplate();
      if (tag === TAG.template || tag === TAG.col || !open.isTop(TAG.colgroup)) return false;
      open.pop();
      state.mode = MODE.inTable;
      return tag !== TAG.colgroup;
    case MODE.inTableBody:
      return endInTableBody(state, tag);
    case MODE.inRow:
      return endInRow(state, tag);
    case MODE.inCell:
      return endInCell(state, tag);
    case MODE.inSelect:
      endInSelect(state, tag);
      return false;
    case MODE.inSelectInTable:
      if (tag !== TAG.caption && tag !== TAG.table && !isBodyPart(tag) && tag !== TAG.tr && !isCell(tag)) {
        endInSelect(state, tag);
        return false;
      }
      if (!open.isInScope(tag, BOUND.table)) return false;
      state.endSelect();
      return true;
    case MODE.inTemplate:
      if (tag === TAG.template) state.endTemplate();
      return false;
    case MODE.afterBody:
      state.mode = tag === TAG.html ? MODE.afterAfterBody : MODE.inBody;
      return tag !== TAG.html;
    case MODE.afterAfterBody:
      state.mode = MODE.inBody;
      return true;
    case MODE.inFrameset:
      if (tag !== TAG.frameset || open.keys.length < 2) return false;
      open.pop();
      if (!open.isTop(TAG.frameset)) state.mode = MODE.afterFrameset;
      return false;
    case MODE.afterFrameset:
      if (tag === TAG.html) state.mode = MODE.afterAfterFrameset;
      return false;
    case MODE.afterAfterFrameset:
      return false;
    default:
      return endInBody(state, tag);
  }
}

function isCell(tag: number): boolean {
  return tag === TAG.td || tag === TAG.th;
}

function isBodyPart(tag: number): boolean {
  return tag === TAG.tbody || tag === TAG.tfoot || tag === TAG.thead;
}

function isIgnored(tag: number, bit: number): boolean {
  return ((IGNORED[tag] ?? 0) & bit) !== 0;
}

function endInTable(state: TreeState, tag: number): boolean {
  if (tag === TAG.table) {
    if (!state.open.isInScope(TAG.table, BOUND.table)) return false;
    state.open.popUntil(TAG.table);
    state.resetMode();
    return false;
  }
  return isIgnored(tag, 1) ? false : endInBody(state, tag);
}

function endInCaption(state: TreeState, tag: number): boolean {
  const { open } = state;
  if (tag !== TAG.caption && tag !== TAG.table) return isIgnored(tag, 2) ? false : endInBody(state, tag);
  if (!open.isInScope(TAG.caption, BOUND.table)) return false;
  open.popImplied();
  open.popUntil(TAG.caption);
  state.formatting.clearToMarker();
  state.mode = MODE.inTable;
  return tag === TAG.table;
}

function endInTableBody(state: TreeState, tag: number): boolean {
  const { open } = state;
  const isInScope = isBodyPart(tag)
    ? open.isInScope(tag, BOUND.table)
    : tag === TAG.table
      ? state.isTableBodyInScope()
      : undefined;
  if (isInScope === undefined) return isIgnored(tag, 4) ? false : endInTable(state, tag);
  if (!isInScope) return false;
  open.clearTo(BOUND.tableBody);
  open.pop();
  state.mode = MODE.inTable;
  return tag === TAG.table;
}

function endInRow(state: TreeState, tag: number): boolean {
  const { open } = state;
  const isPart = isBodyPart(tag);
  if (tag !== TAG.tr && tag !== TAG.table && !isPart) return isIgnored(tag, 8) ? false : endInTable(state, tag);
  if (isPart && !open.isInScope(tag, BOUND.table)) return false;
  if (!open.isInScope(TAG.tr, BOUND.table)) return false;
  open.clearTo(BOUND.tableRow);
  open.pop();
  state.mode = MODE.inTableBody;
  return tag !== TAG.tr;
}

function endInCell(state: TreeState, tag: number): boolean {
  const { open } = state;
  if (isCell(tag)) {
    if (!open.isInScope(tag, BOUND.table)) return false;
    open.popImplied();
    open.popUntil(tag);
    state.formatting.clearToMarker();
    state.mode = MODE.inRow;
    return false;
  }
  if (isIgnored(tag, 16)) return false;
  if (tag !== TAG.table && tag !== TAG.tr && !isBodyPart(tag)) return endInBody(state, tag);
  if (!open.isInScope(tag, BOUND.table)) return false;
  state.closeCell();
  return true;
}

function endInSelect(state: TreeState, tag: number): void {
  const { open } = state;
  switch (tag) {
    case TAG.optgroup:
      if (open.isTop(TAG.option) && open.keys[open.keys.length - 2] === keyOf(TAG.optgroup, SPACE.html)) open.pop();
      if (open.isTop(TAG.optgroup)) open.pop();
      return;
    case TAG.option:
      if (open.isTop(TAG.option)) open.pop();
      return;
    case TAG.select:
      if (state.isInSelectScope()) state.endSelect();
      return;
    case TAG.template:
      state.endTemplate();
      return;
    default:
  }
}

/** An end tag in the in body mode (WHATWG HTML 13.2.6.4.7). */
function endInBody(state: TreeState, tag: number): boolean {
  const { open, formatting } = state;
  if (FORMATTING[tag] === 1) {
    formatting.adopt(tag, state.endOther);
    return false;
  }
  if (BLOCK[tag] === 1) {
    if (open.isInScope(tag, BOUND.scope)) {
      open.popImplied();
      open.popUntil(tag);
    }
    return false;
  }
  switch (tag) {
    case TAG.template:
      state.endTemplate();
      return false;
    case TAG.body:
    case TAG.html:
      if (!open.isInScope(TAG.body, BOUND.scope)) return false;
      state.mode = MODE.afterBody;
      return tag === TAG.html;
    case TAG.form:
      endForm(state);
      return false;
    case TAG.p:
      if (!open.isInScope(TAG.p, BOUND.button)) state.push(TAG.p);
      state.closeParagraph();
      return false;
    case TAG.li:
    case TAG.dd:
    case TAG.dt:
      if (!open.isInScope(tag, tag === TAG.li ? BOUND.listItem : BOUND.scope)) return false;
      open.popImplied(tag);
      open.popUntil(tag);
      return false;
    case TAG.h1:
    case TAG.h2:
    case TAG.h3:
    case TAG.h4:
    case TAG.h5:
    case TAG.h6:
      endHeading(state);
      return false;
    case TAG.applet:
    case TAG.marquee:
    case TAG.object:
      if (!open.isInScope(tag, BOUND.scope)) return false;
      open.popImplied();
      open.popUntil(tag);
      formatting.clearToMarker();
      return false;
    case TAG.br:
      formatting.reconstruct();
      state.isFramesetOk = false;
      return false;
    default:
      state.endAnyOther(tag);
      return false;
  }
}

function endForm(state: TreeState): void {
  const { open, form } = state;
  if (state.isInTemplate) {
    if (!open.isInScope(TAG.form, BOUND.scope)) return;
    open.popImplied();
    open.popUntil(TAG.form);
    return;
  }
  state.form = 0;
  if (form === 0 || !open.isInScope(TAG.form, BOUND.scope)) return;
  open.popImplied();
  const index = open.find(form);
  if (index >= 0) open.remove(index);
}

function endHeading(state: TreeState): void {
  const { open } = state;
  const headings = [TAG.h1, TAG.h2, TAG.h3, TAG.h4, TAG.h5, TAG.h6];
  if (!headings.some((heading) => open.isInScope(heading, BOUND.scope))) return;
  open.popImplied();
  while (open.keys.length > 0) {
    const { top } = open;
    open.pop();
    if (isHeading(top)) return;
  }
}
