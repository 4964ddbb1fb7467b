import { readOptions } from '../base/option.ts';
import { checkSite, type Problem } from '../store/check-store.ts';
import type { Command } from './command.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { formatPlural } from './number-text.ts';
import { parseArguments } from './parse-arguments.ts';
import { CHECK_OPTIONS } from './saved-options.ts';
import { findSite, openSaved } from './saved-site.ts';
import { printable } from './terminal-text.ts';
import { formatCommandHelp } from './usage-text.ts';

const EXIT_DAMAGED = 5;

/** `orbweaver check [site]...` */
export const checkCommand: Command = {
  async run(args, streams) {
    const { given, positionals } = parseArguments(args, CHECK_OPTIONS);
    const values = readOptions(CHECK_OPTIONS, given);
    if (values.help === true) {
      streams.out.write(formatCommandHelp(COMMAND_WORDS.check, CHECK_OPTIONS));
      return 0;
    }
    await using store = await openSaved(values.data ?? 'archive');
    const names = positionals.length > 0 ? positionals : (await store.sites()).map(({ name }) => name);
    const reports: { readonly site: string; readonly pages: number; readonly problems: readonly Problem[] }[] = [];
    for (const name of names) {
      const site = await findSite(store, name);
      const problems = await checkSite(site);
      const { name: found, pages, urls } = site.state;
      reports.push({ site: found, pages, problems });
      if (values.json === true) continue;
      const verdict = problems.length === 0 ? 'all is well' : formatPlural(problems.length, 'problem');
      streams.out.write(`${found}: ${formatPlural(pages, 'page')}, ${formatPlural(urls, 'URL')}: ${verdict}\n`);
      for (const { type, message } of problems) streams.out.write(`  ${type}: ${printable(message)}\n`);
    }
    if (values.json === true) streams.out.write(`${JSON.stringify(reports, undefined, 2)}\n`);
    return reports.every(({ problems }) => problems.length === 0) ? 0 : EXIT_DAMAGED;
  },
};
