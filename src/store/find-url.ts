import type { SiteStore } from './site-store.ts';

/** Number of the URL with this key, 0 for none. */
export async function findUrl(store: SiteStore, key: string): Promise<number> {
  const [number = 0] = await store.findUrls([key]);
  return number;
}
