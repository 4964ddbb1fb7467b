/** Elements whose links can be arcs: `a` by default, `area` and `frame` (frame and iframe `src`) on request. */
export const LINK_KINDS = ['a', 'area', 'frame'] as const;
export type LinkKind = (typeof LINK_KINDS)[number];

export interface ScanOptions {
  /** `charset` parameter of the Content-Type header, if any. */
  readonly headerCharset?: string | undefined;
  /** Default: `a` only. */
  readonly kinds?: ReadonlySet<LinkKind>;
  /** Links kept; the rest is only counted. Default 100,000. */
  readonly maxLinks?: number;
}

/** What a page says about itself and where it leads, without a document tree. */
export interface ScannedPage {
  /** WHATWG encoding name, lower case: `utf-8`, `windows-1252`, `gbk`. */
  readonly encoding: string;
  /** Attribute values in document order, character references decoded, not trimmed, not resolved. */
  readonly links: readonly string[];
  /** Links beyond `maxLinks`. */
  readonly linksCut: number;
  /** `href` of the first `<base href>`, decoded as a link. */
  readonly base: string | undefined;
  /** Text of the first `<title>`, white space collapsed and trimmed, at most 1,024 characters. */
  readonly title: string;
  /** `content` of the first `<meta http-equiv=refresh>`. */
  readonly metaRefresh: string | undefined;
  /** `content` of `<meta name=robots>`, joined with commas, lower case. */
  readonly metaRobots: string;
}
