import { codeCipher } from '@zakup/credentials/code-cipher';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { measureService } from '@zakup/service-kit/service-figures';
import { openProcessRegistry } from '@zakup/service-kit/stores/process-registry';
import {
  knownBounds,
  openCredentials,
  openEventStore,
  openLeases,
  openReadStore,
  openSeals,
} from '@zakup/service-kit/stores/server-stores';
import { startCommand } from './start-command.ts';

await runServiceMain({
  process,
  service: 'command',
  start: (start, { events, documents, jwtSecret, accessCodesKey, credentialsKey, print }) =>
    startCommand(
      start,
      {
        jwtSecret,
        codes: codeCipher(accessCodesKey),
        onMadeAdmin: (password) =>
          print(`Администратор: логин ${start.config.adminLogin}, пароль ${password} (показан один раз)`),
      },
      { eventStore: events, readStore: documents },
      async (context) => {
        const readStore = await openReadStore(context, documents);
        const leases = await openLeases(context, documents);
        const credentials = await openCredentials(context, documents, credentialsKey);
        await openProcessRegistry(context, documents, 'command', measureService(context, 'command'));
        const seals = await openSeals(context, documents);
        const bounds = await knownBounds(context, documents, { readStore, seals });
        const eventStore = await openEventStore(context, events, { bounds, finishPlans: true });
        return { eventStore, readStore, credentials, leases };
      },
    ),
});
