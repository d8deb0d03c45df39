import { derivedKey } from '@zakup/service-kit/derived-key';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { openRoster } from '@zakup/service-kit/stores/roster';
import { knownBound, openCredentials, openEventStore, openReadStore } from '@zakup/service-kit/stores/server-stores';
import { startGateway } from './start-gateway.ts';

await runServiceMain({
  process,
  service: 'gateway',
  start: (start, { events, documents, jwtSecret }) =>
    startGateway(start, { jwtSecret }, { eventStore: events, readStore: documents }, async (context) => {
      const readStore = await openReadStore(context, documents);
      const credentials = await openCredentials(context, documents, derivedKey(jwtSecret, 'credentials'));
      const services = await openRoster(context, documents, 'gateway');
      const bound = await knownBound(context, documents, readStore);
      return { eventStore: await openEventStore(context, events, { bound }), readStore, credentials, services };
    }),
});
