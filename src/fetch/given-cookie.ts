/** A cookie the user gave for a host (`--cookies FILE`). */
export interface GivenCookie {
  /** Host name, lower case, without leading dot. */
  readonly domain: string;
  readonly includeSubdomains: boolean;
  readonly path: string;
  readonly secure: boolean;
  /** Seconds since the epoch, 0 for a session cookie. */
  readonly expires: number;
  readonly name: string;
  readonly value: string;
}
