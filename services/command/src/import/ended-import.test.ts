import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { sqliteEventStore } from '@zakup/event-store/sqlite/sqlite-event-store';
import { afterAll } from 'vitest';
import { endedImportSuite } from '../testing/ended-import-suite.ts';
import { endingLog } from '../testing/ending-log.ts';
import { nonAtomicEventStore } from '../testing/non-atomic-event-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'zakup-ended-import-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

endedImportSuite(
  'memory',
  endingLog((clock) => inMemoryEventStore({ clock })),
);
endedImportSuite(
  'SQLite',
  endingLog(() => sqliteEventStore({ file: join(folder, 'events.db') })),
);

let step: () => void = () => undefined;
endedImportSuite(
  'memory, written one stream after the other',
  endingLog(
    (clock) => {
      const store = nonAtomicEventStore(inMemoryEventStore({ clock }));
      store.meanwhile = async () => {
        step();
        return undefined;
      };
      return store;
    },
    (next) => {
      step = next;
    },
  ),
);
