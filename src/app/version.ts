import { readFileSync } from 'node:fs';

/** Version of Orbweaver, from package.json: two folders up, from `src/app` as from `dist/app`. */
export function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}
