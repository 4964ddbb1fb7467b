import { startInBody, startInHead } from './html-body-start-tags.ts';
import { FOREIGN_EXITS, TAG, tagTable } from './html-names.ts';
import { BOUND, keyOf, SPACE } from './html-open-elements.ts';
import { FATE, MODE } from './html-tree-state.ts';
import type { StartTag, TreeState } from './html-tree-state.ts';

/** Start tags that the in head mode takes. */
const OF_HEAD = tagTable([
  1,
  [
    TAG.base,
    TAG.basefont,
    TAG.bgsound,
    TAG.link,
    TAG.meta,
    TAG.noframes,
    TAG.script,
    TAG.style,
    TAG.template,
    TAG.title,
  ],
]);
/** Those it takes inside `<noscript>` too. */
const OF_HEAD_NOSCRIPT = tagTable([1, [TAG.basefont, TAG.bgsound, TAG.link, TAG.meta, TAG.noframes, TAG.style]]);
/** Parts of a table. Bits: 1 any of them, 2 a part that cannot stand in a table body, 4 a table body, 8 a cell. */
const TABLE_PART = tagTable(
  [1, [TAG.caption, TAG.col, TAG.colgroup, TAG.tbody, TAG.td, TAG.tfoot, TAG.th, TAG.thead, TAG.tr]],
  [2, [TAG.caption, TAG.col, TAG.colgroup, TAG.tbody, TAG.tfoot, TAG.thead]],
  [4, [TAG.tbody, TAG.tfoot, TAG.thead]],
  [8, [TAG.td, TAG.th]],
);
/** The rules say "process the token again": in another mode. */
const AGAIN = -1;

/** A start tag: whether and where it becomes an element ("tree construction dispatcher", WHATWG HTML 13.2.6). */
export function openTag(state: TreeState, tag: number, info: StartTag): number {
  const { open } = state;
  if (isForeignStart(state, tag)) {
    if (FOREIGN_EXITS[tag] !== 1 && !(tag === TAG.font && info.hasLook)) {
      const space = open.top & 3;
      if (!info.isSelfClosing) open.push(keyOf(tag, space), space === SPACE.math && info.holdsHtml);
      return FATE.foreign;
    }
    state.leaveForeign();
  }
  for (;;) {
    const fate = startByMode(state, tag, info, state.mode);
    if (fate !== AGAIN) return fate;
  }
}

function isForeignStart(state: TreeState, tag: number): boolean {
  const { open } = state;
  if (!open.isForeign() || open.isHtmlPoint()) return false;
  if (open.isMathTextPoint()) return tag === TAG.mglyph || tag === TAG.malignmark;
  return !(tag === TAG.svg && open.top === keyOf(TAG.annotationXml, SPACE.math));
}

