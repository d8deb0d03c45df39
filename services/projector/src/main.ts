import { runServiceMain } from '@zakup/service-kit/run-main';
import { openRoster } from '@zakup/service-kit/stores/roster';
import { knownBound, openEventStore, openLeases, openReadStore } from '@zakup/service-kit/stores/server-stores';
import { projectorLeaseTtl } from './leased-projector.ts';
import { startProjector } from './start-projector.ts';

await runServiceMain({
  process,
  service: 'projector',
  start: (start, { events, documents }) =>
    startProjector(start, { eventStore: events, readStore: documents }, async (context) => {
      const readStore = await openReadStore(context, documents);
      const leases = await openLeases(context, documents, projectorLeaseTtl);
      await openRoster(context, documents, 'projector');
      const bound = await knownBound(context, documents, readStore);
      return { eventStore: await openEventStore(context, events, { bound }), readStore, leases };
    }),
});
