/** Names that only carry a session or tell where a visitor came from. */
const SESSION_NAMES = new RegExp(
  [
    'phpsessid|jsessionid|sessionid|session_id|sessid|aspsessionid[a-z]*|asp\\.net_sessionid|cfid|cftoken|zenid|oscsid',
    'utm_[a-z_]+|gclid|gclsrc|dclid|gbraid|wbraid|fbclid|msclkid|yclid|twclid|ttclid|igshid|_ga|_gl',
    'mc_cid|mc_eid|mkt_tok|_hsenc|_hsmi|s_kwcid',
  ]
    .map((part) => `^(?:${part})$`)
    .join('|'),
  'i',
);

/** `sid` also names ordinary things (`?sid=12`), so only a long value counts. */
const LONG_SID = /^sid=[0-9a-z_-]{8,}$/i;

/** `;jsessionid=…` and the like as a path parameter, up to the next `;` or `/`. */
const PATH_PARAMETER = /;(?:jsessionid|phpsessid|sessionid|sid)=[^;/]*/gi;
/** ASP.NET without cookies: `/(S(24 characters))/`. */
const PATH_SEGMENT = /\/\([ASF]\([0-9a-z]{20,}\)\)(?=\/)/gi;

/** Whether `name=value` is a session or tracking parameter. */
export function isSessionParameter(parameter: string): boolean {
  const equals = parameter.indexOf('=');
  return SESSION_NAMES.test(equals < 0 ? parameter : parameter.slice(0, equals)) || LONG_SID.test(parameter);
}

/** Removes session ids from a path: `/a;jsessionid=1F?` → `/a`. */
export function dropPathSession(path: string): string {
  let text = path;
  if (text.includes(';')) text = text.replace(PATH_PARAMETER, '');
  if (text.includes('/(')) text = text.replace(PATH_SEGMENT, '');
  return text;
}
