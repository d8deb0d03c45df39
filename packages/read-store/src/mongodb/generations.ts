import type { ClientSession, Collection } from 'mongodb';
import type { Generation, NextGeneration, ReadStore } from '../read-store.ts';
import type { WhileOpen } from './open-store.ts';
import type { Notices } from './notices.ts';
import { type CommittingDeps, committing } from './committing.ts';
import type { WatchLog } from './checkpoint-watch.ts';
import type { GenerationCollections } from './generation-collections.ts';
import type { ResyncBounds } from './resync-bounds.ts';
import type { PlainNames } from './plain-names.ts';
import { raiseSchema } from './schema.ts';
import type { GenerationReader } from './generation-reader.ts';
import type { ActiveGeneration } from './active-generation.ts';
import type { StoredMeta } from './stored.ts';
import type { GenerationsRecord } from './stored-generations.ts';
import { inTransaction } from './transaction.ts';

/** Milliseconds that a content is kept for reads that began before another one took its place. */
const readsEnd = 60_000;

export interface GenerationsDeps {
  readonly writing: Omit<CommittingDeps, 'generation' | 'floors' | 'checkpoints'>;
  readonly meta: Collection<StoredMeta>;
  readonly floors: ResyncBounds;
  readonly record: GenerationsRecord;
  readonly contents: GenerationCollections;
  readonly names: PlainNames;
  readonly log?: WatchLog | undefined;
  readonly answer: WhileOpen['answer'];
  /** What readers see. */
  readonly active: ActiveGeneration;
  readonly show: (shown: ActiveGeneration) => GenerationReader;
  readonly notices: Notices;
}

/** What is of the store, and of none of its contents. */
export type WholeStore = Notices & Pick<ReadStore, 'generations' | 'noteVersion' | 'beginNext' | 'discard' | 'purge'>;

type Promoted = Awaited<ReturnType<NextGeneration['promote']>>;

/** The transaction in which a generation takes the place of the active one; `placed`: its checkpoints as they are kept from now on. */
const takePlace = (
  { writing, meta, floors, record, contents, active }: GenerationsDeps,
  generation: number,
  fence: number,
) => {
  const { client, where, now, newId } = writing;
  const { checkpoints } = active;
  const built = contents.checkpointsOf(generation);
  return inTransaction(client, async (session) => {
    const { active: current, next, former, last } = await record.read({ session });
    // An attempt whose answer was lost.
    if (current.number === generation) return { kind: 'committed', placed: [] } as const;
    if (next?.number !== generation) throw new Error(`${where}: generation ${generation} is no longer built`);
    const [before, after] = [
      await checkpoints.find({}, { session }).toArray(),
      await built.find({}, { session }).toArray(),
    ];
    const most = Math.max(fence, ...[...before, ...after].map((one) => one.fence));
    if (most > fence) return { kind: 'lost_lease', fence: most } as const;
    const highest = after.reduce((up, one) => Math.max(up, one.position), await floors.reached({ session }));
    await floors.raise(session, highest);
    const since = now();
    const placed = after.map((one) => ({ ...one, commit: newId(), updatedAt: new Date(since), generation }));
    await checkpoints.deleteMany({ _id: { $nin: placed.map(({ _id }) => _id) } }, { session });
    for (const { _id, ...rest } of placed) await checkpoints.replaceOne({ _id }, rest, { session, upsert: true });
    await built.deleteMany({}, { session });
    // Nothing was ever folded into it, so that there is nothing that a read may still be after: its names are free at once.
    const readSince = before.every(({ position }) => position === 0) ? 0 : since;
    await record.write(session, {
      active: next,
      next: null,
      former: [...former, { number: current.number, since: readSince }],
      last,
    });
    await raiseSchema(meta, session);
    return { kind: 'committed', placed } as const;
  });
};

