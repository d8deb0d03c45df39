import { type EarningsToPresent, wireLines } from '@zakup/contracts/to-wire';
import type { EarningsRow } from '@zakup/contracts/read-models';
import { EarningsLines } from '@zakup/projections/earnings-lines';
import { createYielder } from '@zakup/async/yielder';
import { dataOf } from '../read-models/rows.ts';
import type { StoredChange } from './view.ts';

/** The placements of a campaign as lines of its buyers' earnings, kept up with what changes in the campaign's scope. */
export interface CampaignLines {
  /** Everything up to here is in them. */
  position: number;
  /** Takes in what changed after their position; only placements matter. */
  apply(changes: readonly StoredChange[], position: number): void;
  told(row: EarningsRow): Promise<EarningsToPresent>;
}

const newLines = () => new EarningsLines(wireLines);

/** `buyerId`: only this person's placements are kept. */
export const campaignLines = (begun: readonly StoredChange[], position: number, buyerId?: string): CampaignLines => {
  const linesOf = new Map<string, ReturnType<typeof newLines>>();
  const buyerOf = new Map<string, string>();

  const of = (userId: string): ReturnType<typeof newLines> => {
    const lines = linesOf.get(userId) ?? newLines();
    linesOf.set(userId, lines);
    return lines;
  };

  const take = ({ doc, gone }: StoredChange): void => {
    if (doc.kind !== 'placement') return;
    const row = gone || doc.deleted ? null : dataOf('placement', doc);
    const buyer = row === null || (buyerId !== undefined && row.buyerId !== buyerId) ? undefined : row.buyerId;
    const before = buyerOf.get(doc.id);
    if (before !== undefined && before !== buyer) linesOf.get(before)?.remove(doc.id);
    if (row === null || buyer === undefined) {
      buyerOf.delete(doc.id);
      return;
    }
    buyerOf.set(doc.id, buyer);
    of(buyer).set(row);
  };

  const lines: CampaignLines = {
    position,
    apply(changes, reached) {
      for (const change of changes) take(change);
      lines.position = reached;
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
