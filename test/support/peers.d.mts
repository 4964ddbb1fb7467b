export interface Job {
  readonly url: string;
  readonly urlsFile: string;
  readonly folder: string;
  /** Only Crawlee, which needs minutes for what others do in seconds, is given a limit. */
  readonly maxPages?: number;
}

export interface Contender {
  /** The reason why this contender cannot run here, or undefined. */
  prepare(): Promise<string | undefined>;
  command(job: Job): readonly string[];
  /** How many pages it got, from its folder and standard output. */
  countPages(folder: string, stdout: string): number;
  readonly env?: Readonly<Record<string, string>>;
}

export const CONTENDERS: Readonly<Record<string, Contender>>;
