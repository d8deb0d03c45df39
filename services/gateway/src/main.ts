import { codeCipher } from '@zakup/credentials/code-cipher';
import { derivedKey } from '@zakup/service-kit/derived-key';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { openProcessRegistry } from '@zakup/service-kit/stores/process-registry';
import {
  knownBounds,
  openCredentials,
  openEventStore,
  openReadStore,
  openSeals,
} from '@zakup/service-kit/stores/server-stores';
import { startGateway } from './start-gateway.ts';

await runServiceMain({
  process,
  service: 'gateway',
  start: (start, { events, documents, jwtSecret, accessCodesKey }) =>
    startGateway(
      start,
      {
        jwtSecret,
        codes: codeCipher(accessCodesKey),
        adminEmails: start.config.adminEmails,
        adminSecondFactor: start.config.adminSecondFactor,
      },
      { eventStore: events, readStore: documents },
      async (context) => {
        const readStore = await openReadStore(context, documents);
        const credentials = await openCredentials(context, documents, derivedKey(jwtSecret, 'credentials'));
        const services = await openProcessRegistry(context, documents, 'gateway');
        const seals = await openSeals(context, documents);
        const bounds = await knownBounds(context, documents, { readStore, seals });
        const eventStore = await openEventStore(context, events, { bounds });
        return { eventStore, readStore, credentials, services, seals };
      },
    ),
});
