/** How a command is called and what it is for. */
export interface CommandWords {
  readonly usage: string;
  readonly summary: string;
  /** Further lines of its own help, before the options. */
  readonly about: readonly string[];
  readonly examples: readonly string[];
}

/** Every command of this version, as `--help` shows it. */
export const COMMAND_WORDS = {
  crawl: {
    usage: 'orbweaver crawl <site|url|hosts-file>... [options]',
    summary: 'crawl sites and write their web graphs',
    about: [
      'A site (example.com), a start URL (https://example.com/docs/) or a file with a list of sites.',
      'The same command again goes on where the last one stopped.',
    ],
    examples: [
      'orbweaver crawl example.com',
      'orbweaver crawl https://example.com/docs/ --max-level 3 --format gephi-csv,gexf',
      'orbweaver crawl hosts.txt --settings settings.ini --out result',
    ],
  },
  why: {
    usage: 'orbweaver why <url> [--site NAME] [--data DIR] [--json]',
    summary: 'tell what became of a URL, and how it was found',
    about: ['Looks into the saved crawl of the site the URL belongs to, then into all others.'],
    examples: ['orbweaver why https://example.com/old.html'],
  },
  check: {
    usage: 'orbweaver check [site]... [--data DIR] [--json]',
    summary: 'verify that what is stored is whole and agrees with itself',
    about: ['Without a site, all of them. Exit 0: all is well; 5: something is not.'],
    examples: ['orbweaver check', 'orbweaver check example.com'],
  },
  export: {
    usage: 'orbweaver export <site> --format LIST [--out PATH] [--data DIR]',
    summary: 'write the graph of a crawled site in another format, without fetching',
    about: ['PATH is a folder, or, for one of gexf and graphml, a file with that extension.'],
    examples: ['orbweaver export example.com --format gexf --out example.gexf'],
  },
} as const satisfies Readonly<Record<string, CommandWords>>;

export type CommandName = keyof typeof COMMAND_WORDS;

/** Names that are settled and come later. */
export const LATER_COMMANDS: readonly string[] = [
  'serve',
  'graph',
  'compare',
  'import',
  'verify',
  'rewrite',
  'reindex',
];
