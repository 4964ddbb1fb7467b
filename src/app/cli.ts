import { COMMAND_WORDS, LATER_COMMANDS } from './command-words.ts';
import { isCommandName, loadCommand } from './commands.ts';
import { EXIT_CODES } from './exit-code.ts';
import { nearestName } from './nearest-name.ts';
import { reportFailure } from './report-failure.ts';
import type { Streams } from './streams.ts';
import { printable } from './terminal-text.ts';
import { readVersion } from './version.ts';

const EXIT_USAGE = 2;

/**
 * Runs one command line. Never rejects: what goes wrong is one line on stderr and an exit code.
 * @param args without `node` and the script
 */
export async function runCommandLine(args: readonly string[], streams: Streams): Promise<number> {
  try {
    return await dispatch(args, streams);
  } catch (error) {
    return reportFailure(error, streams);
  }
}

async function dispatch(args: readonly string[], streams: Streams): Promise<number> {
  const [name, ...rest] = args;
  switch (name) {
    case undefined:
      streams.err.write(formatUsage());
      return EXIT_USAGE;
    case 'help':
    case '--help':
    case '-h':
      return help(rest, streams);
    case 'version':
    case '--version':
    case '-v':
      streams.out.write(`${readVersion()}\n`);
      return 0;
    default:
      return isCommandName(name) ? (await loadCommand(name)).run(rest, streams) : refuse(name, streams);
  }
}

async function help([topic]: readonly string[], streams: Streams): Promise<number> {
  if (topic === undefined) {
    streams.out.write(formatUsage());
    return 0;
  }
  return isCommandName(topic) ? (await loadCommand(topic)).run(['--help'], streams) : refuse(topic, streams);
}

function refuse(name: string, { err }: Streams): number {
  const shown = printable(name.slice(0, 60));
  if (LATER_COMMANDS.includes(name)) {
    err.write(`orbweaver: ${shown} comes in a later version\n`);
  } else if (name.startsWith('-')) {
    err.write(`orbweaver: the command comes first: orbweaver <command> ${shown}; see orbweaver --help\n`);
  } else {
    const nearest = nearestName(name, Object.keys(COMMAND_WORDS));
    const looksLikeSite = name.includes('.') || name.includes('/');
    const hint = looksLikeSite ? `did you mean "orbweaver crawl ${shown}"?` : `did you mean ${nearest ?? 'help'}?`;
    err.write(`orbweaver: there is no command ${shown}; ${hint}\n`);
  }
  return EXIT_USAGE;
}

function formatUsage(): string {
  const commands = Object.entries(COMMAND_WORDS).map(([name, { summary }]) => `  ${name.padEnd(10)}${summary}`);
  return [
    'Usage: orbweaver <command> [options]',
    '',
    ...commands,
    `  ${'help'.padEnd(10)}this text, or help <command>`,
    `  ${'version'.padEnd(10)}the version`,
    '',
    'Exit codes:',
    ...Object.entries(EXIT_CODES).map(([code, meaning]) => `  ${code}  ${meaning}`),
    '',
  ].join('\n');
}
