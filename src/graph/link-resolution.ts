import { OrbweaverError } from '../base/errors.ts';
import type { Fate, UrlRecord } from '../store/records.ts';
import type { SiteStore } from '../store/site-store.ts';
import { LINK_REASONS, REASON_OF_FATE, REASON_OF_KIND, type LinkReason } from './link-reason.ts';
import { deepestLevel, type GraphLimits } from './unvisited.ts';

/** One byte a URL: the low bits are 0 for a page, else 1 + the index in LINK_REASONS. */
const REASON_BITS = 0x1f;
/** On the chain that is being followed; kept by those whose chain is a loop. */
const IS_ON_LOOP = 0x20;
const IS_RESOLVED = 0x40;
const IS_VISIT = 0x80;

const CODES = Object.fromEntries(LINK_REASONS.map((reason, index) => [reason, index + 1])) as Record<
  LinkReason,
  number
>;
const REDIRECT = CODES.redirect;
const EXTERNAL = CODES.external;

/**
 * Where the links to each URL of a site go, with redirects followed to their end.
 * Memory: 7 bytes a URL (reason 1, status 2, page 4), in typed arrays.
 */
export class LinkResolution {
  /** Distinct URLs by what they are themselves: a URL that redirects is `redirect` here, wherever it leads. */
  readonly ownReasons: Readonly<Record<LinkReason, number>>;
  /** Links of folded duplicates that lead elsewhere than those of the page that stands for them. */
  readonly duplicateLinksLost: number;
  readonly #codes: Uint8Array;
  readonly #statuses: Uint16Array;
  readonly #pages: Uint32Array;

  private constructor(draft: Draft) {
    this.#codes = draft.codes;
    this.#statuses = draft.statuses;
    this.#pages = draft.pages;
    this.ownReasons = draft.countOwn();
    this.duplicateLinksLost = draft.linksLost;
    draft.followRedirects();
  }

  /**
   * Reads all URLs and fates of the store once, in order.
   * @throws OrbweaverError STORE_CORRUPT when a record names a URL or page that does not exist.
   */
  static async read(store: SiteStore, limits: GraphLimits = {}): Promise<LinkResolution> {
    const draft = new Draft(store.state.urls, store.state.pages, deepestLevel(store.state, limits));
    for await (const url of store.urls()) draft.addUrl(url);
    for await (const [number, fate] of store.fates()) draft.addFate(number, fate);
    return new LinkResolution(draft);
  }

  /** URLs known; numbers run from 1 to this. */
  get urls(): number {
    return this.#codes.length - 1;
  }

  /** Id of the page that links to this URL reach: itself, through a redirect, or as a duplicate; 0 for none. */
  pageOf(number: number): number {
    return this.#pages[number] ?? 0;
  }

