import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseHostsFile, readHostsFile } from '../../src/app/hosts-file.ts';
import { OrbweaverError } from '../../src/base/errors.ts';

const parse = (text: string): ReturnType<typeof parseHostsFile> => parseHostsFile(text.split('\n'), 'list.txt');

function messageOf(text: string): string {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof OrbweaverError && error.code === 'INPUT_INVALID') return error.message;
    throw error;
  }
  throw new Error('was accepted');
}

describe('hosts file', () => {
  it('reads the list of the thesis as it stands', async () => {
    const { seeds, notices } = await readHostsFile('fixtures/thesis/hosts.txt');
    expect(notices).toEqual([]);
    expect(seeds).toHaveLength(22);
    expect(seeds[0]).toEqual({ url: 'http://www.apmath.spbu.ru/', concurrency: 2, maxLevel: Infinity, delayMs: 0 });
    expect(seeds[5]?.url).toBe('https://history.spbu.ru/');
    expect(seeds[20]).toEqual({ url: 'http://bio.spbu.ru/', concurrency: 2, maxLevel: 4, delayMs: 2500 });
  });

  it('takes ports, paths, comments, blank lines, and leaves out what is not said', () => {
    const { seeds } = parse(
      '# sites\n\n http://127.0.0.1:8080/docs/ ; 3 ; 0 ; 5 # mine\nhttps://example.com\nhttp://a.example;;2;\n',
    );
    expect(seeds).toEqual([
      { url: 'http://127.0.0.1:8080/docs/', concurrency: 3, maxLevel: 0, delayMs: 5 },
      { url: 'https://example.com/' },
      { url: 'http://a.example/', maxLevel: 2 },
    ]);
  });

  it.each([
    [
      'UTF-8 with a byte order mark and CRLF',
      Buffer.from('\ufeffhttp://a.example;1;-1;0\r\nhttp://b.example;1;-1;0\r\n'),
    ],
    ['UTF-16 LE as Notepad writes it', Buffer.from('\ufeffhttp://a.example\r\nhttp://b.example\r\n', 'utf16le')],
    ['old line ends', Buffer.from('http://a.example\rhttp://b.example')],
  ])('reads %s', async (_, bytes) => {
    const folder = await mkdtemp(join(tmpdir(), 'orbweaver-hosts-'));
    try {
      const path = join(folder, 'hosts.txt');
      await writeFile(path, bytes);
      const { seeds } = await readHostsFile(path);
      expect(seeds.map(({ url }) => url)).toEqual(['http://a.example/', 'http://b.example/']);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('notes a site that stands there twice and keeps the first line', () => {
    const { seeds, notices } = parse('http://a.example;1;1;1\nhttp://A.example/;2;2;2');
    expect(seeds).toEqual([{ url: 'http://a.example/', concurrency: 1, maxLevel: 1, delayMs: 1 }]);
    expect(notices).toEqual(['list.txt:2: http://a.example/ stands in line 1 already; this line is left out']);
  });

  it.each([
    ['example.com;2;-1;0', 'does not begin with http:// or https://'],
    ['ftp://example.com;2;-1;0', 'does not begin with http:// or https://'],
    ['http://;2;-1;0', 'no host name'],
    ['http://a.example;0;-1;0', 'connections: "0"'],
    ['http://a.example;two;-1;0', 'connections: "two"'],
    ['http://a.example;2;1.5;0', 'max level: "1.5"'],
    ['http://a.example;2;-1;-5', 'delay in ms: "-5"'],
    ['http://a.example;2;-1;0;9', '5 fields'],
  ])('refuses %s and names file and line', (line, reason) => {
    const message = messageOf(`# first\n${line}`);
    expect(message).toMatch(/^list\.txt:2: /);
    expect(message).toContain(reason);
    expect(message).not.toContain('\n');
  });

  it('refuses a file without a site and one that does not exist', async () => {
    expect(messageOf('# nothing\n\n')).toContain('no site');
    await expect(readHostsFile('/nonexistent/hosts.txt')).rejects.toMatchObject({ code: 'INPUT_INVALID' });
    await expect(readHostsFile('test')).rejects.toThrow('directory');
  });

  it('never throws anything but INPUT_INVALID', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: fc.constantFrom(...'htps:/;-0129.#a \u00fc'.split('')) })), (lines) => {
        try {
          parseHostsFile(lines, 'f');
        } catch (error) {
          expect(error).toMatchObject({ code: 'INPUT_INVALID' });
        }
      }),
    );
  });

  it('gives back the numbers that were written', () => {
    const line = fc.record({
      port: fc.integer({ min: 1, max: 65_535 }),
      connections: fc.integer({ min: 1, max: 256 }),
      level: fc.integer({ min: -3, max: 1000 }),
      delay: fc.integer({ min: 0, max: 100_000 }),
    });
    fc.assert(
      fc.property(line, ({ port, connections, level, delay }) => {
        const { seeds } = parse(`http://h.example:${port}/x;${connections};${level};${delay}`);
        expect(seeds[0]).toMatchObject({
          concurrency: connections,
          maxLevel: level < 0 ? Infinity : level,
          delayMs: delay,
        });
      }),
    );
  });
});
