/** Switches of URL normalisation; the three classes of design section 2. */
export const NORMALIZE_RULES = {
  'lower-case-host': { class: 1, default: true, summary: 'lower-case scheme and host' },
} as const;
export type NormalizeRule = keyof typeof NORMALIZE_RULES;
