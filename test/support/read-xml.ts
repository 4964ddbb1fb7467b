export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

// The complement of production [2] Char of XML 1.0.
const NOT_CHAR = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * Reads an XML document as strictly as its well-formedness rules ask: no forbidden character, every tag closed in order, each attribute
 * once, no bare `<` or `&`. Knows no comments, CDATA, doctypes or single quotes: our writers use none.
 */
export function readXml(text: string): XmlElement {
  if (NOT_CHAR.test(text)) throw new Error('a character that XML 1.0 forbids');
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
  if (!text.startsWith(declaration)) throw new Error('no declaration');
  const top: XmlElement = { name: '', attributes: {}, children: [], text: '' };
  const open = [top];
  const token = /([^<]*)(?:<(\/?)([A-Za-z_][\w:.-]*)((?:\s+[\w:.-]+="[^"<]*")*)\s*(\/?)>|$)/y;
  token.lastIndex = declaration.length;
  for (;;) {
    const at = token.lastIndex;
    const match = token.exec(text);
    if (match === null) throw new Error(`not well-formed at ${at}: ${text.slice(at, at + 80)}`);
    const [, before = '', closing, name, attributes = '', empty] = match;
    const parent = open.at(-1) as XmlElement;
    parent.text += decode(before);
    if (name === undefined) break;
    if (closing === '/') {
      if (parent.name !== name || attributes !== '') throw new Error(`</${name}> closes <${parent.name}>`);
      open.pop();
      continue;
    }
    const element: XmlElement = { name, attributes: readAttributes(attributes), children: [], text: '' };
    parent.children.push(element);
    if (empty !== '/') open.push(element);
  }
  const [root] = top.children;
  if (open.length !== 1 || top.children.length !== 1 || top.text.trim() !== '' || root === undefined) {
    throw new Error('not one closed root');
  }
  return root;
}

function readAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(/([\w:.-]+)="([^"]*)"/g)) {
    if (Object.hasOwn(attributes, name)) throw new Error(`attribute ${name} twice`);
    // XML 1.0 §3.3.3: a reader sees spaces for literal line breaks and tabs.
    attributes[name] = decode(value.replace(/[\t\n\r]/g, ' '));
  }
  return attributes;
}

function decode(text: string): string {
  return text.replace(/&([^;]*);?/g, (whole, name: string) => {
    const character = whole.endsWith(';') ? ENTITIES[name] : undefined;
    if (character === undefined) throw new Error(`bad reference ${whole.slice(0, 20)}`);
    return character;
  });
}
