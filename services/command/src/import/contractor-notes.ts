import { createYielder } from '@zakup/async/yielder';
import { currentPlacement } from '@zakup/contracts/earlier-placements';
import { type ImportReport, mostBuyersLookedUp, mostNotedContractors } from '@zakup/contracts/imports';
import type { AliasesRow, ContractorRow, PlacementRow } from '@zakup/contracts/read-models';
import { partsOf } from '@zakup/domain/contractor/aliases';
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { KnownContractor } from './plan-import.ts';

type Notes = NonNullable<ImportReport['contractors']>;
type Noted = Notes['noted'][number];

const idsAtOnce = 500;
/** Placements of a contractor, the newest, among which somebody else is looked for. */
const placementsLookedAt = 200;

const contractorsOf = async (
  readStore: DocumentReader,
  licenceId: string,
  known: readonly KnownContractor[],
): Promise<ReadonlyMap<string, ContractorRow>> => {
  const ids = known.map(({ contractorId }) => contractorId);
  const rows = new Map<string, ContractorRow>();
  for (let from = 0; from < ids.length; from += idsAtOnce)
    for (const doc of await readStore.getMany('contractor', ids.slice(from, from + idsAtOnce)))
      if (!doc.deleted && doc.licenceId === licenceId) rows.set(doc.id, doc.data as unknown as ContractorRow);
  return rows;
};

const campaignsOf = async (readStore: DocumentReader, licenceId: string): Promise<ReadonlySet<string>> => {
  const ids = new Set<string>();
  await readStore.readEach('campaign', { licenceId }, (docs) => {
    for (const { id } of docs) ids.add(id);
  });
  return ids;
};

/** By date, the newest first; of one day the one added last. */
const newestFirst = (a: PlacementRow, b: PlacementRow): number =>
  b.date.localeCompare(a.date) || b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id);

/** Looks up the newest placements of contractors, those of whoever was merged into them among them. */
const placementsReader = async (readStore: DocumentReader, licenceId: string) => {
  const campaigns = await campaignsOf(readStore, licenceId);
  const aliases = (await readStore.get('aliases', licenceId))?.data as unknown as AliasesRow | null | undefined;
  return async (contractorId: string): Promise<readonly PlacementRow[]> => {
    const found: PlacementRow[] = [];
    for (const part of partsOf(aliases?.mergedInto ?? {}, contractorId)) {
      const { docs } = await readStore.query('placement', {
        licenceId,
        where: { contractorId: part },
        sort: [{ field: 'date', direction: 'desc' }],
        limit: placementsLookedAt,
      });
      found.push(...docs.map(({ data }) => currentPlacement(data as unknown as PlacementRow)));
    }
    // Those of a deleted campaign are still there, and do not count.
    return found.filter(({ campaignId }) => campaigns.has(campaignId)).sort(newestFirst);
  };
};

const boughtByAnother = (
  { rowsByBuyer }: KnownContractor,
  placements: readonly PlacementRow[],
): Noted['boughtByAnother'] => {
  const byPlacement = new Map<PlacementRow, number>();
  for (const [buyerId, rows] of rowsByBuyer) {
    const another = placements.find((placement) => placement.buyerId !== buyerId);
    if (another !== undefined) byPlacement.set(another, (byPlacement.get(another) ?? 0) + rows);
  }
  return [...byPlacement].map(([{ buyerId, date }, rows]) => ({ buyerId, date, rows }));
};

const sumOf = (counts: Iterable<number>): number => [...counts].reduce((sum, one) => sum + one, 0);

/** Who of these is on the black list, and where somebody else bought before: what a person should know before rows are written. Others have their turn meanwhile. */
export const contractorNotes = async (
  readStore: DocumentReader,
  licenceId: string,
  known: readonly KnownContractor[],
): Promise<Notes> => {
  const contractors = await contractorsOf(readStore, licenceId, known);
  const placementsOf = await placementsReader(readStore, licenceId);
  const noted: Noted[] = [];
  const yieldIfDue = createYielder({ long: true });
  for (const [at, one] of known.entries()) {
    await yieldIfDue();
    const contractor = contractors.get(one.contractorId);
    if (contractor === undefined) continue;
    const { adminUsername: nick, verdict } = contractor;
    const blackListed = verdict?.list === 'black' ? verdict.reason : null;
    const bought = at < mostBuyersLookedUp ? boughtByAnother(one, await placementsOf(one.contractorId)) : [];
    if (blackListed === null && bought.length === 0) continue;
    const rows = sumOf(one.rowsByBuyer.values());
    noted.push({ contractorId: one.contractorId, nick, rows, blackListed, boughtByAnother: bought });
  }
  return {
    known: known.length,
    blackListedRows: sumOf(noted.filter(({ blackListed }) => blackListed !== null).map(({ rows }) => rows)),
    boughtByAnotherRows: sumOf(noted.flatMap((one) => one.boughtByAnother.map(({ rows }) => rows))),
    noted: noted.slice(0, mostNotedContractors),
  };
};
