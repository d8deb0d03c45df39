import { randomBytes } from 'node:crypto';
import { declaredFields } from '@zakup/contracts/read-models';
import { mongoCredentials } from '@zakup/credentials/mongodb/mongo-credentials';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import { derivedKey } from '@zakup/service-kit/derived-key';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { openWithin } from '@zakup/service-kit/opening';
import { serverAddress } from '@zakup/service-kit/server-address';
import { startGateway } from './start-gateway.ts';

await runServiceMain({
  process,
  service: 'gateway',
  start: (start, { events, documents, namespace, jwtSecret }) =>
    startGateway(
      start,
      { jwtSecret },
      { eventStore: events, readStore: documents },
      async ({ opened, whenThere, log }) => {
        const { url } = documents;
        const readStore = await opened(documents, () => mongoReadStore({ url, declared: declaredFields, log }));
        const key = derivedKey(jwtSecret, 'credentials');
        const random = (bytes: number): Uint8Array => randomBytes(bytes);
        const credentials = await opened(documents, () => mongoCredentials({ url, key, random, log }));
        const position = await whenThere(documents, () => readStore.reached());
        const knownBounds = [{ position, source: `MONGODB_URL (${serverAddress(url)})` }];
        const eventStore = await opened(events, () =>
          eventStoreDbEventStore({ url: events.url, ...namespace, knownBounds, openWithin, log }),
        );
        return { eventStore, readStore, credentials };
      },
    ),
});
