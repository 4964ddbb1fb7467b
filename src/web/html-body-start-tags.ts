import { TAG, tagTable } from './html-names.ts';
import { BOUND, keyOf, SPACE } from './html-open-elements.ts';
import { FATE, MODE } from './html-tree-state.ts';
import type { StartTag, TreeState } from './html-tree-state.ts';

/** What the in body mode does with a start tag; names not listed are `ordinary`. */
const RULE = {
  ordinary: 0,
  head: 1,
  block: 2,
  heading: 3,
  formatting: 4,
  void: 5,
  plainVoid: 6,
  dropped: 7,
  marked: 8,
  rawText: 9,
  item: 10,
  option: 11,
  pre: 12,
  special: 13,
} as const;

const RULES = tagTable(
  [
    RULE.head,
    [TAG.base, TAG.basefont, TAG.bgsound, TAG.link, TAG.meta, TAG.script, TAG.style, TAG.template, TAG.title],
  ],
  [
    RULE.block,
    [
      TAG.address,
      TAG.article,
      TAG.aside,
      TAG.blockquote,
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
      TAG.main,
      TAG.menu,
      TAG.nav,
      TAG.ol,
      TAG.p,
      TAG.plaintext,
      TAG.search,
      TAG.section,
      TAG.summary,
      TAG.ul,
    ],
  ],
  [RULE.heading, [TAG.h1, TAG.h2, TAG.h3, TAG.h4, TAG.h5, TAG.h6]],
  [
    RULE.formatting,
    [TAG.b, TAG.big, TAG.code, TAG.em, TAG.font, TAG.i, TAG.s, TAG.small, TAG.strike, TAG.strong, TAG.tt, TAG.u],
  ],
  [RULE.void, [TAG.area, TAG.br, TAG.embed, TAG.img, TAG.image, TAG.keygen, TAG.wbr]],
  [RULE.plainVoid, [TAG.param, TAG.source, TAG.track]],
  [
    RULE.dropped,
    [
      TAG.caption,
      TAG.col,
      TAG.colgroup,
      TAG.frame,
      TAG.head,
      TAG.html,
      TAG.tbody,
      TAG.td,
      TAG.tfoot,
      TAG.th,
      TAG.thead,
      TAG.tr,
    ],
  ],
  [RULE.marked, [TAG.applet, TAG.marquee, TAG.object]],
  [RULE.rawText, [TAG.iframe, TAG.noembed, TAG.noframes, TAG.textarea]],
  [RULE.item, [TAG.li, TAG.dd, TAG.dt]],
  [RULE.option, [TAG.option, TAG.optgroup]],
  [RULE.pre, [TAG.pre, TAG.listing]],
  [
    RULE.special,
    [
      TAG.a,
      TAG.body,
      TAG.button,
      TAG.form,
      TAG.frameset,
      TAG.hr,
      TAG.input,
      TAG.math,
      TAG.nobr,
      TAG.rb,
      TAG.rp,
      TAG.rt,
      TAG.rtc,
      TAG.select,
      TAG.svg,
      TAG.table,
      TAG.xmp,
    ],
  ],
);

/** Start tags that the in head mode takes for any mode. Text elements do not stay open. */
export function startInHead(state: TreeState, tag: number): number {
  if (tag === TAG.template) state.pushTemplate();
  return FATE.html;
}

/** A start tag in the in body mode (WHATWG HTML 13.2.6.4.7). */
export function startInBody(state: TreeState, tag: number, info: StartTag): number {
  const { open, formatting } = state;
  switch (RULES[tag] ?? RULE.ordinary) {
    case RULE.head:
      return startInHead(state, tag);
    case RULE.block:
      state.closeParagraph();
      state.push(tag);
      return FATE.html;
    case RULE.heading:
      state.closeParagraph();
      if (isHeading(open.top)) open.pop();
      state.push(tag);
      return FATE.html;
    case RULE.formatting:
      formatting.reconstruct();
      formatting.add(tag, state.push(tag), info.attributes);
      return FATE.html;
    case RULE.void:
      formatting.reconstruct();
      state.isFramesetOk = false;
      return FATE.html;
    case RULE.plainVoid:
      return FATE.html;
    case RULE.dropped:
      return FATE.dropped;
    case RULE.marked:
      formatting.reconstruct();
      state.push(tag);
      formatting.addMarker();
      state.isFramesetOk = false;
      return FATE.html;
    case RULE.rawText:
      if (tag === TAG.iframe || tag === TAG.textarea) state.isFramesetOk = false;
      return FATE.html;
    case RULE.item:
      startItem(state, tag);
      return FATE.html;
    case RULE.option:
      if (open.isTop(TAG.option)) open.pop();
      formatting.reconstruct();
      state.push(tag);
      return FATE.html;
    case RULE.pre:
      state.closeParagraph();
      state.push(tag);
      state.isFramesetOk = false;
      return FATE.html;
    case RULE.special:
      return startSpecial(state, tag, info);
    default:
      formatting.reconstruct();
      state.push(tag);
      return FATE.html;
  }
}

