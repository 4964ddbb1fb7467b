import { existsSync, readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import htmlEncodingSniffer from 'html-encoding-sniffer';
import { describe, expect, test } from 'vitest';
import { decodeText, encodeQuery, findEncoding, sniffEncoding } from '../../src/web/charset.ts';
import { parseContentType } from '../../src/web/media-type.ts';
import { scanPage } from '../../src/web/scan-page.ts';

const ROOT = new URL('../../', import.meta.url);

interface Vector {
  readonly id: string;
  readonly bytes_hex: string;
  readonly content_type?: string | null;
  readonly expected?: string;
  readonly expected_text?: string;
  readonly expected_text_contains?: string;
}

/**
 * Cases whose source wants what the standards do not. cs-102, cs-103: nothing valid is declared, windows-1252 holds, UTF-8 is not guessed
 * (WHATWG HTML 13.2.3.2, last step). cs-120 to cs-123, cs-125: UTF-32 is no encoding of the web (WHATWG Encoding 4.2; its mark begins with that
 * of UTF-16LE, 6.1). cs-124: the label `utf-16` is UTF-16LE, whatever the bytes look like (4.2).
 */
const AGAINST_STANDARD = new Set(['cs-102', 'cs-103', 'cs-120', 'cs-121', 'cs-122', 'cs-123', 'cs-124', 'cs-125']);
/** Cases where only reading on finds the declaration: WHATWG HTML 13.2.3.4 "changing the encoding while parsing". */
const FOUND_BY_PARSER = new Set(['cs-048', 'cs-049', 'cs-050', 'cs-051', 'cs-052', 'cs-053', 'cs-054', 'cs-205']);

function check(cases: readonly Vector[]): void {
  for (const vector of cases) {
    if (AGAINST_STANDARD.has(vector.id)) continue;
    const bytes = Buffer.from(vector.bytes_hex, 'hex');
    const header = vector.content_type?.replace(/^Content-Type: /, '');
    const { charset: headerCharset } = parseContentType(header);
    const encoding = FOUND_BY_PARSER.has(vector.id)
      ? scanPage(bytes, { headerCharset }).encoding
      : sniffEncoding(bytes, headerCharset);
    if (vector.expected !== undefined) expect([vector.id, encoding]).toEqual([vector.id, vector.expected]);
    const text = decodeText(bytes, encoding);
    if (typeof vector.expected_text === 'string') expect([vector.id, text]).toEqual([vector.id, vector.expected_text]);
    if (vector.expected_text_contains !== undefined) expect(text).toContain(vector.expected_text_contains);
  }
}

function readVectors(path: URL): readonly Vector[] {
  return (JSON.parse(readFileSync(path, 'utf8')) as { cases: Vector[] }).cases;
}

describe('sniffEncoding', () => {
  const kept = readVectors(new URL('fixtures/vectors/charset.json', ROOT));
  const shared = new URL('../shared/cases/charset.json', ROOT);

  test('passes the vectors', () => {
    expect(kept.length).toBe(205);
    check(kept);
  });

  test.skipIf(!existsSync(shared))('passes the whole shared file', () => check(readVectors(shared)));

  test('puts the mark before the header, the header before the page, and knows no guess', () => {
    const page = Buffer.from('<meta charset=koi8-r>');
    expect(sniffEncoding(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), page]), 'gbk')).toBe('utf-8');
    expect(sniffEncoding(page, ' GBK ')).toBe('gbk');
    expect(sniffEncoding(page, 'nonsense')).toBe('koi8-r');
    expect(sniffEncoding(page)).toBe('koi8-r');
    expect(sniffEncoding(Buffer.from('\u00E9\u4F60'))).toBe('windows-1252');
  });

  test.each([
    ['<!-->--><meta charset=gbk>', 'gbk'],
    ['<!--<meta charset=gbk>', 'windows-1252'],
    ['<meta charset="gbk', 'windows-1252'],
    ['<meta charset=gbk', 'windows-1252'],
    ['<meta content="text/html;charset=gbk">', 'windows-1252'],
    ['<meta content="charset charset=gbk" http-equiv=Content-Type>', 'gbk'],
    ['<meta charset=nonsense><meta charset=gbk>', 'gbk'],
    ['<x y="<meta charset=big5>"><meta charset=gbk>', 'gbk'],
    ['</x y="<meta charset=big5>"><meta charset=gbk>', 'gbk'],
    ['<?x <meta charset=big5><meta charset=gbk>', 'gbk'],
    ['<meta charset=utf-16><p>', 'utf-8'],
    ['<meta charset=x-user-defined>', 'windows-1252'],
    ['<?xml version="1.0" encoding="gbk"?><p>', 'gbk'],
    ['<?xml encoding="utf-16"?><p>', 'utf-8'],
    ["<?xml encoding = 'gbk'?><meta charset=big5>", 'big5'],
    [' <?xml encoding="gbk"?>', 'windows-1252'],
    ['<\0?\0x\0m\0l\0', 'utf-16le'],
    ['\0<\0?\0x', 'utf-16be'],
  ])('prescans %j', (page, encoding) => {
    expect(sniffEncoding(Buffer.from(page, 'latin1'))).toBe(encoding);
  });

  test('agrees with html-encoding-sniffer on random declarations', () => {
    const part = fc.constantFrom(
      '<meta ',
      '<META/',
      'charset=',
      'charset = "',
      'gbk',
      'utf-8',
      'nonsense',
      '"',
      "'",
      '>',
      ' ',
      '/',
      '<!--',
      '-->',
      'http-equiv=content-type ',
      'content="text/html; charset=big5" ',
      'content=',
      ';',
      '<p ',
      '</p',
      '<!',
      '<?',
      'x=y',
      '\n',
    );
    let agreed = 0;
    fc.assert(
      fc.property(fc.array(part, { maxLength: 14 }), (parts) => {
        const bytes = Buffer.from(`${parts.join('')}<br>`);
        let oracle: string;
        try {
          oracle = htmlEncodingSniffer(bytes).toLowerCase();
        } catch {
          // It throws where `charset` ends the value.
          return;
        }
        // It does not end the search where the bytes end inside a tag, as the standard wants: only whole tags are compared.
        if (isCut(bytes.toString())) return;
        agreed++;
        expect(sniffEncoding(bytes)).toBe(oracle);
      }),
      { numRuns: 3000 },
    );
    expect(agreed).toBeGreaterThan(500);
  });

  test('knows labels whatever their case and blanks', () => {
    expect(['UTF8', ' Latin1\n', 'x-sjis', 'ks_c_5601-1987', 'unicode-1-1-utf-8', 'no', ''].map(findEncoding)).toEqual([
      'utf-8',
      'windows-1252',
      'shift_jis',
      'euc-kr',
      'utf-8',
      undefined,
      undefined,
    ]);
  });
});

