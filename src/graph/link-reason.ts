import type { FateType, UrlKind } from '../store/records.ts';

/** The words of the `Reason` column of links.csv: why a link is not, or not only, a plain arc. */
export const LINK_REASONS = [
  'external',
  'broken',
  'unreachable',
  'timeout',
  'robots',
  'not-html',
  'scheme',
  'scope',
  'level',
  'limit',
  'size',
  'too-long',
  'trap',
  'address',
  'filter',
  'duplicate',
  'redirect',
] as const;
export type LinkReason = (typeof LINK_REASONS)[number];

/** Reason of a URL that is never asked for. An `href` that does not parse is listed with those of schemes that are not asked: it names no address either. */
export const REASON_OF_KIND: Readonly<Record<Exclude<UrlKind, 'visit'>, LinkReason>> = {
  external: 'external',
  scheme: 'scheme',
  invalid: 'scheme',
  scope: 'scope',
  filter: 'filter',
  'too-long': 'too-long',
  trap: 'trap',
};

/** Reason by fate; a page needs none. The compiler says when a fate is added that has no word here. */
export const REASON_OF_FATE: Readonly<Record<Exclude<FateType, 'page'>, LinkReason>> = {
  duplicate: 'duplicate',
  redirect: 'redirect',
  broken: 'broken',
  unreachable: 'unreachable',
  timeout: 'timeout',
  robots: 'robots',
  'not-html': 'not-html',
  size: 'size',
  address: 'address',
  trap: 'trap',
  filter: 'filter',
  scope: 'scope',
};
