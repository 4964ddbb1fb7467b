/** IMF-fixdate, the obsolete RFC 850 form, and asctime, which has no zone and means GMT (RFC 9110 §5.6.7). */
const DATE = /^(?:Mon|Tues?|Wed(?:nes)?|Thu(?:rs)?|Fri|Sat(?:ur)?|Sun)(?:day)?,? /;

/**
 * Milliseconds a Retry-After field asks to wait: seconds or a date (RFC 9110 §10.2.3), 0 for a date that is over.
 * undefined for none, and for rubbish.
 */
export function parseRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,12}$/.test(value)) return Number(value) * 1000;
  if (!DATE.test(value)) return undefined;
  const at = Date.parse(value.endsWith('GMT') ? value : `${value} GMT`);
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
