import { extname, join } from 'node:path';
import { OrbweaverError } from '../base/errors.ts';
import { readOptions } from '../base/option.ts';
import { GRAPH_FORMATS, writeGraphFiles, type GraphFormat } from '../graph/export/index.ts';
import { writeResultFile } from '../graph/export/result-file.ts';
import { openSiteGraph, type SiteGraph } from '../graph/site-graph.ts';
import type { Command } from './command.ts';
import { COMMAND_WORDS } from './command-words.ts';
import { parseArguments } from './parse-arguments.ts';
import { EXPORT_OPTIONS } from './saved-options.ts';
import { findSite, openSaved } from './saved-site.ts';
import { formatCommandHelp } from './usage-text.ts';

/** Formats of the offline archive. */
const LATER_FORMATS = ['warc', 'wacz', 'folder'];

/** `orbweaver export <site> --format LIST --out PATH` */
export const exportCommand: Command = {
  async run(args, streams) {
    const { given, positionals } = parseArguments(args, EXPORT_OPTIONS);
    if (given.has('help')) {
      streams.out.write(formatCommandHelp(COMMAND_WORDS.export, EXPORT_OPTIONS));
      return 0;
    }
    const later = given.get('format')?.texts.find((text) => LATER_FORMATS.includes(text));
    if (later !== undefined) {
      throw new OrbweaverError('OPTIONS_INVALID', `--format ${later} is not available in this version`);
    }
    const { data = 'archive', format, out = join(data, 'graphs') } = readOptions(EXPORT_OPTIONS, given);
    const [typed, ...others] = positionals;
    if (typed === undefined || others.length > 0 || format === undefined) {
      throw new OrbweaverError('OPTIONS_INVALID', `give one site and --format; usage: ${COMMAND_WORDS.export.usage}`);
    }
    await using store = await openSaved(data);
    const graph = await openSiteGraph(await findSite(store, typed));
    for (const path of await write(graph, format, out)) streams.out.write(`${path}\n`);
    return 0;
  },
};

async function write(graph: SiteGraph, formats: readonly GraphFormat[], out: string): Promise<string[]> {
  const [format] = formats;
  const writers = format === undefined ? [] : GRAPH_FORMATS[format];
  const [writer] = writers;
  const extension = extname(out).toLowerCase();
  if (formats.length === 1 && writers.length === 1 && writer !== undefined && extension === writer.extension) {
    await writeResultFile(out, (sink) => writer.write(graph, sink));
    return [out];
  }
  if (['.gexf', '.graphml', '.csv'].includes(extension)) {
    throw new OrbweaverError('OPTIONS_INVALID', `--out ${out}: for ${formats.join(', ')} this has to be a folder`);
  }
  return writeGraphFiles(graph, { folder: out, formats });
}
