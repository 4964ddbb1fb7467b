import type { Server } from 'node:net';

export interface SiteShape {
  readonly pages: number;
  readonly seed?: number;
  /** Power-law links a page, beside the links to its children in the tree. */
  readonly out?: number;
  readonly gamma?: number;
  readonly minKb?: number;
  readonly maxKb?: number;
}

export interface SyntheticSite {
  readonly pages: number;
  urlOf(page: number): string;
  linksOf(page: number): number[];
  chunksOf(page: number): Buffer[];
  duplicatesOf(page: number): number[];
}

/** The site of these numbers: the same numbers give the same bytes. */
export function createSite(shape: SiteShape): SyntheticSite;

/** Writes the site as files for nginx. Returns the paths of all pages, duplicates included. */
export function writeSite(site: SyntheticSite, folder: string): string[];

/** Serves the site on loopback. */
export function serveSite(
  site: SyntheticSite,
  options?: { port?: number; delayMs?: number; onAnswer?: () => void },
): Promise<Server>;

/** Reach, links and levels of the tree and the power-law picks, without odd shapes. */
export function checkSite(site: SyntheticSite): { pages: number; reached: number; links: number; levels: number[] };
