export interface DebianSite {
  readonly name: string;
  /** Folder to serve. */
  readonly dir: string;
  readonly startPath: string;
  /** Version of the Debian package. */
  readonly version: string;
}

export interface MissingSite {
  readonly name: string;
  /** Why the site cannot be had on this machine. */
  readonly skip: string;
}

export type DebianSiteName =
  | 'git-doc'
  | 'libigraph-doc'
  | 'developers-reference'
  | 'sqlite3-doc'
  | 'postgresql-doc-15'
  | 'python3.11-doc'
  | 'openjdk-17-doc'
  | 'rust-doc';

export const DEBIAN_SITES: Readonly<Record<DebianSiteName, { readonly root: string; readonly startPath: string }>>;

/** Where the unpacked packages are kept between runs: `$ORBWEAVER_SITES`, else a folder of the system's temporary one. */
export function sitesFolder(): string;

/** The pages of a Debian package as a folder; or, with the reason, that they cannot be had here. Nothing is installed. */
export function debianSite(name: DebianSiteName): Promise<DebianSite | MissingSite>;
