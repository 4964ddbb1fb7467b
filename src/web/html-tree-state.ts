import { FormattingList } from './html-formatting.ts';
import { TAG } from './html-names.ts';
import { BOUND, keyOf, OpenElements, SPACE } from './html-open-elements.ts';

/** Insertion modes (WHATWG HTML 13.2.4.1). Those for text have no state here. */
export const MODE = {
  initial: 0,
  beforeHtml: 1,
  beforeHead: 2,
  inHead: 3,
  inHeadNoscript: 4,
  afterHead: 5,
  inBody: 6,
  inTable: 7,
  inCaption: 8,
  inColumnGroup: 9,
  inTableBody: 10,
  inRow: 11,
  inCell: 12,
  inSelect: 13,
  inSelectInTable: 14,
  inTemplate: 15,
  afterBody: 16,
  inFrameset: 17,
  afterFrameset: 18,
  afterAfterBody: 19,
  afterAfterFrameset: 20,
} as const;

/** What becomes of a start tag: ignored, an HTML element, an SVG or MathML element. */
export const FATE = { dropped: 0, html: 1, foreign: 2 } as const;

/** Kinds of text: white space only, NUL only, anything else. */
export const TEXT = { space: 0, nul: 1, other: 2 } as const;

/** What a start tag says that decides where it goes. */
export interface StartTag {
  readonly isSelfClosing: boolean;
  /** `<input type=hidden>`. */
  readonly isHidden: boolean;
  /** `<font>` with color, face or size. */
  readonly hasLook: boolean;
  /** `<annotation-xml>` whose encoding says HTML. */
  readonly holdsHtml: boolean;
  /** The attributes as written. */
  readonly attributes: string;
}

/**
 * Tree construction of HTML without the tree (WHATWG HTML 13.2.6, scripting off): which tags become elements, in which
 * namespace, inside a template or not. The modes for `<select>` are those parsers had until 2025 (parse5 8 still has them).
 */
export class TreeState {
  readonly open = new OpenElements();
  readonly formatting: FormattingList = new FormattingList(this.open);
  mode: number = MODE.initial;
  readonly templateModes: number[] = [];
  isQuirks = false;
  isFramesetOk = true;
  hasHead = false;
  /** Identity of the open form, 0 for none. */
  form = 0;
  /** Called when the body is put in. */
  readonly #onBody: () => void;
  /** Called when a frameset takes the body's place: all that was in the body is gone. */
  readonly #onBodyGone: () => void;
  readonly endOther = (tag: number): void => this.endAnyOther(tag);

  constructor(onBody: () => void, onBodyGone: () => void) {
    this.#onBody = onBody;
    this.#onBodyGone = onBodyGone;
  }

  get isInTemplate(): boolean {
    return this.open.has(TAG.template);
  }

  push(tag: number): number {
    return this.open.push(keyOf(tag, SPACE.html));
  }

  pushHead(): void {
    this.push(TAG.head);
    this.hasHead = true;
    this.mode = MODE.inHead;
  }

  pushBody(): void {
    this.push(TAG.body);
    this.mode = MODE.inBody;
    this.#onBody();
  }

  replaceBody(): void {
    this.open.cutTo(1);
    this.#onBodyGone();
  }

  pushTemplate(): void {
    this.push(TAG.template);
    this.formatting.addMarker();
    this.isFramesetOk = false;
    this.mode = MODE.inTemplate;
    this.templateModes.push(MODE.inTemplate);
  }

  endTemplate(): void {
    if (!this.isInTemplate) return;
    this.open.popImpliedThoroughly();
    this.open.popUntil(TAG.template);
    this.formatting.clearToMarker();
    this.templateModes.pop();
    this.resetMode();
  }

  closeParagraph(): void {
    if (!this.open.isInScope(TAG.p, BOUND.button)) return;
    this.open.popImplied(TAG.p);
    this.open.popUntil(TAG.p);
  }

  closeCell(): void {
    this.open.popImplied();
    while (this.open.keys.length > 0) {
      const isCell = this.open.isTop(TAG.td) || this.open.isTop(TAG.th);
      this.open.pop();
      if (isCell) break;
    }
    this.formatting.clearToMarker();
    this.mode = MODE.inRow;
  }

  isTableTop(): boolean {
    const { open } = this;
    return (
      open.isTop(TAG.table) ||
      open.isTop(TAG.tbody) ||
      open.isTop(TAG.tfoot) ||
      open.isTop(TAG.thead) ||
      open.isTop(TAG.tr)
    );
  }

  isTableBodyInScope(): boolean {
    const { open } = this;
    return (
      open.isInScope(TAG.tbody, BOUND.table) ||
      open.isInScope(TAG.thead, BOUND.table) ||
      open.isInScope(TAG.tfoot, BOUND.table)
    );
  }

  isInSelectScope(): boolean {
    const { keys } = this.open;
    for (let i = keys.length - 1; i >= 0; i--) {
      if (keys[i] === keyOf(TAG.select, SPACE.html)) return true;
      if (keys[i] !== keyOf(TAG.option, SPACE.html) && keys[i] !== keyOf(TAG.optgroup, SPACE.html)) return false;
    }
    return false;
  }

