import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { scanPage } from '../../src/web/scan-page.ts';
import type { LinkKind, ScanOptions } from '../../src/web/scan-result.ts';
import { readWithParse5 } from '../support/parse5-links.ts';

const ROOT = new URL('../../', import.meta.url);
const WITH_AREAS: ReadonlySet<LinkKind> = new Set<LinkKind>(['a', 'area']);
const ALL: ReadonlySet<LinkKind> = new Set<LinkKind>(['a', 'area', 'frame']);

function scan(html: string, options: ScanOptions = {}): ReturnType<typeof scanPage> {
  return scanPage(Buffer.from(html), { headerCharset: 'utf-8', ...options });
}

/** All that the oracle knows too. */
function known(html: string): Omit<ReturnType<typeof scanPage>, 'encoding' | 'linksCut'> {
  const { encoding: _encoding, linksCut: _cut, ...rest } = scan(html, { kinds: ALL });
  return rest;
}

interface Vector {
  readonly id: string;
  readonly html: string;
  readonly hrefs?: readonly string[];
  readonly a_href_raw?: readonly string[];
}

function readVectors(path: URL): readonly Vector[] {
  return (JSON.parse(readFileSync(path, 'utf8')) as { cases: Vector[] }).cases;
}

describe('scanPage finds the links of the vectors', () => {
  const kept = readVectors(new URL('fixtures/vectors/html-links.json', ROOT));
  const shared = new URL('../shared/cases/html_links.json', ROOT);

  test('of all permissively licensed suites', () => {
    expect(kept.length).toBeGreaterThan(350);
    for (const { id, html, hrefs } of kept)
      expect([id, ...scan(html, { kinds: WITH_AREAS }).links]).toEqual([id, ...(hrefs ?? [])]);
  });

  test.skipIf(!existsSync(shared))('of the whole shared file', () => {
    for (const { id, html, a_href_raw: hrefs } of readVectors(shared))
      expect([id, ...scan(html, { kinds: WITH_AREAS }).links]).toEqual([id, ...(hrefs ?? [])]);
  });

  test('and agrees with a full parser on base, title, refresh and robots of them', () => {
    for (const { id, html } of kept) expect({ id, ...known(html) }).toEqual({ id, ...readWithParse5(html, ALL) });
  });
});

