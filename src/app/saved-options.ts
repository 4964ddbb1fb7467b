import { flag, list, text } from '../base/option.ts';
import { GRAPH_FORMATS, type GraphFormat } from '../graph/export/index.ts';
import { DATA_OPTION, HELP_OPTION } from './options.ts';

const JSON_OPTION = flag({ group: 'results', summary: 'one JSON document on stdout' });

/** Options of the commands that look into saved crawls. */
export const WHY_OPTIONS = {
  data: DATA_OPTION,
  site: text({
    group: 'where',
    value: 'NAME',
    summary: 'look into this site only, by the name of its files',
    example: '127.0.0.1_8080',
  }),
  json: JSON_OPTION,
  help: HELP_OPTION,
} as const;

export const CHECK_OPTIONS = { data: DATA_OPTION, json: JSON_OPTION, help: HELP_OPTION } as const;

const FORMATS = Object.keys(GRAPH_FORMATS) as GraphFormat[];

export const EXPORT_OPTIONS = {
  data: DATA_OPTION,
  out: text({
    group: 'where',
    value: 'PATH',
    summary: 'folder, or file for a single gexf or graphml',
    defaultText: '<data>/graphs',
    example: 'example.gexf',
  }),
  format: list({ group: 'results', value: 'LIST', summary: FORMATS.join(', '), example: 'gexf' }, FORMATS),
  help: HELP_OPTION,
} as const;
