import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { MongoClient } from 'mongodb';
import { checkCommit, checkQuery, checkWalk, compareTexts } from '../documents.ts';
import {
  type Commit,
  CorruptDocument,
  type DeclaredFields,
  type ReadDocument,
  type ReadStore,
  ReadStoreUnavailable,
  type ScannedDocument,
} from '../read-store.ts';
import type { WhileOpen } from './open-store.ts';
import { changesIn } from './changes.ts';
import type { GenerationCollections } from './generation-collections.ts';
import type { ResyncBounds } from './resync-bounds.ts';
import { filterOf, sortOf, walkFilterOf } from './query-filter.ts';
import {
  ensureNamed,
  isReplaced,
  NamesGivenAway,
  ofOneGeneration,
  type ActiveGeneration,
} from './active-generation.ts';
import { inSnapshot, readAll, slice, within } from './snapshot-reads.ts';
import { documentOf, type StoredDocument } from './stored.ts';

export interface GenerationReaderDeps {
  readonly client: MongoClient;
  readonly where: string;
  readonly declared: DeclaredFields;
  readonly contents: GenerationCollections;
  readonly floors: ResyncBounds;
  readonly answer: WhileOpen['answer'];
  /** Makes again what a store needs before anything is written. */
  readonly ensureAll: () => Promise<void>;
}

/** What a store does with one of its contents. */
export type GenerationReader = Pick<
  ReadStore,
  | 'get'
  | 'getMany'
  | 'query'
  | 'readEach'
  | 'scan'
  | 'scanIndex'
  | 'commit'
  | 'checkpoint'
  | 'changesSince'
  | 'readScope'
>;

const same = (doc: ReadDocument): ReadDocument => doc;

type ReadStoreCall<Name extends 'readEach' | 'scan' | 'query'> = Parameters<ReadStore[Name]>;

const prepareKinds = async (
  { contents }: GenerationReaderDeps,
  { docs }: Commit,
  generation: number,
): Promise<void> => {
  for (const { kind, id, scopes, left } of docs) {
    if (contents.isShared(kind)) continue;
    if (scopes.length + left.length > 0) {
      throw new Error(`Document ${kind}/${id} is in scopes, but kind ${kind} was not declared`);
    }
    await contents.ensurePrivateKind(kind, generation);
  }
};

const toScanned = (where: string, kind: string, stored: StoredDocument): ScannedDocument => {
  const { _id: id } = stored;
  try {
    return { kind, id, doc: documentOf(where, kind, stored) };
  } catch (error) {
    if (error instanceof CorruptDocument) return { kind, id, doc: null };
    throw error;
  }
};

/** `ReadStore.query`, after its checks. */
const queryIn = (
  { client, where, contents }: GenerationReaderDeps,
  shown: ActiveGeneration,
  ...[kind, query]: ReadStoreCall<'query'>
) => {
  const { offset = 0, limit } = query;
  const filter = filterOf(query);
  return inSnapshot(client, async (session) => {
    const number = shown.known();
    const collection = contents.documents(kind, number);
    const count = (): Promise<number> => {
      const { batchSize: _, ...reading } = within(session);
      return collection.countDocuments(filter, reading);
    };
    const read = async () => {
      // The first read alone makes the snapshot that the others are of.
      if (limit === 0) return { docs: [], total: await count() };
      const page = { ...within(session), sort: sortOf(query), skip: offset, limit: limit ?? 0 };
      const docs = await readAll(where, kind, collection.find(filter, page), same);
      const isLast = docs.length < (limit ?? Number.POSITIVE_INFINITY) && (docs.length > 0 || offset === 0);
      return { docs, total: isLast ? offset + docs.length : null };
    };
    try {
      const { docs, total } = await read();
      const counting = total ?? count();
      const [counted, current] = await Promise.all([
        counting,
        shown.number(within(session)),
        ensureNamed(shown, number, counting),
      ]);
      if (current !== number) throw new NamesGivenAway('Another content had taken the place');
      return { docs, total: counted };
    } catch (error) {
      if (error instanceof NamesGivenAway || !(await isReplaced(shown, number, error))) throw error;
      throw new NamesGivenAway('Another content had taken the place', { cause: error });
    }
  });
};

/** `ReadStore.readEach`, after its checks. */
const readEachIn = (
  { client, where, contents }: GenerationReaderDeps,
  shown: ActiveGeneration,
  ...[kind, query, take]: ReadStoreCall<'readEach'>
): Promise<void> => {
  let isBegun = false;
  return inSnapshot(client, async (session) => {
    // What was taken can not be taken back, so a snapshot that is lost then is not begun again.
    if (isBegun) throw new ReadStoreUnavailable(`${where}: the snapshot in which each ${kind} was read is gone`);
    let docs: ReadDocument[] = [];
    const number = await shown.number(within(session));
    const give = async (): Promise<void> => {
      // What was opened under the right name is of the right content to its end.
      if (!isBegun) await ensureNamed(shown, number);
      if (docs.length === 0) return;
      isBegun = true;
      await take(docs);
      docs = [];
    };
    for await (const stored of contents.documents(kind, number).find(filterOf(query), within(session))) {
      docs.push(documentOf(where, kind, stored));
      if (docs.length === slice) await give();
    }
    await give();
  });
};