function startByMode(state: TreeState, tag: number, info: StartTag, mode: number): number {
  switch (mode) {
    case MODE.initial:
      state.isQuirks = true;
      state.mode = MODE.beforeHtml;
      return AGAIN;
    case MODE.beforeHtml:
      state.push(TAG.html);
      state.mode = MODE.beforeHead;
      return tag === TAG.html ? FATE.html : AGAIN;
    case MODE.beforeHead:
      if (tag === TAG.html) return FATE.dropped;
      state.pushHead();
      return tag === TAG.head ? FATE.html : AGAIN;
    case MODE.inHead:
      return startWhileInHead(state, tag);
    case MODE.inHeadNoscript:
      if (OF_HEAD_NOSCRIPT[tag] === 1) return FATE.html;
      if (tag === TAG.html || tag === TAG.head || tag === TAG.noscript) return FATE.dropped;
      state.open.pop();
      state.mode = MODE.inHead;
      return AGAIN;
    case MODE.afterHead:
      return startAfterHead(state, tag);
    case MODE.inTable:
      return startInTable(state, tag, info);
    case MODE.inCaption:
      return startInCaption(state, tag, info);
    case MODE.inColumnGroup:
      return startInColumnGroup(state, tag);
    case MODE.inTableBody:
      return startInTableBody(state, tag, info);
    case MODE.inRow:
      return startInRow(state, tag, info);
    case MODE.inCell:
      if (TABLE_PART[tag] === 0 || TABLE_PART[tag] === undefined) return startInBody(state, tag, info);
      if (!state.open.isInScope(TAG.td, BOUND.table) && !state.open.isInScope(TAG.th, BOUND.table)) return FATE.dropped;
      state.closeCell();
      return AGAIN;
    case MODE.inSelect:
      return startInSelect(state, tag, info);
    case MODE.inSelectInTable:
      if (tag !== TAG.table && tag !== TAG.caption && ((TABLE_PART[tag] ?? 0) & 12) === 0 && tag !== TAG.tr)
        return startInSelect(state, tag, info);
      state.endSelect();
      return AGAIN;
    case MODE.inTemplate:
      return startInTemplate(state, tag);
    case MODE.inFrameset:
      if (tag === TAG.frameset) {
        state.push(tag);
        return FATE.html;
      }
      return tag === TAG.frame || tag === TAG.noframes ? FATE.html : FATE.dropped;
    case MODE.afterFrameset:
    case MODE.afterAfterFrameset:
      return tag === TAG.noframes ? FATE.html : FATE.dropped;
    case MODE.afterBody:
    case MODE.afterAfterBody:
      if (tag === TAG.html) return FATE.dropped;
      state.mode = MODE.inBody;
      return AGAIN;
    default:
      return startInBody(state, tag, info);
  }
}

function startWhileInHead(state: TreeState, tag: number): number {
  if (OF_HEAD[tag] === 1) return startInHead(state, tag);
  if (tag === TAG.html || tag === TAG.head) return FATE.dropped;
  if (tag === TAG.noscript) {
    state.push(tag);
    state.mode = MODE.inHeadNoscript;
    return FATE.html;
  }
  state.open.pop();
  state.mode = MODE.afterHead;
  return AGAIN;
}

function startAfterHead(state: TreeState, tag: number): number {
  if (OF_HEAD[tag] === 1) return startInHead(state, tag);
  switch (tag) {
    case TAG.html:
    case TAG.head:
      return FATE.dropped;
    case TAG.body:
      state.pushBody();
      state.isFramesetOk = false;
      return FATE.html;
    case TAG.frameset:
      state.push(tag);
      state.mode = MODE.inFrameset;
      return FATE.html;
    default:
      state.pushBody();
      return AGAIN;
  }
}

function startInTable(state: TreeState, tag: number, info: StartTag): number {
  const { open } = state;
  switch (tag) {
    case TAG.caption:
      open.clearTo(BOUND.table);
      state.formatting.addMarker();
      state.push(tag);
      state.mode = MODE.inCaption;
      return FATE.html;
    case TAG.colgroup:
    case TAG.col:
      open.clearTo(BOUND.table);
      state.push(TAG.colgroup);
      state.mode = MODE.inColumnGroup;
      return tag === TAG.col ? AGAIN : FATE.html;
    case TAG.tbody:
    case TAG.tfoot:
    case TAG.thead:
      open.clearTo(BOUND.table);
      state.push(tag);
      state.mode = MODE.inTableBody;
      return FATE.html;
    case TAG.td:
    case TAG.th:
    case TAG.tr:
      open.clearTo(BOUND.table);
      state.push(TAG.tbody);
      state.mode = MODE.inTableBody;
      return AGAIN;
    case TAG.table:
      if (!open.isInScope(TAG.table, BOUND.table)) return FATE.dropped;
      open.popUntil(TAG.table);
      state.resetMode();
      return AGAIN;
    case TAG.style:
    case TAG.script:
    case TAG.template:
      return startInHead(state, tag);
    case TAG.input:
      return info.isHidden ? FATE.html : startInBody(state, tag, info);
    case TAG.form:
      if (state.form !== 0 || state.isInTemplate) return FATE.dropped;
      // It does not stay open, so that nothing can be in it.
      state.form = open.newIdentity();
      return FATE.html;
    default:
      return startInBody(state, tag, info);
  }
}

