import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import { LevelCrawlStore } from '../store/level-store.ts';
import type { CrawlStore, SiteStore } from '../store/site-store.ts';
import { siteFileName, siteOf } from '../web/site-name.ts';
import { parseTypedSite } from '../web/typed-site.ts';
import { nearestName } from './nearest-name.ts';

/**
 * Opens what is saved under a data directory, and makes nothing where there is none.
 * @throws {SITE_UNKNOWN | STORE_LOCKED | STORE_CORRUPT | STORE_VERSION}
 */
export async function openSaved(dataDirectory: string): Promise<CrawlStore> {
  if (!existsSync(join(dataDirectory, 'db'))) {
    throw new OrbweaverError('SITE_UNKNOWN', `nothing is stored in ${dataDirectory}`);
  }
  return LevelCrawlStore.open(dataDirectory);
}

/**
 * Finds a saved site by what a person calls it: the name of its files, a host with a port, or a URL.
 * @throws {SITE_UNKNOWN} naming the nearest, or what there is
 */
export async function findSite(store: CrawlStore, typed: string): Promise<SiteStore> {
  const states = await store.sites();
  const wanted = new Set([typed, siteNameOf(typed)]);
  const state =
    states.find(({ name }) => wanted.has(name)) ?? states.find(({ seed }) => wanted.has(siteNameOf(seed) ?? seed));
  const site = state === undefined ? undefined : await store.openSite(state.name);
  if (site !== undefined) return site;
  const names = states.map(({ name }) => name);
  const nearest = nearestName(typed, names);
  const hint =
    nearest === undefined ? `stored: ${names.slice(0, 10).join(', ') || 'none'}` : `did you mean ${nearest}?`;
  throw new OrbweaverError('SITE_UNKNOWN', `no site ${typed} is stored; ${hint}`);
}

/** Name of the files of the site a typed address belongs to; undefined when it is no address. */
export function siteNameOf(typed: string): string | undefined {
  try {
    return siteFileName(siteOf(parseTypedSite(typed)));
  } catch {
    return undefined;
  }
}
