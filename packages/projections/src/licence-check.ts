/**
 * Compares what is stored of a licence with what its events say: folded again in memory, apart from everything that the projector keeps.
 */
import { isDeepStrictEqual } from 'node:util';
import type { EventStore, Position } from '@zakup/event-store/event-store';
import { compareTexts } from '@zakup/read-store/documents';
import { CorruptDocument, type ReadDocument, type ReadStore, type ScannedDocument } from '@zakup/read-store/read-store';
import { createYielder } from '@zakup/async/yielder';
import type { ProjectionRunner, Repair } from './projection-runner.ts';
import { type Refolded, RefoldedLicences } from './refolded-licences.ts';
import { campaignScope, contractorScope, personScope, workspaceScope } from './scopes.ts';

/** One document that is not what the events say. */
export interface Difference {
  readonly kind: string;
  readonly id: string;
  /** `damaged`: its checksum does not fit; `missing`, `surplus`: it should be there, or not; `different`: it says something else. */
  readonly what: 'damaged' | 'missing' | 'surplus' | 'different';
}

export interface LicenceCheck {
  readonly licenceId: string;
  /** What was compared is what is folded up to here. */
  readonly position: Position;
  /** How many stored documents were looked at. */
  readonly documents: number;
  readonly differences: readonly Difference[];
}

export interface LicenceChecks {
  /** Looks at every present document of the licence; what was changed since the position it reports is left for the next time. */
  check(licenceId: string): Promise<LicenceCheck>;
  /** Puts these documents right, as far as they still differ, through the projection that writes them. Resolves with those that it wrote. */
  heal(
    models: Pick<ProjectionRunner, 'repair'>,
    licenceId: string,
    found: readonly Difference[],
  ): Promise<readonly Difference[]>;
}

export interface LicenceCheckOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly readStore: ReadStore;
  /** Whose checkpoint says how far the read models are. */
  readonly partition: string;
  /** Documents of folds that are kept for the next time; default 100,000. */
  readonly capacity?: number;
  /** Nobody else writes the read models meanwhile: what is ahead of their checkpoint was put there. Default false. */
  readonly isAtRest?: boolean;
}

type Name = Pick<Difference, 'kind' | 'id'>;

/** Written by the projector for itself: the fold of one licence alone has none, or says it in other words. */
const notCompared: ReadonlySet<string> = new Set(['parked', 'log']);
const pageSize = 200;

const nameOrder = (a: Name, b: Name): number => compareTexts(a.kind, b.kind) || compareTexts(a.id, b.id);

const same = (a: ReadDocument, b: ReadDocument): boolean =>
  a.licenceId === b.licenceId &&
  a.position === b.position &&
  isDeepStrictEqual([...a.scopes].sort(), [...b.scopes].sort()) &&
  isDeepStrictEqual(a.data, b.data);

/** What is stored under a name: `damaged`, or null when nothing is. */
type Stored = ReadDocument | 'damaged' | null;

/** Null = nothing is wrong. */
const judged = (expected: ReadDocument | null, stored: Stored): Difference['what'] | null => {
  if (stored === 'damaged') return 'damaged';
  const wanted = expected !== null && !expected.deleted;
  const there = stored !== null && !stored.deleted;
  if (!wanted) return there ? 'surplus' : null;
  if (!there) return 'missing';
  return same(expected, stored) ? null : 'different';
};

/** All documents of a licence, page by page. */
async function* scanned(store: ReadStore, licenceId: string): AsyncGenerator<ScannedDocument, void, undefined> {
  let after: ScannedDocument | undefined;
  for (;;) {
    const page = await store.scan(licenceId, { limit: pageSize, ...(after === undefined ? {} : { after }) });
    yield* page.filter(({ kind }) => !notCompared.has(kind));
    after = page.at(-1);
    if (after === undefined || page.length < pageSize) return;
  }
}

/** Both, by name: one of them is null where the other has none. */
async function* paired(
  left: AsyncGenerator<ScannedDocument, void, undefined>,
  right: AsyncGenerator<ScannedDocument, void, undefined>,
): AsyncGenerator<readonly [ScannedDocument | null, ScannedDocument | null], void, undefined> {
  const next = async (of: typeof left): Promise<ScannedDocument | null> => (await of.next()).value ?? null;
  let [a, b] = [await next(left), await next(right)];
  while (a !== null || b !== null) {
    const order: number = a === null ? 1 : b === null ? -1 : nameOrder(a, b);
    yield [order <= 0 ? a : null, order >= 0 ? b : null];
    if (order <= 0) a = await next(left);
    if (order >= 0) b = await next(right);
  }
}

