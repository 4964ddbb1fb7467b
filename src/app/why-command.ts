import { OrbweaverError } from '../base/errors.ts';
import { readOptions } from '../base/option.ts';
import { explainUrl, type UrlExplanation } from '../graph/why.ts';
import { formatExplanation } from '../graph/why-text.ts';
import type { CrawlStore, SiteStore } from '../store/site-store.ts';
import { parseTypedSite } from '../web/typed-site.ts';
import { createUrlKey, type NormalizeRule } from '../web/url-key.ts';
import type { Command } from './command.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { parseArguments } from './parse-arguments.ts';
import { WHY_OPTIONS } from './saved-options.ts';
import { findSite, openSaved, siteNameOf } from './saved-site.ts';
import { printable } from './terminal-text.ts';
import { formatCommandHelp } from './usage-text.ts';

interface Found {
  readonly site: string;
  readonly explanation: UrlExplanation;
}

/** `orbweaver why <url>`. Exit 2 when no link, redirect or seed ever named the URL. */
export const whyCommand: Command = {
  async run(args, streams) {
    const { given, positionals } = parseArguments(args, WHY_OPTIONS);
    const values = readOptions(WHY_OPTIONS, given);
    if (values.help === true) {
      streams.out.write(formatCommandHelp(COMMAND_WORDS.why, WHY_OPTIONS));
      return 0;
    }
    const [typed, ...others] = positionals;
    if (typed === undefined || others.length > 0) {
      throw new OrbweaverError('OPTIONS_INVALID', `give one URL; usage: ${COMMAND_WORDS.why.usage}`);
    }
    await using store = await openSaved(values.data ?? 'archive');
    const found = await explain(store, typed, values.site);
    if (found === undefined) throw new OrbweaverError('SITE_UNKNOWN', `no stored page links to ${printable(typed)}`);
    const { site, explanation } = found;
    if (values.json === true) streams.out.write(`${JSON.stringify({ site, ...explanation }, undefined, 2)}\n`);
    else streams.out.write(`${formatExplanation(explanation).join('\n')}\n`);
    return 0;
  },
};

/** The site the URL belongs to comes first, then all others: a URL elsewhere is known to the pages that link to it. */
async function explain(store: CrawlStore, typed: string, siteName: string | undefined): Promise<Found | undefined> {
  const candidates = addressesFor(typed);
  const own = siteNameOf(typed);
  const names = (await store.sites()).map(({ name }) => name);
  const ordered = siteName === undefined ? names.toSorted((a, b) => Number(b === own) - Number(a === own)) : [siteName];
  for (const name of ordered) {
    const site = await findSite(store, name);
    const urlKey = createUrlKey(new Set(rulesOf(site)));
    // A seed whose host leads to another one has a key of its own kind.
    for (const key of candidates.flatMap((url) => [urlKey(url), `seed ${url}`])) {
      const explanation = await explainUrl(site, key);
      if (explanation !== undefined) return { site: site.state.name, explanation };
    }
  }
  return undefined;
}

/** What may be meant: without a scheme, either; other schemes as they stand. */
function addressesFor(typed: string): string[] {
  if (/^[a-z][a-z0-9+.-]*:/i.test(typed) && !/^https?:/i.test(typed) && !/^[^:/]+:\d/.test(typed)) return [typed];
  const url = parseTypedSite(typed);
  return /^https?:/i.test(typed) ? [url] : [url, url.replace(/^http:/, 'https:')];
}

function rulesOf(site: SiteStore): NormalizeRule[] {
  const { normalize } = site.state.graphOptions;
  return Array.isArray(normalize) ? (normalize as NormalizeRule[]) : [];
}
