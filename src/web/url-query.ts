import { isSessionParameter } from './url-session.ts';

export interface QueryRules {
  /** By name, stable, in code unit order. */
  readonly sort: boolean;
  /** `a`, `a=` and nothing between two `&`. */
  readonly dropEmpty: boolean;
  readonly dropSession: boolean;
  /** A `?` with nothing after it, also when the other rules left nothing. */
  readonly dropBare: boolean;
}

/**
 * Normalises a query as text: parameters are neither decoded nor encoded again, for servers tell `+`, `%20`, `a` and `a=` apart.
 * @param query from the `?` on
 */
export function normalizeQuery(query: string, rules: QueryRules): string {
  let text = query.slice(1);
  const mayDrop = rules.dropEmpty || rules.dropSession;
  if (mayDrop || (rules.sort && text.includes('&'))) {
    let parameters = text.split('&');
    if (rules.dropEmpty) parameters = parameters.filter(hasValue);
    if (rules.dropSession) parameters = parameters.filter((parameter) => !isSessionParameter(parameter));
    if (rules.sort && !isSorted(parameters)) parameters.sort(compareNames);
    text = parameters.join('&');
  }
  return text === '' && rules.dropBare ? '' : `?${text}`;
}

/** `a=1` → `a`. */
export function parameterName(parameter: string): string {
  const equals = parameter.indexOf('=');
  return equals < 0 ? parameter : parameter.slice(0, equals);
}

function hasValue(parameter: string): boolean {
  const equals = parameter.indexOf('=');
  return equals >= 0 && equals < parameter.length - 1;
}

function compareNames(left: string, right: string): number {
  const leftName = parameterName(left);
  const rightName = parameterName(right);
  if (leftName === rightName) return 0;
  return leftName < rightName ? -1 : 1;
}

function isSorted(parameters: readonly string[]): boolean {
  for (let index = 1; index < parameters.length; index++) {
    if (compareNames(parameters[index - 1] as string, parameters[index] as string) > 0) return false;
  }
  return true;
}
