import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MIMEType } from 'whatwg-mimetype';
import { parseContentType } from '../../src/web/media-type.ts';

describe('parseContentType', () => {
  test.each([
    ['text/html', 'text/html', undefined],
    ['TEXT/HTML', 'text/html', undefined],
    [' text/html ;; charset=utf-8 ; x="a;b"', 'text/html', 'utf-8'],
    ['text/html;charset="UTF-8"', 'text/html', 'UTF-8'],
    ['text/html;x="a;charset=no";charset=yes', 'text/html', 'yes'],
    ['text/html;charset="a\\"b', 'text/html', 'a"b'],
    ['text/html;charset=;charset=b', 'text/html', 'b'],
    ['text/html;charset=a;charset=b', 'text/html', 'a'],
    ['text/html;charset =a', 'text/html', undefined],
    ['text/html;charset', 'text/html', undefined],
    ['text/htmlx', 'text/htmlx', undefined],
    ['text/html x', '', undefined],
    ['text', '', undefined],
    ['/html', '', undefined],
    ['text/', '', undefined],
    ['', '', undefined],
    ['te(xt/html', '', undefined],
  ])('reads %j', (value, essence, charset) => {
    expect(parseContentType(value)).toEqual({ essence, charset });
  });

  test('a missing header has no type', () => {
    expect(parseContentType(undefined)).toEqual({ essence: '', charset: undefined });
  });

  test.each([
    ['text/plain;charset=gbk, text/html', 'text/html', undefined],
    ['text/html;charset=gbk, text/html', 'text/html', 'gbk'],
    ['text/html;charset=gbk;a=b, text/html;x=y', 'text/html', 'gbk'],
    ['text/html;charset=gbk, x/x, text/html', 'text/html', undefined],
    ['text/html;charset=gbk, cannot-parse, */*', 'text/html', 'gbk'],
    ['text/html;charset=gbk, text/html;charset=big5', 'text/html', 'big5'],
    ['text/html;charset="a,b", text/html', 'text/html', 'a,b'],
    [',text/html,', 'text/html', undefined],
  ])('takes the last of several that can be read: %j', (value, essence, charset) => {
    expect(parseContentType(value)).toEqual({ essence, charset });
  });

  test('agrees with whatwg-mimetype on any single value', () => {
    const part = fc.constantFrom(
      'text',
      '/',
      'html',
      ';',
      'charset',
      '=',
      '"',
      '\\',
      ' ',
      '\t',
      'x',
      'utf-8',
      '\u00E9',
      '\u4F60',
      'CharSet',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), fc.boolean(), (parts, isHtml) => {
        const value = (isHtml ? 'text/html;' : '') + parts.join('');
        const oracle = MIMEType.parse(value);
        const essence = oracle?.essence ?? '';
        expect(parseContentType(value)).toEqual({ essence, charset: oracle?.parameters.get('charset') });
      }),
      { numRuns: 5000 },
    );
  });

  test('does not slow down on a long header', () => {
    const start = process.cpuUsage();
    for (const value of [
      ' '.repeat(1e6),
      `text/html;${' '.repeat(1e6)}x`,
      `text/html;charset="${'\\'.repeat(1e6)}`,
      ','.repeat(1e6),
      `text/html${';a=b'.repeat(3e5)}`,
    ])
      parseContentType(value);
    expect(process.cpuUsage(start).user / 1e6).toBeLessThan(2);
  });
});
