/** The text without C0 controls and spaces at both ends (WHATWG URL §4.4; the blanks of RFC 9309 §2.2 are among them). */
export function trimControls(text: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && text.charCodeAt(start) <= 0x20) start++;
  while (end > start && text.charCodeAt(end - 1) <= 0x20) end--;
  return start === 0 && end === text.length ? text : text.slice(start, end);
}