describe('scanPage', () => {
  test.each([
    ['<!--><a href=1>', ['1']],
    ['<!---><a href=1>', ['1']],
    ['<!-- --!><a href=1>', ['1']],
    ['<!-- --! ><a href=1>-->', []],
    ['<!--<!--><a href=1>', ['1']],
    ['<!-- - -><a href=1>', []],
    ['<!x ><a href=1>', ['1']],
    ['<?php "><a href=1>"?>', ['1']],
    ['</ ><a href=1>', ['1']],
    ['</><a href=1>', ['1']],
    ['<!doctype html "><a href=1>', ['1']],
    ['<![CDATA[<a href=1>]]>', []],
    ['<![CDATA[><a href=1>]]>', ['1']],
    ['<svg><![CDATA[><a href=1>]]><a href=2></svg>', ['2']],
    ['<svg><g></svg><![CDATA[><a href=1>]]>', ['1']],
  ])('ends comments and their like where the standard does: %s', (html, links) => {
    expect(scan(html).links).toEqual(links);
    expect(readWithParse5(html, ALL).links).toEqual(links);
  });

  test.each([
    ['<script><a href=1></script><a href=2>', ['2']],
    ['<script><!--<script></script><a href=1></script><a href=2>', ['2']],
    ['<script><!--<scripts></script><a href=1>', ['1']],
    ['<script><!--<script></script>--></script><a href=1>', ['1']],
    ['<script><!--><script></script><a href=1>', ['1']],
    ['<script><!--<script>--></script><a href=1>', ['1']],
    ['<script></scripty><a href=1></SCRIPT/x="><a href=2>"><a href=3>', ['3']],
    ['<style></styl><a href=1></style ><a href=2>', ['2']],
    ['<textarea><a href=1></textarea\n><a href=2>', ['2']],
    ['<title><a href=1></titlex></title><a href=2>', ['2']],
    ['<xmp><a href=1></xmp><iframe><a href=2></iframe><noembed><a href=3></noembed><a href=4>', ['4']],
    ['<noframes><a href=1></noframes><noscript><a href=2></noscript>', ['2']],
    ['<plaintext></plaintext><a href=1>', []],
    ['<script><a href=1>', []],
    ['<style></style', []],
  ])('reads text elements as text: %s', (html, links) => {
    expect(scan(html).links).toEqual(links);
    expect(readWithParse5(html, ALL).links).toEqual(links);
  });

  test.each([
    ['<a href="a&amp;b">', 'a&b'],
    ['<a href="?a=1&copy=2">', '?a=1&copy=2'],
    ['<a href="?a=1&copy;=2">', '?a=1\u00A9=2'],
    ['<a href="?&notit;">', '?&notit;'],
    ['<a href="?&not.">', '?\u00AC.'],
    ['<a href="?&not">', '?\u00AC'],
    ['<a href="&NotEqualTilde;">', '\u2242\u0338'],
    ['<a href="&#65;&#x42;&#X43&#68">', 'ABCD'],
    ['<a href="&#0;&#xD800;&#x110000;&#99999999999999999999;&#x80;">', '\uFFFD\uFFFD\uFFFD\uFFFD\u20AC'],
    ['<a href="&#;&#x;&#xg;&;&">', '&#;&#x;&#xg;&;&'],
    ['<a href="&CounterClockwiseContourIntegral;">', '\u2233'],
    ['<a href=a\0b>', 'a\uFFFDb'],
    ['<a href="a\r\nb\rc">', 'a\nb\nc'],
    ['<a href="&#13;">', '\r'],
    ['<a href=x/>', 'x/'],
    ['<a/href=x>', 'x'],
    ['<a =href=1 href=2>', '2'],
    ['<a href = \n"x"y=z>', 'x'],
    ['<a href=1 HREF=2>', '1'],
    ['<a href href=2>', ''],
    ['<a href=>', ''],
    ['<a href="x>y">', 'x>y'],
    ["<a title='>' href=x>", 'x'],
    ['<a href=a"b\'c<d`e>', 'a"b\'c<d`e'],
    ['<A HREF=x>', 'x'],
    ['<a href="\u00E9\u4F60\u{1F600}">', '\u00E9\u4F60\u{1F600}'],
    ['<a href="\uFEFFx">', '\uFEFFx'],
  ])('reads the attribute of %j', (html, href) => {
    expect(scan(html).links).toEqual([href]);
    expect(readWithParse5(html, ALL).links).toEqual([href]);
  });

  test.each([
    '<a href=x',
    '<a href="x',
    '<a href="x"',
    '<a hr\0ef=x>',
    '<ab href=x>',
    '< a href=x>',
    '<a>',
    '<a ="href=x">',
  ])('takes no link from %j', (html) => {
    expect(scan(html).links).toEqual([]);
  });

  test('knows which elements are links only when asked', () => {
    const html =
      '<a href=a></a><area href=b><iframe src=c></iframe><frame src=d><svg><area href=e /><iframe src=f /></svg>';
    expect(scan(html).links).toEqual(['a']);
    expect(scan(html, { kinds: new Set(['area']) }).links).toEqual(['b']);
    expect(scan(html, { kinds: ALL }).links).toEqual(['a', 'b', 'c']);
    const frameset =
      '<frameset><frame src=1><a href=2><frame src=3><iframe src=4></iframe></frameset><noframes><a href=5>';
    expect(scan(frameset, { kinds: ALL }).links).toEqual(['1', '3']);
  });

  test('leaves out what a frameset throws away, but not the head', () => {
    expect(
      known('<title>t</title><base href=h></head><p><a href=1><base href=b><title>u</title><frameset><frame src=2>'),
    ).toEqual({
      links: ['2'],
      base: 'h',
      title: 't',
      metaRefresh: undefined,
      metaRobots: '',
    });
    expect(known('<p>text<a href=1><frameset><frame src=2>').links).toEqual(['1']);
  });

  test('does not look into templates, however they are closed', () => {
    expect(scan('<template><div><template></template><a href=1></template><a href=2>').links).toEqual(['2']);
    expect(known('<template><base href=x><title>t</title><meta name=robots content=x></template>')).toEqual({
      links: [],
      base: undefined,
      title: '',
      metaRefresh: undefined,
      metaRobots: '',
    });
    expect(scan('<svg><template><a href=1></a></template></svg>').links).toEqual(['1']);
  });

  test('takes links of SVG: href before xlink:href', () => {
    expect(scan('<svg><a xlink:href=1 href=2></a><a xlink:href=3></a></svg><a xlink:href=4>').links).toEqual([
      '2',
      '3',
    ]);
  });

  test('takes a title of HTML only, without markup, white space collapsed, at most 1,024 characters', () => {
    expect(scan('<svg><title>no</title></svg><title> a\n<b>&amp;  &lt;</b>\t</title><title>x</title>').title).toBe(
      'a <b>& <</b>',
    );
    expect(scan(`<title>${'x'.repeat(3000)}</title>`).title).toBe('x'.repeat(1024));
    expect(scan(`<title>${'x'.repeat(1023)}\u{1F600}</title>`).title).toBe('x'.repeat(1023));
    expect(scan('<title>no end').title).toBe('no end');
  });

  test('takes refresh and robots', () => {
    const page = scan(
      '<meta http-equiv=refresh><META HTTP-EQUIV=ReFresh CONTENT="0;url=&#97;"><meta http-equiv=refresh content=2>' +
        '<meta name=ROBOTS content="NoFollow"><meta name=robots content=noindex><meta name=robot content=x>',
    );
    expect(page.metaRefresh).toBe('0;url=a');
    expect(page.metaRobots).toBe('nofollow,noindex');
  });

  test('keeps the first base that has a href', () => {
    expect(scan('<base target=x><base href="a&amp;b"><base href=c>').base).toBe('a&b');
  });

  test('counts links beyond the limit', () => {
    const page = scan('<a href=x>'.repeat(50), { maxLinks: 20 });
    expect([page.links.length, page.linksCut]).toEqual([20, 30]);
  });

  test('counts a link once that the parser copies', () => {
    for (const html of ['<a href=1><div><p>x</a>y', '<p><a href=1>x<p>y<p>z', '<table><a href=1>x<tr><td>y</table>z'])
      expect(scan(html).links).toEqual(['1']);
  });

  test('never throws, and leaves the bytes alone', () => {
    const bytes = new Uint8Array(4096).map((_, i) => (i * 7919) >> 3);
    const copy = Uint8Array.from(bytes);
    for (const headerCharset of [
      'utf-8',
      'gbk',
      'utf-16le',
      'iso-2022-jp',
      'x-user-defined',
      'replacement',
      'nonsense',
      undefined,
    ])
      expect(scanPage(bytes, { headerCharset }).links).toEqual([]);
    expect(bytes).toEqual(copy);
    expect(scanPage(new Uint8Array(0)).links).toEqual([]);
  });
});

