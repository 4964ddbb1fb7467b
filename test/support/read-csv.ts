/**
 * Reads CSV strictly by RFC 4180 §2 with `\n` line ends. Throws for what the grammar does not allow: a quote inside an unquoted field,
 * text behind a closing quote, an open quote at the end, rows of different length.
 */
export function readCsv(text: string): Record<string, string>[] {
  if (!text.endsWith('\n')) throw new Error('no line end at the end');
  const rows: string[][] = [[]];
  let at = 0;
  while (at < text.length) {
    const row = rows.at(-1) as string[];
    let field = '';
    if (text[at] === '"') {
      for (at++; ; at++) {
        const end = text.indexOf('"', at);
        if (end < 0) throw new Error(`open quote in row ${rows.length}`);
        field += text.slice(at, end);
        at = end + 1;
        if (text[at] !== '"') break;
        field += '"';
      }
    } else {
      const end = text.slice(at).search(/[,\n]/) + at;
      field = text.slice(at, end);
      if (/["\r]/.test(field)) throw new Error(`stray quote or line break in row ${rows.length}`);
      at = end;
    }
    row.push(field);
    if (text[at] === '\n') rows.push([]);
    else if (text[at] !== ',') throw new Error(`text behind a quote in row ${rows.length}`);
    else if (at + 1 === text.length) throw new Error('ends with a comma');
    at++;
  }
  rows.pop();
  const [header = [], ...body] = rows;
  return body.map((row, index) => {
    if (row.length !== header.length) throw new Error(`row ${index + 2} has ${row.length} fields`);
    return Object.fromEntries(header.map((name, column) => [name, row[column] as string]));
  });
}
