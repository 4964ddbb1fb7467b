/**
 * Public identifiers of documents in quirks mode begin so, but for HTML 4.01, XHTML and ISO HTML (WHATWG HTML 13.2.6.4.1).
 * The list is kept short: here the mode only decides whether a table ends a paragraph.
 */
const OLD_MAKERS = ['+//silmaril//', '-//as//', '-//advasoft ltd//', '-//ietf//', '-//metrius//', '-//microsoft//'];
const OLD_DIALECTS = [
  '-//netscape comm. corp.//',
  "-//o'reilly and associates//",
  '-//sq//',
  '-//softquad',
  '-//spyglass//',
  '-//sun microsystems corp.//',
  '-//w3c//dtd html 3',
  '-//w3c//dtd html 4.0 ',
  '-//w3c//dtd html experimental',
  '-//w3c//dtd w3 html',
  '-//w3o//dtd w3 html',
  '-//webtechs//',
  '-/w3c/dtd html 4.0 transitional/en',
];
const OLD_WITHOUT_SYSTEM = ['-//w3c//dtd html 4.01 frameset//', '-//w3c//dtd html 4.01 transitional//'];
const QUIRKS_SYSTEM = 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd';

/** Whether a doctype, given as its text after `<!doctype`, puts the document in quirks mode. */
export function isQuirksDoctype(text: string): boolean {
  const match = /^[\t\n\f\r ]*([^\t\n\f\r ]*)[\t\n\f\r ]*(.*)$/su.exec(text.toLowerCase());
  const rest = match?.[2] ?? '';
  if (match?.[1] !== 'html') return true;
  if (rest === '') return false;
  const quoted = rest.slice(6).match(/"[^"]*"|'[^']*'/gu) ?? [];
  const [first = '', second] = quoted.map((id) => id.slice(1, -1));
  if (rest.startsWith('system')) return quoted.length === 0 || first === QUIRKS_SYSTEM;
  if (!rest.startsWith('public') || quoted.length === 0) return true;
  if (first === 'html' || second === QUIRKS_SYSTEM) return true;
  const begins = (prefix: string): boolean => first.startsWith(prefix);
  return (
    OLD_MAKERS.some(begins) || OLD_DIALECTS.some(begins) || (second === undefined && OLD_WITHOUT_SYSTEM.some(begins))
  );
}
