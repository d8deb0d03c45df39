import { runServiceMain } from '@zakup/service-kit/run-main';
import { openRoster } from '@zakup/service-kit/stores/roster';
import {
  knownBounds,
  openEventStore,
  openLeases,
  openReadStore,
  openSeals,
} from '@zakup/service-kit/stores/server-stores';
import { projectorLeaseTtl } from './leased-projector.ts';
import { startProjector } from './start-projector.ts';

await runServiceMain({
  process,
  service: 'projector',
  needs: ['SEAL_KEY'],
  start: (start, { events, documents, sealKey }) =>
    startProjector(start, { sealKey }, { eventStore: events, readStore: documents }, async (context) => {
      const readStore = await openReadStore(context, documents);
      const leases = await openLeases(context, documents, projectorLeaseTtl);
      await openRoster(context, documents, 'projector');
      const seals = await openSeals(context, documents);
      const bounds = await knownBounds(context, documents, { readStore, seals });
      return { eventStore: await openEventStore(context, events, { bounds }), readStore, leases, seals };
    }),
});