/** Whether quotes or comments are left open. */
function isCut(page: string): boolean {
  return /["']/.test(page.replace(/"[^"']*"|'[^"']*'/g, '')) || page.lastIndexOf('<!--') > page.lastIndexOf('-->');
}

describe('decodeText', () => {
  test('takes windows-1252 for what it is, unlike Node 20', () => {
    expect(decodeText(Uint8Array.of(0x80, 0x81, 0x9f, 0xe9), 'windows-1252')).toBe('\u20AC\u0081\u0178\u00E9');
  });

  test('drops the mark of the encoding, and only that', () => {
    expect(decodeText(Buffer.from('\uFEFF\uFEFFx'), 'utf-8')).toBe('\uFEFFx');
    expect(decodeText(Buffer.from('\uFEFFx', 'utf16le'), 'utf-16le')).toBe('x');
    expect(decodeText(Uint8Array.of(0xfe, 0xff, 0, 0x78), 'utf-16be')).toBe('x');
    expect(decodeText(Uint8Array.of(0xef, 0xbb, 0xbf), 'windows-1252')).toBe('\u00EF\u00BB\u00BF');
  });

  test('replaces what is no UTF-8 as the standard does', () => {
    const bytes = Uint8Array.of(0x61, 0xf0, 0x9f, 0x98, 0x62, 0xc0, 0x80, 0xed, 0xa0, 0x80);
    expect(decodeText(bytes, 'utf-8')).toBe(new TextDecoder().decode(bytes));
  });

  test('decodes a view of a larger buffer', () => {
    expect(decodeText(new Uint8Array(Buffer.from('xx\u00E9yy').buffer.slice(0)).subarray(0, 0), 'utf-8')).toBe('');
    expect(decodeText(Buffer.from('xx\u00E9yy').subarray(2, 4), 'utf-8')).toBe('\u00E9');
  });
});

describe('encodeQuery', () => {
  test.each([
    ['a=1&b=c%20d', 'gbk', 'a=1&b=c%20d'],
    ['\u00E9', 'utf-8', '%C3%A9'],
    ['\u00E9', 'windows-1252', '%E9'],
    ['\u20AC', 'windows-1252', '%80'],
    ['\u4F60\u597D', 'gbk', '%C4%E3%BA%C3'],
    ['\u4F60', 'big5', '%A7A'],
    ['\u30BD', 'shift_jis', '%83%5C'.replace('%5C', '\\')],
    ['\u3053', 'euc-jp', '%A4%B3'],
    ['\uAC02', 'euc-kr', '%81A'],
    ['\u{20000}', 'gb18030', '%952%826'],
    ['\u4F60x', 'windows-1252', '%26%2320320%3Bx'],
    ['\u{1F600}', 'koi8-r', '%26%23128512%3B'],
    ['\u00E9', 'utf-16le', '%C3%A9'],
    ['\u00E9', 'replacement', '%C3%A9'],
    ['a b"c#d<e>f\'g', 'utf-8', 'a%20b%22c%23d%3Ce%3Ef%27g'],
    ['\uD800', 'utf-8', '%EF%BF%BD'],
    ['\x7F\x01', 'utf-8', '%7F%01'],
    ['', 'gbk', ''],
  ])('of %j in %s', (text, encoding, query) => {
    expect(encodeQuery(text, encoding)).toBe(query);
  });

  test('in UTF-8 is what URL makes of it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (raw) => {
        const text = `x${raw.replace(/[\t\n\r#]/g, '')}x`;
        expect(encodeQuery(text, 'utf-8')).toBe(new URL(`http://h/?${text}`).search.slice(1));
      }),
    );
  });

  test('in ISO-2022-JP begins and ends in ASCII', () => {
    expect(encodeQuery('a\u3053b', 'iso-2022-jp')).toBe('a%1B$B$3%1B(Bb');
  });
});
