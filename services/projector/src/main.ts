import { hostname } from 'node:os';
import { declaredFields } from '@zakup/contracts/read-models';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { mongoLeases } from '@zakup/read-store/mongodb/mongo-leases';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { openWithin } from '@zakup/service-kit/opening';
import { serverAddress } from '@zakup/service-kit/server-address';
import { projectorLeaseTtl } from './leased-projector.ts';
import { startProjector } from './start-projector.ts';

await runServiceMain({
  process,
  service: 'projector',
  start: (start, { events, documents, namespace }) =>
    startProjector(start, { eventStore: events, readStore: documents }, async ({ opened, whenThere, log }) => {
      const { url } = documents;
      const readStore = await opened(documents, () => mongoReadStore({ url, declared: declaredFields, log }));
      const holder = `${hostname()}/${process.pid}`;
      const leases = await opened(documents, () => mongoLeases({ url, holder, log, ttl: projectorLeaseTtl }));
      const position = await whenThere(documents, () => readStore.reached());
      const knownBounds = [{ position, source: `MONGODB_URL (${serverAddress(url)})` }];
      const eventStore = await opened(events, () =>
        eventStoreDbEventStore({ url: events.url, ...namespace, knownBounds, openWithin, log }),
      );
      return { eventStore, readStore, leases };
    }),
});
