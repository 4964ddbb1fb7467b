import { cleanText } from './clean-text.ts';

const NEEDS_QUOTES = /[",]/;

/** A field by RFC 4180 §2, quoted only where it must be; line breaks are gone by `cleanText`. */
export function csvField(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = cleanText(value);
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