describe('scanPage reads other encodings', () => {
  test.each([
    ['gbk', 'c4e3 8141 b05c', '\u4F60\u4E04\u7668'],
    ['gb18030', 'c4e3 95328236', '\u4F60\u{20000}'],
    ['big5', 'a741 a55c', '\u4F60\u529F'],
    ['shift_jis', '835c 8345', '\u30BD\u30A6'],
    ['euc-jp', 'a4b3 8fb0a1', '\u3053\u4E02'],
    ['euc-kr', 'bec8 8141', '\uC548\uAC02'],
    ['iso-2022-jp', '1b2442 2433 1b2842', '\u3053'],
    ['windows-1251', 'cff0', '\u041F\u0440'],
    ['windows-1252', '80 9c e9', '\u20AC\u0153\u00E9'],
    ['koi8-r', 'f0d2', '\u041F\u0440'],
  ])('%s', (encoding, bytes, text) => {
    const value = Buffer.from(bytes.replaceAll(' ', ''), 'hex');
    const page = Buffer.concat([
      Buffer.from(`<meta charset=${encoding}><title>`),
      value,
      Buffer.from('</title><p>'),
      value,
      Buffer.from("<a href='"),
      value,
      Buffer.from("&amp;'>"),
    ]);
    const scanned = scanPage(page);
    expect([scanned.encoding, scanned.title, ...scanned.links]).toEqual([encoding, text, `${text}&`]);
    expect(scanPage(page, { headerCharset: encoding }).links).toEqual([`${text}&`]);
  });

  test('UTF-16 by its mark and by the header', () => {
    const text = '<title>\u4F60</title><a href="\u00E9">';
    expect(scanPage(Buffer.from(`\uFEFF${text}`, 'utf16le')).links).toEqual(['\u00E9']);
    const big = Buffer.from(text, 'utf16le').swap16();
    const page = scanPage(big, { headerCharset: 'UTF-16BE' });
    expect([page.encoding, page.title, ...page.links]).toEqual(['utf-16be', '\u4F60', '\u00E9']);
  });

  test('a half character before a quote does not swallow it', () => {
    for (const encoding of ['gbk', 'big5', 'shift_jis', 'euc-jp', 'euc-kr', 'gb18030', 'utf-8']) {
      const page = Buffer.concat([
        Buffer.from('<a href="x'),
        Buffer.from([encoding === 'shift_jis' ? 0x81 : 0xc4]),
        Buffer.from('"><a href=y>'),
      ]);
      expect(scanPage(page, { headerCharset: encoding }).links).toEqual(['x\uFFFD', 'y']);
    }
  });

  test('a bracket that is half a character does not end a CDATA section', () => {
    const page = Buffer.concat([
      Buffer.from('<svg><![CDATA['),
      Buffer.from([0xb0, 0x5d]),
      Buffer.from(']><a href=1>]]><a href=2>'),
    ]);
    expect(scanPage(page, { headerCharset: 'gbk' }).links).toEqual(['2']);
    expect(scanPage(page, { headerCharset: 'windows-1252' }).links).toEqual(['1', '2']);
  });

  test('a <meta> beyond the first 1,024 bytes changes the encoding, unless the header named one', () => {
    const page = Buffer.from(`<!--${'x'.repeat(1100)}--><a href="\xCF"><meta charset=koi8-r>`, 'latin1');
    expect(scanPage(page)).toMatchObject({ encoding: 'koi8-r', links: ['\u043E'] });
    expect(scanPage(page, { headerCharset: 'windows-1252' })).toMatchObject({
      encoding: 'windows-1252',
      links: ['\u00CF'],
    });
    const pragma = Buffer.from(
      page.toString('latin1').replace('charset=koi8-r', 'http-equiv=content-type content="a;charset=koi8-r"'),
      'latin1',
    );
    expect(scanPage(pragma).encoding).toBe('koi8-r');
  });
});

