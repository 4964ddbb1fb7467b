import type { OptionTable } from '../base/option.ts';
import type { CommandWords } from './command-words.ts';
import { OPTION_GROUPS } from './option-groups.ts';

const WIDTH = 100;
const NAME_COLUMN = 32;

/** The options of a command as `--help` shows them: groups, names, what they do, defaults. */
export function formatOptions(table: OptionTable): string[] {
  const lines: string[] = [];
  for (const [group, heading] of Object.entries(OPTION_GROUPS)) {
    const options = Object.entries(table).filter(([, option]) => option.group === group);
    if (options.length === 0) continue;
    lines.push('', `${heading}:`);
    for (const [name, { value, summary, defaultText }] of options) {
      const left = `  --${name}${value === '' ? '' : ` ${value}`}`;
      const right = summary + (defaultText === '' ? '' : ` (default: ${defaultText})`);
      const wrapped = wrap(right, WIDTH - NAME_COLUMN);
      const first = left.length + 2 > NAME_COLUMN ? [left] : [left.padEnd(NAME_COLUMN) + (wrapped.shift() ?? '')];
      lines.push(...first, ...wrapped.map((line) => ' '.repeat(NAME_COLUMN) + line));
    }
  }
  return lines;
}

function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else {
      line += (line === '' ? '' : ' ') + word;
    }
  }
  return [...lines, line];
}

/** The same as a Markdown table, for README.md; a test keeps the two equal. */
export function optionsAsMarkdown(table: OptionTable): string {
  const rows: string[] = [];
  for (const [group, heading] of Object.entries(OPTION_GROUPS)) {
    const options = Object.entries(table).filter(([, option]) => option.group === group);
    if (options.length > 0) rows.push(`| **${heading}** | | | |`);
    for (const [name, { value, summary, defaultText, example }] of options) {
      const code = `\`--${name}${value === '' ? '' : ` ${value}`}\``;
      const shown = example === '' ? '' : `\`--${name} ${quote(example)}\``;
      rows.push(`| ${code} | ${summary} | ${defaultText} | ${shown} |`.replaceAll('<', '&lt;'));
    }
  }
  return ['| option | what it does | default | example |', '|---|---|---|---|', ...rows].join('\n');
}

function quote(example: string): string {
  return /[ ()]/.test(example) && !example.startsWith("'") ? `'${example}'` : example;
}

/** What `orbweaver <command> --help` prints; `more` comes after the options. */
export function formatCommandHelp(words: CommandWords, table: OptionTable, more: readonly string[] = []): string {
  const { usage, summary, about, examples } = words;
  const lines = [`Usage: ${usage}`, '', `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`, ...about];
  lines.push(...formatOptions(table), ...more, '', 'Examples:', ...examples.map((example) => `  ${example}`));
  return `${lines.join('\n')}\n`;
}