  /** Reason of the row in links.csv, undefined for a plain arc. For a redirect that reaches no page: the reason of its end. */
  reasonOf(number: number): LinkReason | undefined {
    return LINK_REASONS[((this.#codes[number] ?? 0) & REASON_BITS) - 1];
  }

  /** Last HTTP status on the way to the end (of the redirect itself when it reached a page); 0 when there was no answer. */
  statusOf(number: number): number {
    return this.#statuses[number] ?? 0;
  }

  /** Whether links to it count as external, directly or by a redirect that leaves the site. */
  isExternal(number: number): boolean {
    return ((this.#codes[number] ?? 0) & REASON_BITS) === EXTERNAL;
  }

  isPlain(number: number): boolean {
    return ((this.#codes[number] ?? 0) & REASON_BITS) === 0;
  }

  /** Whether the URL was to be asked for: of kind `visit`. */
  isVisit(number: number): boolean {
    return ((this.#codes[number] ?? 0) & IS_VISIT) !== 0;
  }
}

/** The arrays while they are filled: until `followRedirects`, `pages` holds the number of the next URL for a redirect. */
class Draft {
  readonly codes: Uint8Array;
  readonly statuses: Uint16Array;
  readonly pages: Uint32Array;
  linksLost = 0;
  readonly #pageCount: number;
  readonly #maxLevel: number;

  constructor(urlCount: number, pageCount: number, maxLevel: number) {
    this.codes = new Uint8Array(urlCount + 1);
    this.statuses = new Uint16Array(urlCount + 1);
    this.pages = new Uint32Array(urlCount + 1);
    this.#pageCount = pageCount;
    this.#maxLevel = maxLevel;
  }

  addUrl({ number, kind, level }: UrlRecord): void {
    this.#check(number);
    this.codes[number] =
      kind === 'visit' ? IS_VISIT | CODES[level > this.#maxLevel ? 'level' : 'limit'] : CODES[REASON_OF_KIND[kind]];
  }

  addFate(number: number, { type, status, target, detail }: Fate): void {
    this.#check(number);
    this.statuses[number] = status;
    this.codes[number] = IS_VISIT | (type === 'page' ? 0 : CODES[REASON_OF_FATE[type]]);
    if (type === 'redirect') this.#check(target);
    else if (type === 'page' || type === 'duplicate') {
      if (target < 1 || target > this.#pageCount)
        throw corrupt(`URL ${number} stands for page ${target}, which is not there`);
    } else return;
    this.pages[number] = target;
    if (type === 'duplicate') this.linksLost += Number(detail) || 0;
  }

  countOwn(): Record<LinkReason, number> {
    const counts = new Uint32Array(REASON_BITS + 1);
    for (const code of this.codes) counts[code & REASON_BITS] = (counts[code & REASON_BITS] as number) + 1;
    return Object.fromEntries(LINK_REASONS.map((reason) => [reason, counts[CODES[reason]]])) as Record<
      LinkReason,
      number
    >;
  }

  /** Gives every redirect the page or the reason at the end of its chain; each URL is walked over once. */
  followRedirects(): void {
    const { codes } = this;
    const chain: number[] = [];
    for (let start = 1; start < codes.length; start++) {
      let number = start;
      while (isOpenRedirect(codes[number] as number)) {
        codes[number] = (codes[number] as number) | IS_ON_LOOP;
        chain.push(number);
        number = this.pages[number] as number;
      }
      // Nothing but a loop, or what leads into one that was met before, comes back to a marked URL.
      const isLoop = ((codes[number] as number) & IS_ON_LOOP) !== 0;
      // From the end back, so that each takes over what the next one has come to.
      for (let link = chain.pop(); link !== undefined; link = chain.pop()) {
        if (isLoop) this.#settleLoop(link);
        else this.#settle(link, number);
        number = link;
      }
    }
    for (let number = 1; number < codes.length; number++) {
      codes[number] = (codes[number] as number) & ~(IS_ON_LOOP | IS_RESOLVED);
    }
  }

  #settle(number: number, next: number): void {
    const page = this.pages[next] as number;
    const status = this.statuses[next] as number;
    if (page === 0 && status !== 0) this.statuses[number] = status;
    this.pages[number] = page;
    this.codes[number] = IS_VISIT | IS_RESOLVED | (page === 0 ? (this.codes[next] as number) & REASON_BITS : REDIRECT);
  }

  /** Redirects that lead nowhere are broken, each with its own status. */
  #settleLoop(number: number): void {
    this.pages[number] = 0;
    this.codes[number] = IS_VISIT | IS_RESOLVED | IS_ON_LOOP | CODES.broken;
  }

  #check(number: number): void {
    if (number < 1 || number >= this.codes.length) throw corrupt(`URL ${number} is not there`);
  }
}

function isOpenRedirect(code: number): boolean {
  return (code & REASON_BITS) === REDIRECT && (code & (IS_RESOLVED | IS_ON_LOOP)) === 0;
}

function corrupt(message: string): OrbweaverError {
  return new OrbweaverError('STORE_CORRUPT', message);
}
