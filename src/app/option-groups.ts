/** Headings of `--help` and README.md, in their order. */
export const OPTION_GROUPS = {
  where: 'Where things are',
  limits: 'How far',
  speed: 'How fast',
  rules: 'What is a page, what is the same page',
  results: 'Results and messages',
} as const;
