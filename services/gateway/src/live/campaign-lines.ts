import { type EarningsToPresent, wireLines } from '@zakup/contracts/to-wire';
import type { EarningsRow, PlacementRow } from '@zakup/contracts/read-models';
import { EarningsLines } from '@zakup/projections/earnings-lines';
import { createYielder } from '@zakup/async/yielder';
import type { ReadModelDeps } from '../read-models/read-model-deps.ts';
import { dataOf } from '../read-models/rows.ts';
import type { Scope } from './scope.ts';
import type { StoredChange } from './view.ts';

/** What lines are made of, a column each: threads hand these to each other for a tenth of what as many objects cost. */
export interface LineColumns {
  readonly ids: readonly string[];
  readonly buyers: readonly string[];
  readonly prices: readonly PlacementRow['price'][];
  readonly leads: readonly number[];
}

/** The columns of the placements among what is in a scope. */
export const lineColumns = (present: readonly StoredChange[]): LineColumns => {
  const rows = present.filter(({ doc }) => doc.kind === 'placement').map(({ doc }) => dataOf('placement', doc));
  return {
    ids: rows.map(({ id }) => id),
    buyers: rows.map(({ buyerId }) => buyerId),
    prices: rows.map(({ price }) => price),
    leads: rows.map(({ leads }) => leads),
  };
};

/** The placements of a campaign as lines of its buyers' earnings, kept up with what changes in the campaign's scope. */
export interface CampaignLines {
  /** Everything up to here is in them. */
  position: number;
  /** Takes in what changed after their position; only placements matter. */
  apply(changes: readonly StoredChange[], position: number): void;
  /** Takes in placements that are there at their position. */
  readonly take: (columns: LineColumns) => void;
  told(row: EarningsRow): Promise<EarningsToPresent>;
}

const newLines = () => new EarningsLines(wireLines);

/** `buyerId`: only this person's placements are kept. */
export const campaignLines = (begun: readonly StoredChange[], position: number, buyerId?: string): CampaignLines => {
  const linesOf = new Map<string, ReturnType<typeof newLines>>();
  /** Of each placement whose line is in them. */
  const linesWith = new Map<string, ReturnType<typeof newLines>>();

  const of = (userId: string): ReturnType<typeof newLines> => {
    const lines = linesOf.get(userId) ?? newLines();
    linesOf.set(userId, lines);
    return lines;
  };

  const put = (id: string, row: Pick<PlacementRow, 'id' | 'buyerId' | 'price' | 'leads'> | null): void => {
    const isKept = row !== null && (buyerId === undefined || row.buyerId === buyerId);
    const lines = isKept ? of(row.buyerId) : undefined;
    const before = linesWith.get(id);
    if (before !== lines) before?.remove(id);
    if (row === null || lines === undefined) {
      linesWith.delete(id);
      return;
    }
    linesWith.set(id, lines);
    lines.set(row);
  };

  const lines: CampaignLines = {
    position,
    apply(changes, reached) {
      for (const { doc, gone } of changes)
        if (doc.kind === 'placement') put(doc.id, gone || doc.deleted ? null : dataOf('placement', doc));
      lines.position = reached;
    },
    take({ ids, buyers, prices, leads }) {
      for (const [index, id] of ids.entries()) {
        const row = { id, buyerId: buyers[index], price: prices[index], leads: leads[index] };
        put(id, row as Pick<PlacementRow, 'id' | 'buyerId' | 'price' | 'leads'>);
      }
    },
    told: (row) => of(row.userId).told(row),
  };
  lines.apply(begun, position);
  return lines;
};

/** Placements that are taken in at a stretch. */
const slice = 250;

/** Like `campaignLines`, of perhaps 100,000 placements: others have their turn in between. */
export const campaignLinesYielding = async (
  begun: readonly StoredChange[],
  position: number,
  buyerId?: string,
): Promise<CampaignLines> => {
  const yieldIfDue = createYielder({ long: begun.length > slice });
  const lines = campaignLines([], position, buyerId);
  for (let from = 0; from < begun.length; from += slice) {
    lines.apply(begun.slice(from, from + slice), position);
    await yieldIfDue();
  }
  return lines;
};

/** Gives away the lines of all placements in a campaign's scope; resolves with the position that they stand at. */
export type LinesReader = (licenceId: string, scope: Scope, take: (lines: LineColumns) => void) => Promise<number>;

/** Reads them in slices of one snapshot. */
export const readLines = async (
  { readStore, partition }: Pick<ReadModelDeps, 'readStore' | 'partition'>,
  licenceId: string,
  scope: Scope,
  take: (lines: LineColumns) => void,
): Promise<number> => {
  let reached = 0;
  await readStore.readScope(
    { licenceId, scope: scope.stored, partition },
    {
      begun({ position }) {
        reached = position;
      },
      take: (docs) => take(lineColumns(docs.map((doc) => ({ doc, gone: false, position: doc.position })))),
    },
  );
  return reached;
};