  endSelect(): void {
    this.open.popUntil(TAG.select);
    this.resetMode();
  }

  /** "Any other end tag" of the in body mode. */
  endAnyOther(tag: number): void {
    const { open } = this;
    const key = keyOf(tag, SPACE.html);
    if (!open.has(tag)) return;
    for (let i = open.keys.length - 1; i > 0; i--) {
      open.steps++;
      if (open.keys[i] === key) {
        open.popImplied(tag);
        open.cutTo(Math.min(i, open.keys.length));
        return;
      }
      if (open.isSpecial(i)) return;
    }
  }

  /** "Reset the insertion mode appropriately". */
  resetMode(): void {
    const { keys } = this.open;
    for (let i = keys.length - 1; i >= 0; i--) {
      const key = keys[i] as number;
      this.open.steps++;
      if ((key & 3) !== SPACE.html) continue;
      const mode = this.#modeFor(key >> 2, i);
      if (mode >= 0) {
        this.mode = mode;
        return;
      }
    }
    this.mode = MODE.inBody;
  }

  #modeFor(tag: number, index: number): number {
    switch (tag) {
      case TAG.select:
        return this.#modeForSelect(index);
      case TAG.td:
      case TAG.th:
        return MODE.inCell;
      case TAG.tr:
        return MODE.inRow;
      case TAG.tbody:
      case TAG.thead:
      case TAG.tfoot:
        return MODE.inTableBody;
      case TAG.caption:
        return MODE.inCaption;
      case TAG.colgroup:
        return MODE.inColumnGroup;
      case TAG.table:
        return MODE.inTable;
      case TAG.template:
        return this.templateModes[this.templateModes.length - 1] ?? MODE.inBody;
      case TAG.head:
        return MODE.inHead;
      case TAG.body:
        return MODE.inBody;
      case TAG.frameset:
        return MODE.inFrameset;
      case TAG.html:
        return this.hasHead ? MODE.afterHead : MODE.beforeHead;
      default:
        return -1;
    }
  }

  #modeForSelect(index: number): number {
    const { keys } = this.open;
    for (let i = index - 1; i > 0; i--) {
      this.open.steps++;
      if (keys[i] === keyOf(TAG.template, SPACE.html)) break;
      if (keys[i] === keyOf(TAG.table, SPACE.html)) return MODE.inSelectInTable;
    }
    return MODE.inSelect;
  }

  /** Leaves SVG and MathML: pops until HTML may stand here. */
  leaveForeign(): void {
    const { open } = this;
    while (open.isForeign() && !open.isMathTextPoint() && !open.isHtmlPoint()) open.pop();
  }

  /** A doctype counts only at the very start. */
  doctype(isQuirks: boolean): void {
    if (this.mode !== MODE.initial) return;
    this.isQuirks = isQuirks;
    this.mode = MODE.beforeHtml;
  }

  text(kind: number): void {
    if (this.open.isForeign() && !this.open.isMathTextPoint() && !this.open.isHtmlPoint()) {
      if (kind === TEXT.other) this.isFramesetOk = false;
      return;
    }
    const isSpace = kind === TEXT.space;
    for (;;) {
      switch (this.mode) {
        case MODE.initial:
          if (isSpace) return;
          this.isQuirks = true;
          this.mode = MODE.beforeHtml;
          continue;
        case MODE.beforeHtml:
          if (isSpace) return;
          this.push(TAG.html);
          this.mode = MODE.beforeHead;
          continue;
        case MODE.beforeHead:
          if (isSpace) return;
          this.pushHead();
          continue;
        case MODE.inHead:
          if (isSpace) return;
          this.open.pop();
          this.mode = MODE.afterHead;
          continue;
        case MODE.inHeadNoscript:
          if (isSpace) return;
          this.open.pop();
          this.mode = MODE.inHead;
          continue;
        case MODE.afterHead:
          if (isSpace) return;
          this.pushBody();
          continue;
        case MODE.inColumnGroup:
          if (isSpace || !this.open.isTop(TAG.colgroup)) return;
          this.open.pop();
          this.mode = MODE.inTable;
          continue;
        case MODE.afterBody:
        case MODE.afterAfterBody:
          if (isSpace) {
            this.formatting.reconstruct();
            return;
          }
          this.mode = MODE.inBody;
          continue;
        case MODE.inTable:
        case MODE.inTableBody:
        case MODE.inRow:
          if (kind !== TEXT.other && this.isTableTop()) return;
          this.#textInBody(kind);
          return;
        case MODE.inBody:
        case MODE.inCaption:
        case MODE.inCell:
        case MODE.inTemplate:
          this.#textInBody(kind);
          return;
        default:
          return;
      }
    }
  }

  #textInBody(kind: number): void {
    if (kind === TEXT.nul) return;
    this.formatting.reconstruct();
    if (kind === TEXT.other) this.isFramesetOk = false;
  }
}
