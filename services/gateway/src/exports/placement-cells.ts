import type { ExportedField } from '@zakup/contracts/placement-fields';
import type { PlacementRow } from '@zakup/contracts/read-models';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { toRoubles } from '@zakup/domain/money';
import { noCreative } from '@zakup/domain/placement/events';
import { paymentLabel, placementStatusLabels, withoutCreativeLabel } from '@zakup/domain/placement/labels';
import { showTopic } from '@zakup/domain/topics';
import type { Cell } from './csv.ts';

/** Names that cells show for ids. */
export interface PlacementCellNames {
  readonly contractor: (id: string) => string;
  readonly creative: (id: string) => string;
  readonly user: (id: string) => string;
}

type Exported = ExportedField | 'id';
type Stored = Exclude<Exported, 'costPerLead'>;

/** What a file shows of a placement. */
export type ExportedPlacement = Pick<PlacementRow, Stored>;

const text = (value: string | null): Cell =>
  value === null || value === '' ? { kind: 'empty' } : { kind: 'text', text: value };
const money = (value: number): Cell => ({ kind: 'money', value });

/** The cells of a placement in every file, in its order. A field without its line does not compile. */
export const placementCells: {
  readonly [Name in Exported]: (row: ExportedPlacement, names: PlacementCellNames) => Cell;
} = {
  date: ({ date }) => ({ kind: 'day', day: date }),
  contractorId: ({ contractorId }, names) => text(names.contractor(contractorId)),
  price: ({ price }) => money(toRoubles(price)),
  leads: ({ leads }) => ({ kind: 'whole', value: leads }),
  costPerLead: ({ price, leads }) => (leads === 0 ? { kind: 'empty' } : money(toRoubles(costPerLead(price, leads)))),
  creativeId: ({ creativeId }, names) =>
    text(creativeId === noCreative ? withoutCreativeLabel : names.creative(creativeId)),
  category: ({ category }) => text(showTopic(category)),
  format: ({ format }) => text(format),
  buyerId: ({ buyerId }, names) => text(names.user(buyerId)),
  paymentStatus: ({ paymentStatus }) => text(paymentLabel(paymentStatus)),
  status: ({ status }) => text(placementStatusLabels[status]),
  id: ({ id }) => text(id),
  comment: ({ comment }) => text(comment),
  postUrl: ({ postUrl }) => text(postUrl),
};

export const exportedFields = Object.keys(placementCells) as readonly Exported[];
const storedFields = exportedFields.filter((name) => name !== 'costPerLead');

/** Only that, for rows that wait to be written. */
export const exportedPart = (row: PlacementRow): ExportedPlacement =>
  Object.fromEntries(storedFields.map((name) => [name, row[name]])) as unknown as ExportedPlacement;