/** Every scope in which somebody may have seen something of the licence. */
const scopesOf = async (fold: Refolded, licenceId: string): Promise<Repair['floors']> => {
  const scopes = new Set<string>([workspaceScope]);
  for await (const { kind, id } of scanned(fold.store, licenceId)) {
    const entity = kind.replace(/^removed_/u, '');
    if (entity === 'campaign') scopes.add(campaignScope(id));
    if (entity === 'contractor') scopes.add(contractorScope(id));
    if (entity === 'user') scopes.add(personScope(id));
  }
  return [...scopes].map((scope) => ({ licenceId, scope }));
};

/** What takes the place of what is stored. */
const right = async (
  fold: Refolded,
  licenceId: string,
  { kind, id }: Name,
  position: Position,
): Promise<ReadDocument> => {
  const expected = await fold.store.get(kind, id);
  if (expected !== null) return expected;
  return { kind, id, licenceId, scopes: [], left: [], position, deleted: true, data: null };
};

/** Checks of licences, with the folds of those that were checked last kept as long as there is room. */
export const licenceChecks = ({
  eventStore,
  readStore,
  partition,
  capacity = 100_000,
  isAtRest = false,
}: LicenceCheckOptions): LicenceChecks => {
  const folds = new RefoldedLicences(eventStore, partition, capacity);

  /** Both as of a position; null = nothing can be said, or nothing is wrong. */
  const judgedAt = (expected: ReadDocument | null, stored: Stored, position: Position): Difference['what'] | null =>
    stored !== null && stored !== 'damaged' && stored.position > position && !isAtRest
      ? null
      : judged(expected, stored);

  const storedNow = async ({ kind, id }: Name): Promise<Stored> => {
    try {
      return await readStore.get(kind, id);
    } catch (error) {
      if (error instanceof CorruptDocument) return 'damaged';
      throw error;
    }
  };

  const reached = async (): Promise<Position> => (await readStore.checkpoint(partition))?.position ?? 0;

  /** Looks again: what was changed between two looks is no difference. A scan sees damage that one who asks for the document does not. */
  const confirmed = async (
    fold: Refolded,
    found: readonly Difference[],
    position: Position,
  ): Promise<readonly Difference[]> => {
    const differences: Difference[] = [];
    for (const { kind, id, what } of found) {
      const stored = isAtRest && what === 'damaged' ? 'damaged' : await storedNow({ kind, id });
      const now = judgedAt(await fold.store.get(kind, id), stored, position);
      if (now !== null) differences.push({ kind, id, what: now });
    }
    return differences;
  };

  return {
    async check(licenceId) {
      const first = await reached();
      let fold = await folds.foldedTo(licenceId, first);
      const suspicious: Difference[] = [];
      let documents = 0;
      const yieldIfDue = createYielder();
      for await (const [stored, expected] of paired(scanned(readStore, licenceId), scanned(fold.store, licenceId))) {
        if (stored !== null) documents += 1;
        const found = stored === null ? null : (stored.doc ?? 'damaged');
        const { kind, id } = stored ?? expected ?? { kind: '', id: '' };
        const what = judgedAt(expected?.doc ?? null, found, first);
        if (what !== null) suspicious.push({ kind, id, what });
        await yieldIfDue();
      }
      let [position, differences] = [first, [] as readonly Difference[]];
      if (suspicious.length > 0) {
        position = await reached();
        fold = await folds.foldedTo(licenceId, position, fold);
        differences = await confirmed(fold, suspicious, position);
      }
      folds.keep(licenceId, fold);
      return { licenceId, position, documents, differences };
    },

    async heal(models, licenceId, found) {
      let healed: readonly Difference[] = [];
      // Nothing is folded during a repair, so what takes long comes before it.
      const begun = await folds.foldedTo(licenceId, await reached());
      await models.repair(async (position) => {
        const fold = await folds.foldedTo(licenceId, position, begun);
        healed = await confirmed(fold, found, position);
        const docs: ReadDocument[] = [];
        for (const name of healed) docs.push(await right(fold, licenceId, name, position));
        const floors = await scopesOf(fold, licenceId);
        folds.keep(licenceId, fold);
        return docs.length === 0 ? null : { docs, floors };
      });
      return healed;
    },
  };
};