describe('scanPage takes time in proportion to the page', () => {
  const million = 1_000_000;
  const half = 100_000;
  test.each([
    ['a million <', '<'.repeat(million)],
    ['a million </', '</'.repeat(million)],
    ['a million <!--', '<!--'.repeat(million)],
    ['comments without a bang', '<!-- -->'.repeat(half * 3)],
    ['comments that end with a bang', '<!-- --!>'.repeat(half * 3)],
    ['an attribute of 5 MB', `<a href="${'&'.repeat(5 * million)}">`],
    ['references of 5 MB', `<a href="${'&ampx'.repeat(million)}">`],
    ['digits of 5 MB', `<a href="&#${'9'.repeat(5 * million)}">`],
    ['an unclosed quote', '<a href="x>'.repeat(half * 4)],
    ['a million attributes', `<a ${'x '.repeat(million)}href=y>`],
    ['nested divs', '<div>'.repeat(half)],
    ['unclosed <b><p>', '<b><p>'.repeat(half / 2)],
    ['nested divs in a page with SVG', `<svg></g>${'<div>'.repeat(half)}${'</p>'.repeat(half)}`],
    ['unclosed <b><p> in a page with SVG', `<svg></g>${'<b><p>'.repeat(half / 2)}`],
    ['formatting that never ends', `<svg></g>${Array.from({ length: 20_000 }, (_, i) => `<b id=${i}><p>`).join('')}`],
    ['spans under a button', `<svg></g><p><button>${'<span>'.repeat(half)}${'<div></div>'.repeat(half)}`],
    ['links in links', `<svg></g>${'<a href=x><div>'.repeat(half)}`],
    ['misnested formatting', `<svg></g><b>${'<div>'.repeat(half)}${'</b>'.repeat(half)}`],
    ['nested SVG', '<svg><g>'.repeat(half) + '</x>'.repeat(half)],
    ['nested tables', '<select><a>' + '<table><tr><td>'.repeat(half)],
    ['nested templates', '<template>'.repeat(half) + '<col>' + '</template>'.repeat(half)],
    ['scripts that never end', '<script><!--<script>'.repeat(half * 3)],
    ['titles that never end', '<title></titl>'.repeat(half * 3)],
    ['names without number', `<svg></g>${Array.from({ length: half }, (_, i) => `<x${i}>`).join('')}`],
  ])('%s', (_name, html) => {
    const bytes = Buffer.from(html);
    const start = process.cpuUsage();
    scanPage(bytes, { headerCharset: 'utf-8' });
    const { user } = process.cpuUsage(start);
    // Linear code takes under 0.5 s here; quadratic code takes minutes.
    expect(user / 1e6).toBeLessThan(4);
  });

  test('and still finds the links of a page made to be slow', () => {
    const html = `<svg></g><p><button>${'<span>'.repeat(half)}${'<div></div>'.repeat(half)}<a href=x>`;
    expect(scan(html).links).toEqual(['x']);
  });
});
