import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { declaredFields } from '@zakup/contracts/read-models';
import { mongoCredentials } from '@zakup/credentials/mongodb/mongo-credentials';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { mongoLeases } from '@zakup/read-store/mongodb/mongo-leases';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import { derivedKey } from '@zakup/service-kit/derived-key';
import { openWithin } from '@zakup/service-kit/opening';
import { serverAddress } from '@zakup/service-kit/server-address';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { startCommand } from './start-command.ts';

await runServiceMain({
  process,
  service: 'command',
  start: (start, { events, documents, namespace, jwtSecret, print }) =>
    startCommand(
      start,
      {
        jwtSecret,
        onMadeAdmin: (password) =>
          print(`Администратор: логин ${start.config.adminLogin}, пароль ${password} (показан один раз)`),
      },
      { eventStore: events, readStore: documents },
      async ({ opened, whenThere, log, metrics }) => {
        const { url } = documents;
        const readStore = await opened(documents, () => mongoReadStore({ url, declared: declaredFields, log }));
        const holder = `${hostname()}/${process.pid}`;
        const leases = await opened(documents, () => mongoLeases({ url, holder, log }));
        const key = derivedKey(jwtSecret, 'credentials');
        const random = (bytes: number): Uint8Array => randomBytes(bytes);
        const credentials = await opened(documents, () => mongoCredentials({ url, key, random, log }));
        const position = await whenThere(documents, () => readStore.reached());
        const knownBounds = [{ position, source: `MONGODB_URL (${serverAddress(url)})` }];
        const eventStore = await opened(events, () =>
          eventStoreDbEventStore({
            url: events.url,
            ...namespace,
            knownBounds,
            openWithin,
            finishPlans: true,
            onLeftPlan: (outcome) => metrics.leftPlans.inc({ outcome }),
            log,
          }),
        );
        return { eventStore, readStore, credentials, leases };
      },
    ),
});
