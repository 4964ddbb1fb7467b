/** Code points that take two columns: East Asian wide and full-width forms, and emoji (Unicode TR 11, the blocks in use). */
const WIDE =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1faff}\u{20000}-\u{3fffd}]/u;
const MARK = /[\p{Mn}\p{Me}]|[\u200b-\u200f\u2060]/u;
// oxlint-disable-next-line no-control-regex -- control characters are the point
const CONTROL = /[\0-\x1f\x7f-\x9f]/g;

function columnsOf(character: string): number {
  if (MARK.test(character)) return 0;
  return WIDE.test(character) ? 2 : 1;
}

/** Columns a text takes on a terminal. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

/** The text within so many columns; what is cut ends in `…`. No wide character is halved. */
export function fitColumns(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text;
  let cut = '';
  let width = 0;
  for (const character of text) {
    const more = columnsOf(character);
    if (width + more > columns - 1) break;
    cut += character;
    width += more;
  }
  return columns < 1 ? '' : `${cut}…`;
}

/** Without characters that could steer a terminal: what the web sent must not. Lines stay lines. */
export function printable(text: string): string {
  return text.replace(CONTROL, (character) => (character === '\n' || character === '\t' ? character : '\ufffd'));
}

export type Colour = 'red' | 'yellow' | 'green' | 'dim' | 'bold';

const CODES: Readonly<Record<Colour, number>> = { red: 31, yellow: 33, green: 32, dim: 2, bold: 1 };

/** Makes the function that colours a text; it does nothing away from a terminal, or with NO_COLOR set (no-color.org). */
export function createPaint(
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): (colour: Colour, text: string) => string {
  const isPlain = !isTerminal || (env['NO_COLOR'] ?? '') !== '' || env['TERM'] === 'dumb';
  return (colour, text) => (isPlain ? text : `\u001b[${CODES[colour]}m${text}\u001b[0m`);
}
