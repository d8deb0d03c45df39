import type { ReadStore } from '@zakup/read-store/read-store';
import type { NamedServer } from '../opening.ts';
import { serverAddress } from '../server-address.ts';
import type { ServiceContext } from '../service.ts';
import { answering, projectionLag, type Dependency } from '../dependency-health.ts';
import { type LosableEventStore, logIdentityGuard } from './log-identity-guard.ts';
import { serverSource } from './server-stores.ts';
import { allPartitions } from './all-partitions.ts';

/** Servers of a process; null = what lies there is embedded. */
export interface Servers {
  readonly eventStore: NamedServer | null;
  /** Of read models, leases and credentials. */
  readonly readStore: NamedServer | null;
}

interface OpenStores {
  readonly eventStore: LosableEventStore;
  readonly readStore: ReadStore;
}

/** Servers that answer, the log that it was, and, asked for, read models that follow it. */
const watchedOf = (
  servers: Servers,
  { eventStore, readStore }: OpenStores,
  log: Dependency,
  models: boolean,
): readonly Dependency[] => [
  ...(servers.eventStore === null ? [] : [answering(servers.eventStore, (late) => eventStore.head(late))]),
  ...(servers.readStore === null ? [] : [answering(servers.readStore, () => readStore.get('license', '-'))]),
  log,
  ...(models
    ? [
        projectionLag({
          head: (late) => eventStore.head(late),
          reached: async () => (await readStore.checkpoint(allPartitions))?.position ?? 0,
          now: () => performance.now(),
        }),
      ]
    : []),
];

/**
 * The stores of a process as it may use them: the log only as long as it is the one that the read models are folded from. `watch` has
 * readiness follow them; `models`: also whether the read models follow the log. Throws `ServerRefused` when it is another log.
 */
export const onServers = async <Stores extends OpenStores>(
  { whenThere, watch }: Pick<ServiceContext, 'whenThere' | 'watch'>,
  servers: Servers,
  stores: Stores,
  { models }: { readonly models: boolean },
): Promise<{ readonly stores: Stores; readonly watch: () => Promise<void> }> => {
  const { eventStore, readStore } = servers;
  const right = logIdentityGuard({
    eventStore: stores.eventStore,
    readStore: stores.readStore,
    where: eventStore === null ? 'в папке данных' : `EventStoreDB ${serverAddress(eventStore.url)}`,
    source: readStore === null ? 'моделям чтения в папке данных' : serverSource(readStore),
  });
  const server = eventStore ?? readStore;
  await (server === null ? right.ensure() : whenThere(server, () => right.ensure()));
  if (server === null) return { stores, watch: () => Promise.resolve() };
  return {
    stores: { ...stores, eventStore: right.eventStore },
    watch: () => watch(watchedOf(servers, stores, right.watched, models)),
  };
};