const promote = async (deps: GenerationsDeps, generation: number, fence: number): Promise<Promoted> => {
  const { record, names, log, active } = deps;
  const taken = await takePlace(deps, generation, fence);
  if (taken.kind === 'lost_lease') return taken;
  record.placed(generation);
  active.commits.forget();
  for (const one of taken.placed) active.committed(one);
  // The place is taken whatever becomes of the names: whoever removes what is former, or starts next, settles them.
  await names.settle().catch((error: unknown) => {
    log?.warn({ err: error }, 'The plain names show a former content until they can be changed');
  });
  return { kind: 'committed' };
};

const dropGeneration = async ({ writing, record, contents }: GenerationsDeps, number: number): Promise<void> => {
  await contents.drop(number);
  await inTransaction(writing.client, async (session) => {
    const stored = await record.read({ session });
    await record.write(session, { ...stored, former: stored.former.filter((one) => one.number !== number) });
  });
};

/** The generation that is built under this version: the one that was begun, or a new one in the place of another version's. */
const beginGeneration = ({ writing, record }: GenerationsDeps, version: string): Promise<Generation> =>
  inTransaction(writing.client, async (session) => {
    const stored = await record.read({ session });
    const { next, former, last } = stored;
    if (next?.version === version) return next;
    const begun = { number: last + 1, version };
    // Nobody has ever read what is given up.
    const givenUp = next === null ? [] : [{ number: next.number, since: 0 }];
    await record.write(session, { ...stored, next: begun, former: [...former, ...givenUp], last: last + 1 });
    return begun;
  });

/** A content that is built beside what readers see; `whole`: the store that it is of. */
const nextGeneration = async (
  deps: GenerationsDeps,
  whole: WholeStore,
  generation: Generation,
): Promise<NextGeneration> => {
  const { writing, record, contents, answer, show } = deps;
  const { number } = generation;
  const built = contents.checkpointsOf(number);
  await contents.ensureCollection(built.collectionName);
  await contents.ensureContent(number);
  // Without a checkpoint of it somebody else may have made it what is read, or given it up.
  const stillBuilt = async (session: ClientSession): Promise<number | null> =>
    (await record.hold(session)).next?.number === number ? number : null;
  const commits = committing({ ...writing, generation: stillBuilt, floors: null, checkpoints: built });
  return {
    ...whole,
    ...show({
      number: async () => number,
      known: () => number,
      checkpoints: built,
      commits,
      committed: () => undefined,
    }),
    generation,
    onCommit: () => () => undefined,
    clear: () =>
      answer(async () => {
        await built.deleteMany({});
        await contents.empty(number);
        commits.forget();
      }),
    close: async () => undefined,
    promote: (fence: number) => answer(() => promote(deps, number, fence)),
  };
};

/** Which contents there are: how one is built beside another, takes its place, and is removed. */
export const generations = (deps: GenerationsDeps): WholeStore => {
  const { writing, record, names, answer, notices } = deps;
  const { client, now } = writing;

  const whole: WholeStore = {
    ...notices,

    generations: () =>
      answer(async () => {
        const stored = await record.read();
        return { active: stored.active, next: stored.next };
      }),

    noteVersion: (version) =>
      answer(() =>
        inTransaction(client, async (session) => {
          const stored = await record.read({ session });
          if (stored.active.version !== null) return;
          await record.write(session, { ...stored, active: { ...stored.active, version } });
        }),
      ),

    beginNext: (version) => answer(async () => nextGeneration(deps, whole, await beginGeneration(deps, version))),

    discard: () =>
      answer(() =>
        inTransaction(client, async (session) => {
          const stored = await record.read({ session });
          if (stored.next === null) return;
          const givenUp = { number: stored.next.number, since: 0 };
          await record.write(session, { ...stored, next: null, former: [...stored.former, givenUp] });
        }),
      ),

    purge: () =>
      answer(async () => {
        // First, so that nothing that has a plain name is dropped.
        await names.settle();
        const { former } = await record.read();
        const due = former.filter(({ since }) => since <= now() - readsEnd);
        for (const { number } of due) await dropGeneration(deps, number);
        return due.length === former.length;
      }),
  };
  return whole;
};