/** Whether a key is one of h1 to h6. */
export function isHeading(key: number): boolean {
  return (key & 3) === SPACE.html && RULES[key >> 2] === RULE.heading;
}

function startItem(state: TreeState, tag: number): void {
  const { open } = state;
  state.isFramesetOk = false;
  const [first, second] = tag === TAG.li ? [TAG.li, TAG.li] : [TAG.dd, TAG.dt];
  if (open.has(first) || open.has(second)) {
    for (let i = open.keys.length - 1; i > 0; i--) {
      const key = open.keys[i] as number;
      open.steps++;
      const name = (key & 3) === SPACE.html ? key >> 2 : 0;
      if (name !== 0 && (name === first || name === second)) {
        open.popImplied(name);
        open.popUntil(name);
        break;
      }
      if (open.isSpecial(i) && name !== TAG.address && name !== TAG.div && name !== TAG.p) break;
    }
  }
  state.closeParagraph();
  state.push(tag);
}

function startSpecial(state: TreeState, tag: number, info: StartTag): number {
  const { open, formatting } = state;
  switch (tag) {
    case TAG.a:
      formatting.closeLink(state.endOther);
      formatting.reconstruct();
      formatting.add(tag, state.push(tag), info.attributes);
      return FATE.html;
    case TAG.nobr:
      formatting.reconstruct();
      if (open.isInScope(TAG.nobr, BOUND.scope)) {
        formatting.adopt(TAG.nobr, state.endOther);
        formatting.reconstruct();
      }
      formatting.add(tag, state.push(tag), info.attributes);
      return FATE.html;
    case TAG.body:
      if (open.keys[1] === keyOf(TAG.body, SPACE.html) && !state.isInTemplate) state.isFramesetOk = false;
      return FATE.dropped;
    case TAG.frameset:
      if (!state.isFramesetOk || open.keys[1] !== keyOf(TAG.body, SPACE.html)) return FATE.dropped;
      state.replaceBody();
      state.push(TAG.frameset);
      state.mode = MODE.inFrameset;
      return FATE.html;
    case TAG.button:
      if (open.isInScope(TAG.button, BOUND.scope)) {
        open.popImplied();
        open.popUntil(TAG.button);
      }
      formatting.reconstruct();
      state.push(tag);
      state.isFramesetOk = false;
      return FATE.html;
    case TAG.form:
      if (state.form !== 0 && !state.isInTemplate) return FATE.dropped;
      state.closeParagraph();
      if (state.isInTemplate) state.push(tag);
      else state.form = state.push(tag);
      return FATE.html;
    case TAG.hr:
      state.closeParagraph();
      state.isFramesetOk = false;
      return FATE.html;
    case TAG.input:
      formatting.reconstruct();
      if (!info.isHidden) state.isFramesetOk = false;
      return FATE.html;
    case TAG.math:
    case TAG.svg:
      formatting.reconstruct();
      if (!info.isSelfClosing) open.push(keyOf(tag, tag === TAG.svg ? SPACE.svg : SPACE.math));
      return FATE.foreign;
    case TAG.rb:
    case TAG.rtc:
      if (open.isInScope(TAG.ruby, BOUND.scope)) open.popImplied();
      state.push(tag);
      return FATE.html;
    case TAG.rp:
    case TAG.rt:
      if (open.isInScope(TAG.ruby, BOUND.scope)) open.popImplied(TAG.rtc);
      state.push(tag);
      return FATE.html;
    case TAG.select:
      formatting.reconstruct();
      state.push(tag);
      state.isFramesetOk = false;
      state.mode = isTableMode(state.mode) ? MODE.inSelectInTable : MODE.inSelect;
      return FATE.html;
    case TAG.table:
      if (!state.isQuirks) state.closeParagraph();
      state.push(tag);
      state.isFramesetOk = false;
      state.mode = MODE.inTable;
      return FATE.html;
    default:
      // xmp
      state.closeParagraph();
      formatting.reconstruct();
      state.isFramesetOk = false;
      return FATE.html;
  }
}

function isTableMode(mode: number): boolean {
  return (
    mode === MODE.inTable ||
    mode === MODE.inCaption ||
    mode === MODE.inTableBody ||
    mode === MODE.inRow ||
    mode === MODE.inCell
  );
}
