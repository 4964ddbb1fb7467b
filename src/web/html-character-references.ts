import { NAMED_REFERENCES } from './html-entity-table.ts';

/** What a name stands for, and whether it may stand without a semicolon. Built at the first reference that needs it. */
let expansions: Map<string, string> | undefined;
let bareNames: Set<string> | undefined;
/** Length of the longest name: bounds the look-ahead. */
const LONGEST_NAME = 32;
/** Lengths of the names that may stand without a semicolon. */
const LONGEST_BARE_NAME = 6;
const SHORTEST_BARE_NAME = 2;

/** What the numbers 0x80 to 0x9F stand for: their windows-1252 meaning (WHATWG HTML 13.2.5.80). */
const C1_REPLACEMENTS =
  '\u20AC\x81\u201A\u0192\u201E\u2026\u2020\u2021\u02C6\u2030\u0160\u2039\u0152\x8D\u017D\x8F' +
  '\x90\u2018\u2019\u201C\u201D\u2022\u2013\u2014\u02DC\u2122\u0161\u203A\u0153\x9D\u017E\u0178';

function loadNames(): Map<string, string> {
  const names = new Map<string, string>();
  const bare = new Set<string>();
  for (const group of NAMED_REFERENCES.split(' ')) {
    const equals = group.indexOf('=');
    if (equals < 0) continue;
    let text = '';
    for (const hex of group.slice(0, equals).split('.')) text += String.fromCodePoint(Number.parseInt(hex, 16));
    for (const entry of group.slice(equals + 1).split(',')) {
      const isBare = entry.endsWith('!');
      const name = isBare ? entry.slice(0, -1) : entry;
      names.set(name, text);
      if (isBare) bare.add(name);
    }
  }
  expansions = names;
  bareNames = bare;
  return names;
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function isAlphanumeric(code: number): boolean {
  return isDigit(code) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a);
}

function hexValue(code: number): number {
  if (isDigit(code)) return code - 0x30;
  const lower = code | 0x20;
  return lower >= 0x61 && lower <= 0x66 ? lower - 0x57 : -1;
}

function numberToText(value: number): string {
  if (value === 0 || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) return '\uFFFD';
  if (value >= 0x80 && value <= 0x9f) return C1_REPLACEMENTS.charAt(value - 0x80);
  return String.fromCodePoint(value);
}

/**
 * Text with its character references decoded (WHATWG HTML 13.2.5.72 to 13.2.5.80).
 * In an attribute, a name without semicolon before `=` or an alphanumeric stays as it is (`?a=1&copy=2`). Linear in the text.
 */
export function decodeReferences(text: string, isAttribute: boolean): string {
  let ampersand = text.indexOf('&');
  if (ampersand < 0) return text;
  let result = '';
  let from = 0;
  while (ampersand >= 0) {
    const start = ampersand + 1;
    const first = text.charCodeAt(start);
    let end = start;
    let replacement: string | undefined;
    if (first === 0x23) {
      let digit = start + 1;
      let value = 0;
      const isHex = (text.charCodeAt(digit) | 0x20) === 0x78;
      if (isHex) digit++;
      const digits = digit;
      for (; digit < text.length; digit++) {
        const code = text.charCodeAt(digit);
        const number = isHex ? hexValue(code) : isDigit(code) ? code - 0x30 : -1;
        if (number < 0) break;
        // Saturates: any number above U+10FFFF means the same.
        if (value <= 0x10ffff) value = value * (isHex ? 16 : 10) + number;
      }
      end = digit;
      if (digit > digits) {
        replacement = numberToText(value);
        if (text.charCodeAt(end) === 0x3b) end++;
      }
    } else if (isAlphanumeric(first)) {
      const limit = Math.min(text.length, start + LONGEST_NAME);
      while (end < limit && isAlphanumeric(text.charCodeAt(end))) end++;
      const names = expansions ?? loadNames();
      if (text.charCodeAt(end) === 0x3b) {
        replacement = names.get(text.slice(start, end));
        if (replacement !== undefined) end++;
      }
      if (replacement === undefined) {
        const length = longestBareName(text, start, end);
        const nameEnd = start + length;
        if (length > 0 && !(isAttribute && isNameGoingOn(text.charCodeAt(nameEnd)))) {
          replacement = names.get(text.slice(start, nameEnd));
          end = nameEnd;
        }
      }
    }
    if (replacement !== undefined) {
      result += text.slice(from, ampersand) + replacement;
      from = end;
    }
    ampersand = text.indexOf('&', Math.max(end, start));
  }
  return from === 0 ? text : result + text.slice(from);
}

/** `=` or an alphanumeric after a bare name in an attribute: it is part of a query, not a reference. */
function isNameGoingOn(code: number): boolean {
  return code === 0x3d || isAlphanumeric(code);
}

function longestBareName(text: string, start: number, end: number): number {
  for (let length = Math.min(end - start, LONGEST_BARE_NAME); length >= SHORTEST_BARE_NAME; length--) {
    if (bareNames?.has(text.slice(start, start + length)) === true) return length;
  }
  return 0;
}
