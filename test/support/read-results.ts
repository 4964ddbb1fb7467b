import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import Papa from 'papaparse';

/** The result files of one site, read by another library than wrote them. */
export interface Results {
  readonly nodes: readonly ResultNode[];
  readonly arcs: readonly { readonly source: number; readonly target: number; readonly weight: number }[];
  readonly links: readonly ResultLink[];
  readonly summary: ResultSummary;
}

export interface ResultNode {
  readonly id: number;
  readonly label: string;
  readonly url: string;
  readonly level: number;
  readonly inDegree: number;
  readonly outDegree: number;
  readonly selfLinks: number;
  readonly externalLinks: number;
  readonly title: string;
  readonly bytes: number;
  readonly digest: string;
}

export interface ResultLink {
  /** 0 where the column is empty. */
  readonly source: number;
  readonly url: string;
  readonly reason: string;
  readonly status: number;
  readonly target: number;
  readonly count: number;
}

/** The keys that design section 9 binds, and the others. */
export type ResultSummary = Readonly<Record<string, unknown>> & {
  readonly site: string;
  readonly endReason: string;
  readonly complete: boolean;
  readonly pages: number;
};

const NODE_HEADER = 'Id,Label,Url,Level,InDegree,OutDegree,SelfLinks,ExternalLinks,Title,Bytes,Digest';
const EDGE_HEADER = 'Source,Target,Type,Weight';
const LINK_HEADER = 'Source,Url,Reason,Status,Target,Count';

/** Reads the files of the only site in a results folder. Throws when a file is missing or not as the design says. */
export function readResults(folder: string): Results {
  const names = readdirSync(folder);
  const summaryFile = names.find((name) => name.endsWith('.summary.json'));
  if (summaryFile === undefined) throw new Error(`no summary in ${folder}: ${names.join(' ')}`);
  const site = summaryFile.slice(0, -'.summary.json'.length);
  const table = (kind: string, header: string): string[][] =>
    readTable(path.join(folder, `${site}.${kind}.csv`), header);
  return {
    nodes: table('nodes', NODE_HEADER).map(
      ([id, label, url, level, inDegree, outDegree, self, ext, title, bytes, digest]) => ({
        id: Number(id),
        label: label ?? '',
        url: url ?? '',
        level: Number(level),
        inDegree: Number(inDegree),
        outDegree: Number(outDegree),
        selfLinks: Number(self),
        externalLinks: Number(ext),
        title: title ?? '',
        bytes: Number(bytes),
        digest: digest ?? '',
      }),
    ),
    arcs: table('edges', EDGE_HEADER).map(([source, target, type, weight]) => {
      if (type !== 'Directed') throw new Error(`an arc of type ${type}`);
      return { source: Number(source), target: Number(target), weight: Number(weight) };
    }),
    links: table('links', LINK_HEADER).map(([source, url, reason, status, target, count]) => ({
      source: Number(source),
      url: url ?? '',
      reason: reason ?? '',
      status: Number(status),
      target: Number(target),
      count: Number(count),
    })),
    summary: JSON.parse(readFileSync(path.join(folder, summaryFile), 'utf8')) as ResultSummary,
  };
}

function readTable(file: string, header: string): string[][] {
  const text = readFileSync(file, 'utf8');
  if (text.includes('\r')) throw new Error(`${file} holds a carriage return`);
  if (!text.endsWith('\n')) throw new Error(`${file} does not end with a newline`);
  const { data, errors } = Papa.parse<string[]>(text.slice(0, -1), { delimiter: ',', newline: '\n' });
  if (errors.length > 0) throw new Error(`${file}: ${JSON.stringify(errors[0])}`);
  const [first, ...rows] = data;
  if (first?.join(',') !== header) throw new Error(`${file} has the header ${String(first)}`);
  const width = header.split(',').length;
  const odd = rows.find((row) => row.length !== width);
  if (odd !== undefined) throw new Error(`${file} has a row of ${odd.length} fields: ${odd.join(',')}`);
  return rows;
}
