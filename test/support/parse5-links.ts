import { parse } from 'parse5';
import type { DefaultTreeAdapterTypes } from 'parse5';
import type { LinkKind } from '../../src/web/scan-result.ts';

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

const HTML = 'http://www.w3.org/1999/xhtml';

export interface OraclePage {
  readonly links: readonly string[];
  readonly base: string | undefined;
  readonly title: string;
  readonly metaRefresh: string | undefined;
  readonly metaRobots: string;
}

/**
 * What a page holds by a full parser with a tree (parse5, scripting off): the oracle for `scanPage`.
 * Each tag of the source counts once, in source order; copies made by the parser have no place of their own.
 */
export function readWithParse5(html: string, kinds: ReadonlySet<LinkKind>): OraclePage {
  const bySource = new Map<number, Element>();
  // What stands in a template is none, even where the parser puts a copy of it outside.
  const inert = new Set<number>();
  const stack: [node: Node, isInert: boolean][] = [
    [parse(html, { scriptingEnabled: false, sourceCodeLocationInfo: true }), false],
  ];
  for (let entry = stack.pop(); entry !== undefined; entry = stack.pop()) {
    const [node, isInert] = entry;
    if ('tagName' in node && node.sourceCodeLocation) {
      // Copies of a misnested element have its place and attributes; any will do.
      bySource.set(node.sourceCodeLocation.startOffset, node);
      if (isInert) inert.add(node.sourceCodeLocation.startOffset);
    }
    if ('childNodes' in node) for (const child of node.childNodes) stack.push([child, isInert]);
    if ('content' in node) stack.push([node.content, true]);
  }
  for (const offset of inert) bySource.delete(offset);
  const inOrder = [...bySource].toSorted(([one], [two]) => one - two).map(([, element]) => element);
  const isHtml = (element: Element): boolean => (element.namespaceURI as string) === HTML;
  const get = (element: Element, name: string, prefix?: string): string | undefined =>
    element.attrs.find((attribute) => attribute.name === name && (attribute.prefix ?? '') === (prefix ?? ''))?.value;

  const links: string[] = [];
  for (const element of inOrder) {
    let link: string | undefined;
    if (element.tagName === 'a' && kinds.has('a')) {
      link = get(element, 'href') ?? (isHtml(element) ? undefined : get(element, 'href', 'xlink'));
    } else if (!isHtml(element)) continue;
    else if (element.tagName === 'area' && kinds.has('area')) link = get(element, 'href');
    else if ((element.tagName === 'frame' || element.tagName === 'iframe') && kinds.has('frame'))
      link = get(element, 'src');
    if (link !== undefined) links.push(link);
  }
  const html5 = inOrder.filter(isHtml);
  const first = html5.find((element) => element.tagName === 'title');
  const metas = html5.filter((element) => element.tagName === 'meta');
  const contents = (name: string, value: string): string[] =>
    metas
      .filter((meta) => get(meta, name)?.toLowerCase() === value)
      .map((meta) => get(meta, 'content') ?? '')
      .filter((content) => content !== '');
  return {
    links,
    base: html5
      .filter((element) => element.tagName === 'base')
      .map((element) => get(element, 'href'))
      .find((href) => href !== undefined),
    title: (first?.childNodes ?? [])
      .map((node) => ('value' in node ? node.value : ''))
      .join('')
      .replace(/[\t\n\f\r ]+/g, ' ')
      .trim()
      .slice(0, 1024),
    metaRefresh: contents('http-equiv', 'refresh')[0],
    metaRobots: contents('name', 'robots').join(',').toLowerCase(),
  };
}
