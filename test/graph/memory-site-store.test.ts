import { describeSiteStore } from '../conformance/site-store.ts';
import { MemoryCrawlStore } from '../support/memory-site-store.ts';

describeSiteStore('the store in memory', async () => {
  let store = new MemoryCrawlStore();
  return {
    get store() {
      return store;
    },
    reopen: async () => (store = store.reopen()),
    remove: () => store.close(),
  };
});
