import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_CODES } from '../src/app/exit-code.ts';
import { CRAWL_OPTIONS } from '../src/app/options.ts';
import { settingsKeysAsMarkdown } from '../src/app/settings-keys.ts';
import { optionsAsMarkdown } from '../src/app/usage-text.ts';
import { ERROR_CODES } from '../src/base/errors.ts';
import { NORMALIZE_RULES } from '../src/web/url-key.ts';

const FLOORS = ['base', 'web', 'store', 'fetch', 'crawl', 'archive', 'graph', 'replay', 'app'];
const FORBIDDEN_NAMES = /^(?:utils?|helpers?|common|shared|misc|lib|managers?)(?:\.|$)|-(?:utils?|helpers?|manager)\./;

interface SourceFile {
  /** Relative to src, with slashes. */
  readonly path: string;
  readonly text: string;
  readonly imports: readonly string[];
}

/** Without comments and the contents of strings in them: what a rule looks for must stand in code. */
function stripComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/(^|[\s;,{(])\/\/.*$/gm, '$1');
}

const files: readonly SourceFile[] = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((name) => name.replaceAll('\\', '/'))
  .filter((name) => name.endsWith('.ts'))
  .map((path) => {
    const text = readFileSync(join('src', path), 'utf8');
    const code = stripComments(text);
    const specifiers = [...code.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, name = '']) => name);
    return {
      path,
      text,
      imports: specifiers.map((name) => normalize(join(dirname(path), name)).replaceAll('\\', '/')),
    };
  });

const byPath = new Map(files.map((file) => [file.path, file]));
const floorOf = (path: string): number => FLOORS.indexOf(path.split('/')[0] ?? '');
const inFloors = files.filter(({ path }) => path.includes('/'));

/** The lines of a Markdown table without the padding that a formatter adds. */
function tableLines(markdown: string): string[] {
  const rows = markdown.split('\n').filter((line) => line.startsWith('|'));
  return rows.map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim().replace(/^-+$/, '---'))
      .join('|'),
  );
}

/** Floors with a file in whose code the pattern occurs. */
function floorsWith(pattern: RegExp): string[] {
  const users = files.filter(({ text }) => pattern.test(stripComments(text)));
  return [...new Set(users.map(({ path }) => path.split('/')[0] ?? ''))];
}

const readme = readFileSync('README.md', 'utf8');

describe('the floors', () => {
  it('are seen by this test', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(files.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
  });

  it('are the only folders', () => {
    const folders = new Set(inFloors.map(({ path }) => path.split('/')[0]));
    expect([...folders].filter((name) => !FLOORS.includes(name ?? ''))).toEqual([]);
  });

  it('import only themselves and what lies below', () => {
    const wrong = inFloors.flatMap(({ path, imports }) =>
      imports
        .filter((target) => floorOf(target) > floorOf(path) || floorOf(target) < 0)
        .map((target) => `${path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('import files that exist, by their .ts name', () => {
    const wrong = files.flatMap(({ path, imports }) =>
      imports.filter((target) => !byPath.has(target)).map((target) => `${path} → ${target}`),
    );
    expect(wrong).toEqual([]);
  });

  it('have no circles, types and lazy imports included', () => {
    const done = new Set<string>();
    const walk = (path: string, trail: readonly string[]): string | undefined => {
      if (trail.includes(path)) return [...trail.slice(trail.indexOf(path)), path].join(' → ');
      if (done.has(path)) return undefined;
      const file = byPath.get(path);
      for (const target of file?.imports ?? []) {
        const circle = walk(target, [...trail, path]);
        if (circle !== undefined) return circle;
      }
      done.add(path);
      return undefined;
    };
    expect(files.map(({ path }) => walk(path, [])).find((circle) => circle !== undefined)).toBeUndefined();
  });
});

describe('the sources', () => {
  it('are files of at most 400 lines', () => {
    const long = files.filter(({ text }) => text.split('\n').length > 401);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  it('have kebab-case names that say what is in them', () => {
    const odd = files.filter(({ path }) =>
      path.split('/').some((part) => FORBIDDEN_NAMES.test(part) || !/^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.ts)?$/.test(part)),
    );
    expect(odd.map(({ path }) => path)).toEqual([]);
  });

  it('leave arguments, exit and console to the app', () => {
    const pattern = /\bprocess\.(?:argv|exit|exitCode|stdout|stderr|on)\b|\bconsole\./;
    const guilty = files.filter(({ path, text }) => !path.startsWith('app/') && pattern.test(stripComments(text)));
    expect(guilty.map(({ path }) => path)).toEqual([]);
    const inApp = files.filter(
      ({ path, text }) => path !== 'app/main.ts' && /\bprocess\.(?:argv|exit)\b/.test(stripComments(text)),
    );
    expect(inApp.map(({ path }) => path)).toEqual([]);
  });

  it('have no default exports, enums, namespaces, any, or unfinished words', () => {
    const pattern = /^export default|^\s*(?:export )?(?:const )?enum \w|^\s*(?:export )?namespace \w|: any\b|as any\b/m;
    expect(files.filter(({ text }) => pattern.test(stripComments(text))).map(({ path }) => path)).toEqual([]);
    expect(files.filter(({ text }) => /\b(?:TODO|FIXME|XXX|HACK)\b/.test(text)).map(({ path }) => path)).toEqual([]);
  });

  it('let only the store know LevelDB and only fetch open sockets', () => {
    expect(floorsWith(/from '(?:level|classic-level|abstract-level)'/)).toEqual(['store']);
    expect(
      floorsWith(/from '(?:undici|node:(?:http|https|net|tls|dns)(?:\/promises)?)'/).filter(
        (floor) => floor !== 'fetch',
      ),
    ).toEqual([]);
  });
});

describe('README.md', () => {
  it('has the options as they are', () => {
    const lines = tableLines(readme);
    for (const line of tableLines(optionsAsMarkdown(CRAWL_OPTIONS))) expect(lines).toContain(line);
    const named = [...readme.matchAll(/^\| `--([a-z-]+)/gm)].map(([, name = '']) => name);
    expect(named.toSorted()).toEqual(Object.keys(CRAWL_OPTIONS).toSorted());
  });

  it('has the keys of the settings file as they are', () => {
    const lines = tableLines(readme);
    for (const line of tableLines(settingsKeysAsMarkdown())) expect(lines).toContain(line);
  });

  it('has every error code with its remedy, every exit code and every normalisation rule', () => {
    for (const [code, { remedy, exitCode }] of Object.entries(ERROR_CODES)) {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${code}\``)) ?? code;
      expect(row).toContain(remedy);
      expect(row).toMatch(new RegExp(`\\| ${exitCode} +\\|`));
    }
    for (const [code, meaning] of Object.entries(EXIT_CODES))
      expect(readme).toMatch(new RegExp(`\\| ${code} +\\| ${meaning.replaceAll(/[()]/g, '\\$&')}`));
    for (const name of Object.keys(NORMALIZE_RULES)) expect(readme).toContain(`\`${name}\``);
  });

  it('links only to files that exist', () => {
    const targets = [...readme.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, target = '']) => target);
    expect(targets.filter((target) => !existsSync(target))).toEqual([]);
  });
});

describe('src/README.md', () => {
  it('names every folder there is', () => {
    const map = readFileSync('src/README.md', 'utf8');
    for (const folder of new Set(inFloors.map(({ path }) => path.split('/')[0] ?? '')))
      expect(map).toMatch(new RegExp(`^\\| \`${folder}\``, 'm'));
  });
});
