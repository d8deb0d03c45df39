import { delay } from '@zakup/async/delay';
import { currentPlacement } from '@zakup/contracts/earlier-placements';
import type { AliasesRow, PlacementRow, RowByKind } from '@zakup/contracts/read-models';
import { today } from '@zakup/domain/calendar';
import { receiverOf } from '@zakup/domain/contractor/aliases';
import { nicksOf } from '@zakup/domain/contractor/nicks';
import type { Person } from '@zakup/domain/permissions';
import { isBuyer } from '@zakup/domain/placement/placement.decider';
import type { DocumentReader } from '@zakup/read-store/read-store';
import { allPartitions } from '@zakup/service-kit/stores/all-partitions';
import type { CommandDeps } from '../deps.ts';
import type { ImportReferences, KnownPlacement, Named } from './import-references.ts';

const patience = 5_000;
const lookAgain = 25;
const never = new AbortController().signal;

/** Waits until the read models hold everything that the log holds now; false when they do not in time. */
export const modelsFollowed = async ({ eventStore, readStore }: CommandDeps): Promise<boolean> => {
  const head = await eventStore.head();
  const deadline = performance.now() + patience;
  for (;;) {
    if (((await readStore.checkpoint(allPartitions))?.position ?? 0) >= head) return true;
    if (performance.now() >= deadline) return false;
    await delay(lookAgain, never);
  }
};

const idsAtOnce = 500;

/** The ids among these whose placement of the campaign was removed. */
const removedAmong = async (
  readStore: DocumentReader,
  { licenceId, campaignId }: { readonly licenceId: string; readonly campaignId: string },
  ids: readonly string[],
): Promise<ReadonlySet<string>> => {
  const removed = new Set<string>();
  for (let from = 0; from < ids.length; from += idsAtOnce)
    for (const doc of await readStore.getMany('removed_placement', ids.slice(from, from + idsAtOnce))) {
      const row = doc.data as unknown as PlacementRow | null;
      if (!doc.deleted && doc.licenceId === licenceId && row?.campaignId === campaignId) removed.add(doc.id);
    }
  return removed;
};

/** What the rows of a file are judged by, as the read models have it: whatever is written is decided on streams. `ids`: those that the file names. */
export const readReferences = async (
  { readStore }: CommandDeps,
  { person, campaignId, now }: { readonly person: Person; readonly campaignId: string; readonly now: number },
  ids: readonly string[],
): Promise<ImportReferences> => {
  const licenceId = person.licence.id;
  const each = async <Kind extends 'user' | 'creative' | 'contractor'>(
    kind: Kind,
    take: (row: RowByKind[Kind]) => void,
  ): Promise<void> =>
    readStore.readEach(kind, { licenceId }, (docs) => {
      for (const { data } of docs) take(data as unknown as RowByKind[Kind]);
    });
  const people: Named[] = [];
  await each('user', (row) => people.push({ id: row.id, name: row.name, isOpen: isBuyer(row) }));
  const creatives: Named[] = [];
  await each('creative', ({ id, name, isActive }) => creatives.push({ id, name, isOpen: isActive }));
  const byNick = new Map<string, string>();
  await each('contractor', (row) => {
    for (const nick of nicksOf(row)) byNick.set(nick, row.id);
  });
  const aliases = (await readStore.get('aliases', licenceId))?.data as unknown as AliasesRow | null | undefined;
  const mergedInto = aliases?.mergedInto ?? {};
  const placements = new Map<string, KnownPlacement>();
  await readStore.readEach('placement', { licenceId, where: { campaignId } }, (docs) => {
    for (const { data } of docs) {
      const row = currentPlacement(data as unknown as PlacementRow);
      placements.set(row.id, row);
    }
  });
  const unknownIds = ids.filter((id) => !placements.has(id));
  return {
    person,
    people,
    creatives,
    placements,
    removed: await removedAmong(readStore, { licenceId, campaignId }, unknownIds),
    contractorByNick: (nick) => byNick.get(nick),
    receiver: (id) => receiverOf(mergedInto, id),
    today: today(now),
  };
};
