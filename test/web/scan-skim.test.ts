import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { scanPage } from '../../src/web/scan-page.ts';
import type { LinkKind } from '../../src/web/scan-result.ts';
import { beginningsOf, skim } from '../../src/web/scan-skim.ts';
import { readWithParse5 } from '../support/parse5-links.ts';

const ALL: ReadonlySet<LinkKind> = new Set<LinkKind>(['a', 'area', 'frame']);
const NOTABLE = beginningsOf([Buffer.from('script'), Buffer.from('meta')]);

/** What is skimmed over from the start, the links met, and where it stopped. */
function skimText(html: string): { hrefs: string[]; rest: string } {
  const places: number[] = [];
  const end = skim(Buffer.from(html, 'latin1'), 0, NOTABLE, places);
  const hrefs: string[] = [];
  for (let i = 0; i < places.length; i += 2) hrefs.push(html.slice(places[i], places[i + 1]));
  return { hrefs, rest: html.slice(end) };
}

describe('skim', () => {
  test.each([
    ['<p>x</p> <b>y</b>\n', [], ''],
    ['<a href="1">x</a><A HREF=\'2\' title=">">y</A>', ['1', '2'], ''],
    ['<a class="x" id="y" href="1" href="2">', ['1'], ''],
    ['<a id="x">y</a><a>z</a>', [], ''],
    ['<div title="a>b" class=\'<\'><img src=a/b alt>', [], ''],
    ['<p>x<script>y', [], '<script>y'],
    ['<p>x<META>', [], '<META>'],
    ['<p>x<!--y-->', [], '<!--y-->'],
    ['<p>x</template>', [], '</template>'],
    ['x < y', [], '< y'],
    ['<p>x</>', [], '</>'],
    // Whatever is not plain is left to the reader of all rules.
    ['<a href="1"><a href href="2">', ['1'], '<a href href="2">'],
    ['<a  href="1">', [], '<a  href="1">'],
    ['<a/href="1">', [], '<a/href="1">'],
    ['<a x"href="1">', [], '<a x"href="1">'],
    ['<a href=1>', [], '<a href=1>'],
    ['<a href = "1">', [], '<a href = "1">'],
    ['<p ="x>">', [], '<p ="x>">'],
    ['<p a="b"="c>">', [], '<p a="b"="c>">'],
    ['<p a= "x>">', [], '<p a= "x>">'],
    // Not whole.
    ['<p>x<a href="1"', [], '<a href="1"'],
    ['<p>x<a href="1', [], '<a href="1'],
    ['<p>x<div class', [], '<div class'],
    ['<p>x<div class=', [], '<div class='],
    ['<p>x<div class="y', [], '<div class="y'],
    ['<p>some text<i', [], '<i'],
    ['<p>some text<', [], '<'],
    ['', [], ''],
  ])('%j', (html, hrefs, rest) => {
    expect(skimText(html)).toEqual({ hrefs, rest });
  });

  test('a word that begins like a notable name is left to the reader', () => {
    expect(skimText('<p><screen>').rest).toBe('<screen>');
    expect(skimText('<p><section><span><menu>').rest).toBe('');
  });
});

describe('links with odd attributes are those a parser with a tree sees', () => {
  const piece = fc.constantFrom(
    ...[
      [
        ' href="1"',
        " href='2'",
        ' href=3',
        ' HREF="4"',
        ' href',
        'href="5"',
        ' hrefs="6"',
        ' href ="7"',
        '=',
        '"',
        "'",
      ],
      [' ', '/', '\n', '>', ' title="a>b"', ' x=">', '<a', '<a href="8"', '</a', '<b class="c"', '<p =">"', '\0', 'x'],
      ['<a class="c" href="9">', ' a=b', '\thref="10"', ' data-x:y_z="1"', ' \u00E9="2"', '&amp;', '\r\n', '</a>'],
      ['<template>', '</template>', '<te', '</te', '<col>', '<!-- > -->', '<!--->', '--!>', '<!--', '-->', '<!---!>'],
    ].flat(),
  );
  test('on any sequence of pieces', () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 24 }), (pieces) => {
        const html = `<a href="0">${pieces.join('')}><a href="11">`;
        const {
          encoding: _encoding,
          linksCut: _cut,
          ...page
        } = scanPage(Buffer.from(html), { headerCharset: 'utf-8', kinds: ALL });
        expect(page).toEqual(readWithParse5(html, ALL));
      }),
      { numRuns: 3_000 },
    );
  });
});
