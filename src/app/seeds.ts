import { OrbweaverError } from '../base/errors.ts';
import type { SeedRequest } from '../crawl/crawl-options.ts';
import { parseTypedSite } from '../web/typed-site.ts';
import { readHostsFile } from './hosts-file.ts';
import { isFile } from './text-file.ts';

export interface Seeds {
  readonly seeds: readonly SeedRequest[];
  readonly notices: readonly string[];
}

/** What nobody would call a site: a path, or the name of a text file. */
const LOOKS_LIKE_FILE = /^(?:\.{0,2}\/|~|[A-Za-z]:\\)|\.(?:txt|csv|tsv|lst|ini|conf)$/i;

/**
 * The sites to crawl. A positional argument is a hosts file when a file of that name exists, else a site or start URL.
 * @param hostsFiles from `--hosts`
 * @throws {OPTIONS_INVALID | INPUT_INVALID}
 */
export async function findSeeds(positionals: readonly string[], hostsFiles: readonly string[]): Promise<Seeds> {
  const seeds = new Map<string, SeedRequest>();
  const notices: string[] = [];
  const add = (seed: SeedRequest, source: string): void => {
    if (seeds.has(seed.url)) notices.push(`${seed.url} is given twice; ${source} is left out`);
    else seeds.set(seed.url, seed);
  };
  const given = [
    ...positionals.map((text) => ({ text, mustBeFile: false })),
    ...hostsFiles.map((text) => ({ text, mustBeFile: true })),
  ];
  for (const { text, mustBeFile } of given) {
    if (mustBeFile || (await isFile(text))) {
      const file = await readHostsFile(text);
      notices.push(...file.notices);
      for (const seed of file.seeds) add(seed, `the one in ${text}`);
    } else if (LOOKS_LIKE_FILE.test(text)) {
      throw new OrbweaverError('INPUT_INVALID', `${text}: no such file`);
    } else {
      add({ url: parseTypedSite(text) }, 'the second');
    }
  }
  return { seeds: [...seeds.values()], notices };
}
