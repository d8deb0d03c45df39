import type { EventStore } from '@zakup/event-store/event-store';
import type { LeasedProjector } from '@zakup/projector/leased-projector';
import type { ProjectorSettings } from '@zakup/projector/project';
import { projectorOn } from '@zakup/projector/start-projector';
import type { ReadStore } from '@zakup/read-store/read-store';
import { writtenElsewhere } from '@zakup/read-store/written-elsewhere';
import { projectionLag } from '@zakup/service-kit/dependency-health';
import type { ServiceContext } from '@zakup/service-kit/service';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import { credentialHeads } from '@zakup/service-kit/stores/kept-heads';
import type { StoreFiles } from '../data-dir/store-files.ts';
import type { Stores } from '../stores.ts';
import type { ProjectingClient } from './projecting-client.ts';

/** What projects, wherever that is. */
export interface Projecting extends Pick<LeasedProjector, 'caughtUp' | 'doubted' | 'witnessFails'> {
  /** The read store as the rest of the process has it. */
  readonly readStore: ReadStore;
  /** Whether it is at work. */
  readonly works: () => boolean;
}

/** Readiness tells of read models that are behind, as that of processes on servers does: the thread may be away. */
const watchLag = (
  { watch }: Pick<ServiceContext, 'watch'>,
  { eventStore, readStore }: { readonly eventStore: EventStore; readonly readStore: ReadStore },
): Promise<void> =>
  watch([
    projectionLag({
      head: (late) => eventStore.head(late),
      reached: async () => (await readStore.checkpoint(allPartitions))?.position ?? 0,
      now: () => performance.now(),
      hasCaughtUp: true,
    }),
  ]);

type Context = Pick<ServiceContext, 'atEnd' | 'watch' | 'log' | 'metrics' | 'steps'>;

/** Opens the stores while the thread loads what it runs. The thread ends with the process, before they are closed. */
export const openedBeside = async (
  { atEnd }: Pick<Context, 'atEnd'>,
  thread: ProjectingClient,
  open: () => Promise<Stores>,
): Promise<Stores> => {
  try {
    const stores = await open();
    atEnd({ name: 'projector', run: () => thread.stop() });
    return stores;
  } catch (error) {
    await thread.stop();
    throw error;
  }
};

/** Has a thread project embedded stores. */
export const projectingBeside = (
  context: Pick<Context, 'watch'>,
  thread: ProjectingClient,
  files: StoreFiles,
  { eventStore, onPublished, credentials, ...stores }: Stores,
): Projecting => {
  if (onPublished === null) throw new Error('A log on a server is not followed by a thread of this process');
  const { readStore, committed } = writtenElsewhere(stores.readStore, thread.note);
  thread.begin({ onPublished, heads: credentialHeads(credentials, files.credentials), onCommitted: committed });
  thread.caughtUp.then(
    () => watchLag(context, { eventStore, readStore }),
    () => undefined,
  );
  return {
    readStore,
    caughtUp: thread.caughtUp,
    doubted: () => thread.doubted(),
    witnessFails: () => thread.witnessFails(),
    works: () => thread.works(),
  };
};

/** Projects where the process serves: stores on servers, and those that are being filled. */
export const projectingHere = (context: Context, stores: Stores, settings: ProjectorSettings): Projecting => {
  const projector = projectorOn(context, stores, settings);
  return {
    readStore: stores.readStore,
    caughtUp: projector.caughtUp,
    doubted: () => projector.doubted(),
    witnessFails: () => projector.witnessFails(),
    works: () => true,
  };
};
