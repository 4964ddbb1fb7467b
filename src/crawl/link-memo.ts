import { encodeQuery } from '../web/charset.ts';
import { createLinkResolver, type Resolved } from '../web/resolve-link.ts';
import { boundText, MAX_LISTED_LENGTH } from './bound-text.ts';
import type { LinkType } from './visit-result.ts';

/** What is kept, in characters and 100 for each link and key: some 6,000 links. */
const MAX_WEIGHT = 2_000_000;
const WEIGHT_OF_LINK = 100;

/** Where a URL key stands in the lists of the page that is being read. */
export interface KeyPlace {
  /** Number of the page by which `index` is meant. */
  page: number;
  index: number;
}

/** What an `href` leads to. */
export interface LinkMeaning {
  readonly key: string;
  /** What would be fetched; for other types a bounded text. */
  readonly url: string;
  readonly type: LinkType;
  /** One object for all links of the same key. */
  readonly place: KeyPlace;
}

/** Resolves what means the same on every page of a folder. */
export interface LinkFolder {
  readonly resolve: (href: string) => Resolved;
  readonly meanings: Map<string, LinkMeaning>;
}

/**
 * What the links of a site's pages mean, by folder and `href` as it stands: the pages of a folder repeat most of theirs.
 * What it holds changes no answer. It is emptied between two pages when it has become too big.
 */
export class LinkMemo {
  /** Number of the page that is being read. */
  page = 0;
  readonly #urlKey: (url: string) => string;
  readonly #folders = new Map<string, LinkFolder>();
  readonly #places = new Map<string, KeyPlace>();
  #weight = 0;

  constructor(urlKey: (url: string) => string) {
    this.#urlKey = urlKey;
  }

  /** Call it before each page. */
  beginPage(): number {
    if (this.#weight > MAX_WEIGHT) {
      this.#folders.clear();
      this.#places.clear();
      this.#weight = 0;
    }
    return ++this.page;
  }

  /** @param folderUrl absolute http(s) URL that ends with a slash, or any other base as a whole */
  folder(folderUrl: string, encoding: string): LinkFolder {
    const name = `${encoding} ${folderUrl}`;
    let folder = this.#folders.get(name);
    if (folder === undefined) {
      folder = { resolve: createLinkResolver(folderUrl, encoding, encodeQuery), meanings: new Map() };
      this.#folders.set(name, folder);
      this.#weight += WEIGHT_OF_LINK + name.length;
    }
    return folder;
  }

  /** Finds out what a link of the folder means, and keeps it. */
  add(folder: LinkFolder, href: string): LinkMeaning {
    const meaning = this.read(folder.resolve(href));
    folder.meanings.set(href, meaning);
    this.#weight += WEIGHT_OF_LINK + href.length + meaning.url.length;
    return meaning;
  }

  read(resolved: Resolved): LinkMeaning {
    if (typeof resolved === 'string') {
      if (resolved.length <= MAX_LISTED_LENGTH) return this.#place(this.#urlKey(resolved), resolved, 'http');
      const text = boundText(resolved);
      return this.#place(text, text, 'too-long');
    }
    const text = boundText(resolved.text);
    return this.#place(text, text, resolved.type);
  }

  #place(key: string, url: string, type: LinkType): LinkMeaning {
    let place = this.#places.get(key);
    if (place === undefined) {
      place = { page: 0, index: 0 };
      this.#places.set(key, place);
      this.#weight += WEIGHT_OF_LINK + key.length;
    }
    return { key, url, type, place };
  }
}