/** `ReadStore.scan` of one generation. */
const scanGeneration = async (
  { where, contents }: GenerationReaderDeps,
  number: number,
  ...[licenceId, { after, limit }]: ReadStoreCall<'scan'>
): Promise<readonly ScannedDocument[]> => {
  const found: ScannedDocument[] = [];
  const kinds = [...contents.sharedKinds, ...(await contents.privateKinds(number))];
  for (const kind of kinds.toSorted(compareTexts)) {
    if (found.length >= limit) break;
    const order = after === undefined ? 1 : compareTexts(kind, after.kind);
    if (order < 0) continue;
    const rest = after !== undefined && order === 0 ? { _id: { $gt: after.id } } : {};
    const page = contents
      .documents(kind, number)
      .find({ licenceId, ...rest, deleted: false }, { sort: { _id: 1 }, limit: limit - found.length });
    found.push(...(await page.toArray()).map((stored) => toScanned(where, kind, stored)));
  }
  return found;
};

/** `ReadStore.commit`, after its checks. */
const commitTo = async (
  deps: GenerationReaderDeps,
  shown: ActiveGeneration,
  commit: Commit,
): ReturnType<ReadStore['commit']> => {
  await prepareKinds(deps, commit, shown.known());
  const outcome = await shown.commits.commit(commit);
  if (outcome.kind === 'gone') {
    const { stored, left } = outcome;
    // Whatever took the checkpoint may have taken collections and indexes with it.
    await deps.ensureAll();
    throw new ReadStoreUnavailable(
      `${deps.where}: checkpoint ${commit.checkpoint.partition} was left at ${left} and is at ${stored}`,
    );
  }
  if (outcome.kind !== 'committed') return outcome;
  shown.committed(outcome.checkpoint);
  return { kind: 'committed' } as const;
};

/** The store as it shows one content, whichever that is when it is asked. */
export const generationReader = (deps: GenerationReaderDeps, shown: ActiveGeneration): GenerationReader => {
  const { client, where, declared, contents, answer } = deps;

  return {
    get: (kind, id) =>
      answer(() =>
        ofOneGeneration(
          shown,
          async (number) => {
            const stored = await contents.documents(kind, number).findOne({ _id: id });
            return stored === null ? null : documentOf(where, kind, stored);
          },
          (doc) => doc !== null,
        ),
      ),

    getMany: (kind, ids) =>
      answer(async () => {
        if (ids.length === 0) return [];
        const find = async (number: number): Promise<readonly ReadDocument[]> => {
          const cursor = contents
            .documents(kind, number)
            .find({ _id: { $in: [...new Set(ids)] } }, { batchSize: slice });
          const found = new Map((await readAll(where, kind, cursor, same)).map((doc) => [doc.id, doc]));
          return ids.map((id) => found.get(id)).filter((doc) => doc !== undefined);
        };
        return ofOneGeneration(shown, find, (docs) => docs.length === ids.length);
      }),

    query: async (kind, query) => {
      checkQuery(declared, kind, query);
      return answer(() => queryIn(deps, shown, kind, query));
    },

    readEach: async (kind, query, take) => {
      checkQuery(declared, kind, query);
      return answer(() => readEachIn(deps, shown, kind, query, take));
    },

    scan: (licenceId, page) =>
      answer(() => ofOneGeneration(shown, (number) => scanGeneration(deps, number, licenceId, page))),

    scanIndex: async (kind, walk) => {
      checkWalk(declared, kind, walk);
      const { limit, direction } = walk;
      return answer(async () => {
        if (limit === 0) return [];
        const page = { sort: { _id: direction === 'asc' ? 1 : -1 }, limit, batchSize: slice } as const;
        return ofOneGeneration(
          shown,
          (number) => readAll(where, kind, contents.documents(kind, number).find(walkFilterOf(walk), page), same),
          (docs) => docs.length === limit,
        );
      });
    },

    commit: async (commit) => {
      checkCommit(declared, commit);
      return answer(() => commitTo(deps, shown, commit));
    },

    checkpoint: (partition) =>
      answer(async () => {
        const stored = await shown.checkpoints.findOne({ _id: partition });
        return stored === null ? null : { partition, position: stored.position, fence: stored.fence };
      }),

    changesSince: (gap) => answer(() => inSnapshot(client, (session) => changesIn(deps, shown, session, gap))),

    readScope: (request, { begun, take }) =>
      answer(async () => {
        const { docs, position } = await inSnapshot(client, (session) => changesIn(deps, shown, session, request));
        await begun({ position, total: docs.length });
        for (let from = 0; from < docs.length; from += slice) {
          await take(docs.slice(from, from + slice).map(({ doc }) => doc));
          await yieldToEventLoop();
        }
      }),
  };
};
