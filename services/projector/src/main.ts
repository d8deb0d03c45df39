import { randomBytes } from 'node:crypto';
import { ensureHeads } from '@zakup/seals/seal-heads';
import { runServiceMain } from '@zakup/service-kit/run-main';
import { openProcessRegistry } from '@zakup/service-kit/stores/process-registry';
import {
  keptHeads,
  knownBounds,
  openCredentials,
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
    startProjector(
      start,
      { sealKey, witness: start.config.sealWitness },
      { eventStore: events, readStore: documents },
      async (context) => {
        const readStore = await openReadStore(context, documents);
        const leases = await openLeases(context, documents, projectorLeaseTtl);
        await openProcessRegistry(context, documents, 'projector');
        const seals = await openSeals(context, documents);
        // Only the last seals are read and written there, which need no key.
        const credentials = await openCredentials(context, documents, randomBytes(32));
        const heads = keptHeads({ credentials, readStore }, documents);
        await context.whenThere(documents, () => ensureHeads(seals, heads));
        const bounds = await knownBounds(context, documents, { readStore, seals, heads });
        return { eventStore: await openEventStore(context, events, { bounds }), readStore, leases, seals, heads };
      },
    ),
});
