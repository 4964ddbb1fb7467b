import { describeSiteStore } from '../conformance/site-store.ts';
import { openTempStore } from '../support/temp-store.ts';

describeSiteStore('LevelDB', () => openTempStore());
describeSiteStore('LevelDB with room for three index entries', () => openTempStore({ maxIndexEntries: 3 }));
describeSiteStore('LevelDB waiting for the disk', () => openTempStore({ sync: true }));
