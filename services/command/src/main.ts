import { derivedKey } from '@zakup/service-kit/derived-key';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { openRoster } from '@zakup/service-kit/stores/roster';
import {
  knownBound,
  openCredentials,
  openEventStore,
  openLeases,
  openReadStore,
} from '@zakup/service-kit/stores/server-stores';
import { startCommand } from './start-command.ts';

await runServiceMain({
  process,
  service: 'command',
  start: (start, { events, documents, jwtSecret, print }) =>
    startCommand(
      start,
      {
        jwtSecret,
        onMadeAdmin: (password) =>
          print(`Администратор: логин ${start.config.adminLogin}, пароль ${password} (показан один раз)`),
      },
      { eventStore: events, readStore: documents },
      async (context) => {
        const readStore = await openReadStore(context, documents);
        const leases = await openLeases(context, documents);
        const credentials = await openCredentials(context, documents, derivedKey(jwtSecret, 'credentials'));
        await openRoster(context, documents, 'command');
        const bound = await knownBound(context, documents, readStore);
        const eventStore = await openEventStore(context, events, { bound, finishPlans: true });
        return { eventStore, readStore, credentials, leases };
      },
    ),
});
