import type { LogFields, Logger } from '../../base/log.ts';
import type { FetchOutcome, Interceptor } from '../outcome.ts';

/** One debug line for each exchange. Innermost it shows every try, outermost only what came of them. */
export function trace({ log }: { readonly log: Logger }): Interceptor {
  return (next) => async (request) => {
    const startedAt = performance.now();
    const outcome = await next(request);
    log.debug('fetch', { url: request.url, ...describe(outcome), ms: Math.round(performance.now() - startedAt) });
    return outcome;
  };
}

function describe(outcome: FetchOutcome): LogFields {
  switch (outcome.type) {
    case 'response':
      return { status: outcome.status, bytes: outcome.body?.length };
    case 'redirect': {
      const { location } = outcome;
      return { status: outcome.status, location: 'url' in location ? location.url : location.text };
    }
    case 'refused':
      return { status: outcome.status, refused: outcome.reason, detail: outcome.detail };
    case 'failed':
      return { failed: outcome.reason, code: outcome.code, detail: outcome.detail };
    default:
      return outcome satisfies never;
  }
}
