import { type Fate, type FateType, FATES, type PageRecord, type SiteState, type UrlRecord } from './records.ts';
import type { SiteStore } from './site-store.ts';

/** What can be wrong with a stored site. */
export type ProblemType =
  /** Numbers or ids are not dense from 1. */
  | 'gap'
  /** A counter of the state differs from what is stored. */
  | 'count'
  /** A `visit` URL up to the last committed one has no fate, or another kind of URL has one. */
  | 'fate'
  /** A record refers to a URL or page that does not exist. */
  | 'reference'
  /** Redirects that lead nowhere: in a circle. */
  | 'redirect'
  /** Two pages with one content, though duplicates are folded. */
  | 'duplicate'
  /** The digest index does not lead to a page. */
  | 'digest';

export interface Problem {
  readonly type: ProblemType;
  /** One sentence for people, with the numbers concerned. */
  readonly message: string;
}

/** Problems beyond this number are not listed: one lost table would make millions. */
const MAX_PROBLEMS = 1000;

/**
 * Checks everything that must hold of a stored site, reading all of it once; about 10 bytes of memory a URL. Empty: all is well.
 * Damage to single records throws STORE_CORRUPT instead.
 */
export async function checkSite(site: SiteStore): Promise<Problem[]> {
  const check = new SiteCheck(site.state);
  for await (const url of site.urls()) check.url(url);
  for await (const [number, fate] of site.fates()) check.fate(number, fate);
  for await (const page of site.pages()) check.page(page, await site.findDigest(page.digest));
  check.end();
  return check.problems;
}

/** Code of a fate in the arrays below; 0 is none. */
const CODES = new Map<FateType, number>(FATES.map((type, index) => [type, index + 1]));
const codeOf = (type: FateType): number => CODES.get(type) ?? 0;

class SiteCheck {
  readonly problems: Problem[] = [];
  readonly #state: SiteState;
  readonly #keepsDuplicates: boolean;
  /** By URL number: whether it is to be visited; the code of its fate; what that leads to. */
  readonly #isVisit: Uint8Array;
  readonly #fates: Uint8Array;
  readonly #targets: Float64Array;
  #urls = 0;
  #visits = 0;
  #settled = 0;
  #failures = 0;
  #traps = 0;
  #pages = 0;

  constructor(state: SiteState) {
    this.#state = state;
    this.#keepsDuplicates = state.graphOptions['keepDuplicates'] === true;
    this.#isVisit = new Uint8Array(state.urls + 1);
    this.#fates = new Uint8Array(state.urls + 1);
    this.#targets = new Float64Array(state.urls + 1);
  }

  url(url: UrlRecord): void {
    this.#urls++;
    if (url.number !== this.#urls) {
      this.#add('gap', `URL ${url.number} stands where ${this.#urls} should.`);
      this.#urls = url.number;
    }
    if (url.origin === 'link' && (url.from < 1 || url.from > this.#state.pages)) {
      this.#add('reference', `URL ${url.number} comes from page ${url.from}, which does not exist.`);
    }
    if (url.origin === 'redirect' && !this.#isUrl(url.from)) {
      this.#add('reference', `URL ${url.number} comes from URL ${url.from}, which does not exist.`);
    }
    if (url.kind === 'trap') this.#traps++;
    if (url.kind !== 'visit') return;
    this.#visits++;
    this.#isVisit[url.number] = 1;
  }

  fate(number: number, fate: Fate): void {
    if (!this.#isUrl(number)) {
      this.#add('reference', `A fate belongs to URL ${number}, which does not exist.`);
      return;
    }
    if (this.#isVisit[number] === 0) this.#add('fate', `URL ${number} has a fate and was not to be visited.`);
    this.#settled++;
    this.#fates[number] = codeOf(fate.type);
    this.#targets[number] = fate.target;
    const { type, target } = fate;
    if (type === 'broken' || type === 'unreachable' || type === 'timeout') this.#failures++;
    if ((type === 'page' || type === 'duplicate') && (target < 1 || target > this.#state.pages)) {
      this.#add('reference', `URL ${number} became page ${target}, which does not exist.`);
    }
    if (type === 'redirect' && !this.#isUrl(target)) {
      this.#add('reference', `URL ${number} redirects to URL ${target}, which does not exist.`);
    }
  }

  page(page: PageRecord, found: number): void {
    this.#pages++;
    const { id, urlNumber, links } = page;
    if (id !== this.#pages) {
      this.#add('gap', `Page ${id} stands where ${this.#pages} should.`);
      this.#pages = id;
    }
    if (!this.#isUrl(urlNumber)) this.#add('reference', `Page ${id} is URL ${urlNumber}, which does not exist.`);
    else if (this.#fates[urlNumber] !== codeOf('page') || this.#targets[urlNumber] !== id) {
      this.#add('fate', `Page ${id} is URL ${urlNumber}, whose fate says otherwise.`);
    }
    const last = links.numbers.at(-1) ?? 0;
    if (last > this.#state.urls) this.#add('reference', `Page ${id} links to URL ${last}, which does not exist.`);
    if (found === 0 || found > id) this.#add('digest', `The digest of page ${id} leads to ${found || 'nothing'}.`);
    else if (found < id && !this.#keepsDuplicates)
      this.#add('duplicate', `Page ${id} has the content of page ${found}.`);
  }

  /** What can only be said when all is read. */
  end(): void {
    const { urls, pages, committed, queued, failures, traps } = this.#state;
    if (committed > urls) this.#add('count', `${committed} URLs are committed, of ${urls}.`);
    for (let number = 1; number <= Math.min(committed, urls); number++) {
      if (this.#isVisit[number] === 1 && this.#fates[number] === 0) this.#add('fate', `URL ${number} has no fate.`);
    }
    this.#checkRedirects();
    const counters: readonly (readonly [string, number, number])[] = [
      ['urls', urls, this.#urls],
      ['pages', pages, this.#pages],
      ['queued', queued, this.#visits - this.#settled],
      ['failures', failures, this.#failures],
      ['traps', traps, this.#traps],
    ];
    for (const [name, stated, stored] of counters) {
      if (stated !== stored) this.#add('count', `The state says ${stated} ${name}, stored are ${stored}.`);
    }
  }

  /** Follows every chain once: a URL that was passed in an earlier walk ends a later one. */
  #checkRedirects(): void {
    const redirect = codeOf('redirect');
    const walkOf = new Uint32Array(this.#fates.length);
    for (let start = 1; start < this.#fates.length; start++) {
      let number = start;
      while (this.#fates[number] === redirect && walkOf[number] === 0) {
        walkOf[number] = start;
        number = this.#targets[number] as number;
      }
      // Stopped by its own steps: a circle. Stopped by those of an earlier walk: that one has said what there is to say.
      if (this.#fates[number] === redirect && walkOf[number] === start) {
        this.#add('redirect', `The redirects from URL ${start} come back to URL ${number}.`);
      }
    }
  }

  #isUrl(number: number): boolean {
    return number >= 1 && number <= this.#state.urls;
  }

  #add(type: ProblemType, message: string): void {
    if (this.problems.length < MAX_PROBLEMS) this.problems.push({ type, message });
  }
}
