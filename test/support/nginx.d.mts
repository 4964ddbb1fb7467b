export interface NginxSite {
  readonly dir: string;
  /** Adds the redirect and file rules of the synthetic site. */
  readonly synthetic?: boolean;
}

export interface NginxServer {
  /** `http://127.0.0.1:PORT`, in the order of the sites. */
  readonly origins: readonly string[];
  readonly ports: readonly number[];
  readonly pid: number;
  stop(): Promise<void>;
}

/** Path of the nginx binary, undefined when this machine has none. */
export function findNginx(): string | undefined;

/** Serves folders with nginx, each on a free loopback port, until `stop`. Throws when there is no nginx. */
export function startNginx(sites: readonly NginxSite[]): Promise<NginxServer>;
