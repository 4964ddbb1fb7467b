import { addHeaders } from './headers.ts';
import { bePolite } from './polite.ts';
import { retry } from './retry.ts';
import { trace } from './trace.ts';

/** Every interceptor there is, by name, the usual order from the outside in. All of them pass `test/conformance/interceptor.ts`. */
export const INTERCEPTORS = { headers: addHeaders, retry, polite: bePolite, trace } as const;

export { addHeaders, bePolite, retry, trace };
