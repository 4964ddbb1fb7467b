import type { CommandName } from './command-words.ts';
import type { Command } from './command.ts';

/** What runs each command; loaded when it is called, for `--help` needs neither database nor HTTP client. */
const LOADERS: Readonly<Record<CommandName, () => Promise<Command>>> = {
  crawl: async () => (await import('./crawl-command.ts')).createCrawlCommand(),
  why: async () => (await import('./why-command.ts')).whyCommand,
  check: async () => (await import('./check-command.ts')).checkCommand,
  export: async () => (await import('./export-command.ts')).exportCommand,
};

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(LOADERS, name);
}

export function loadCommand(name: CommandName): Promise<Command> {
  return LOADERS[name]();
}