function startInCaption(state: TreeState, tag: number, info: StartTag): number {
  const { open } = state;
  if (((TABLE_PART[tag] ?? 0) & 1) === 0) return startInBody(state, tag, info);
  if (!open.isInScope(TAG.caption, BOUND.table)) return FATE.dropped;
  open.popImplied();
  open.popUntil(TAG.caption);
  state.formatting.clearToMarker();
  state.mode = MODE.inTable;
  return AGAIN;
}

function startInColumnGroup(state: TreeState, tag: number): number {
  if (tag === TAG.html) return FATE.dropped;
  if (tag === TAG.col) return FATE.html;
  if (tag === TAG.template) return startInHead(state, tag);
  if (!state.open.isTop(TAG.colgroup)) return FATE.dropped;
  state.open.pop();
  state.mode = MODE.inTable;
  return AGAIN;
}

function startInTableBody(state: TreeState, tag: number, info: StartTag): number {
  const { open } = state;
  const part = TABLE_PART[tag] ?? 0;
  if (tag === TAG.tr || (part & 8) !== 0) {
    open.clearTo(BOUND.tableBody);
    state.push(TAG.tr);
    state.mode = MODE.inRow;
    return tag === TAG.tr ? FATE.html : AGAIN;
  }
  if ((part & 2) === 0) return startInTable(state, tag, info);
  if (!state.isTableBodyInScope()) return FATE.dropped;
  open.clearTo(BOUND.tableBody);
  open.pop();
  state.mode = MODE.inTable;
  return AGAIN;
}

function startInRow(state: TreeState, tag: number, info: StartTag): number {
  const { open } = state;
  const part = TABLE_PART[tag] ?? 0;
  if ((part & 8) !== 0) {
    open.clearTo(BOUND.tableRow);
    state.push(tag);
    state.mode = MODE.inCell;
    state.formatting.addMarker();
    return FATE.html;
  }
  if (part === 0) return startInTable(state, tag, info);
  if (!open.isInScope(TAG.tr, BOUND.table)) return FATE.dropped;
  open.clearTo(BOUND.tableRow);
  open.pop();
  state.mode = MODE.inTableBody;
  return AGAIN;
}

function startInSelect(state: TreeState, tag: number, _info: StartTag): number {
  const { open } = state;
  switch (tag) {
    case TAG.option:
    case TAG.optgroup:
    case TAG.hr:
      if (open.isTop(TAG.option)) open.pop();
      if (tag !== TAG.option && open.isTop(TAG.optgroup)) open.pop();
      if (tag !== TAG.hr) state.push(tag);
      return FATE.html;
    case TAG.select:
    case TAG.input:
    case TAG.keygen:
    case TAG.textarea:
      if (!state.isInSelectScope()) return FATE.dropped;
      state.endSelect();
      return tag === TAG.select ? FATE.dropped : AGAIN;
    case TAG.script:
    case TAG.template:
      return startInHead(state, tag);
    default:
      return FATE.dropped;
  }
}

function startInTemplate(state: TreeState, tag: number): number {
  if (OF_HEAD[tag] === 1) return startInHead(state, tag);
  const part = TABLE_PART[tag] ?? 0;
  let mode: number = MODE.inBody;
  if (tag === TAG.col) mode = MODE.inColumnGroup;
  else if (tag === TAG.tr) mode = MODE.inTableBody;
  else if ((part & 8) !== 0) mode = MODE.inRow;
  else if ((part & 2) !== 0) mode = MODE.inTable;
  state.templateModes[state.templateModes.length - 1] = mode;
  state.mode = mode;
  return AGAIN;
}
