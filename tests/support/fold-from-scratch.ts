import { declaredFields } from '@zakup/contracts/read-models';
import { eventStoreDbEventStore } from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { rebuildAll } from '@zakup/projector/rebuild';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { mongoReadStore } from '@zakup/read-store/mongodb/mongo-read-store';
import type { ReadDocument, ReadStore } from '@zakup/read-store/read-store';

/** Every document of every kind, deleted ones too, in the order of ids. */
export const readModelsOf = async (readStore: ReadStore): Promise<Readonly<Record<string, readonly ReadDocument[]>>> =>
  Object.fromEntries(
    await Promise.all(
      Object.keys(declaredFields).map(async (kind) => {
        const { docs } = await readStore.query(kind, { includeDeleted: true });
        return [kind, docs.toSorted((a, b) => a.id.localeCompare(b.id))] as const;
      }),
    ),
  );

/** Every document of an installation on servers, beside the same log folded anew in memory. */
export const readModelsAndFold = async (settings: Readonly<Record<string, string>>) => {
  const { EVENTSTOREDB_URL: url = '', MONGODB_URL: mongoDbUrl = '', EVENTSTOREDB_NAMESPACE: namespace = '' } = settings;
  const eventStore = await eventStoreDbEventStore({ url, namespace });
  const stored = await mongoReadStore({ url: mongoDbUrl, declared: declaredFields });
  const folded = inMemoryReadStore({ declared: declaredFields });
  try {
    await rebuildAll({ eventStore, readStore: folded, now: Date.now });
    return { stored: await readModelsOf(stored), folded: await readModelsOf(folded) };
  } finally {
    await Promise.all([eventStore.close(), stored.close(), folded.close()]);
  }
};
