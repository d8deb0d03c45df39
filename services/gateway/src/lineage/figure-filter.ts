import type { PlacementRow } from '@zakup/contracts/read-models';
import type { CampaignLineageQuery } from '@zakup/contracts/requests/queries';
import { costPerLead } from '@zakup/domain/analytics/cpl';
import { type ChannelSize, channelSizeOf } from '@zakup/domain/analytics/channel-size';
import type { Kopecks } from '@zakup/domain/money';
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { Aliases } from '../read-models/aliases.ts';
import { placementNames, searched, searching } from '../read-models/placement-names.ts';

/** What of a placement figures are narrowed by: members of its row that its history tells too, under the same names. */
export type FigureFilterField =
  | 'buyerId'
  | 'contractorId'
  | 'creativeId'
  | 'category'
  | 'format'
  | 'paymentStatus'
  | 'status'
  | 'comment'
  | 'date'
  | 'price'
  | 'leads';

/** Narrows a figure to some of the placements. */
export interface FigureFilter {
  readonly fields: readonly FigureFilterField[];
  /** Whether a placement with these values is among them; asked only where each of `fields` is known. */
  readonly has: (row: Pick<PlacementRow, FigureFilterField>) => boolean;
  /** How a placement that was moved away is called. */
  readonly movedAway: string;
}

const by = (
  field: FigureFilterField,
  has: (row: Pick<PlacementRow, FigureFilterField>) => boolean,
  movedAway: string,
): FigureFilter => ({ fields: [field], has, movedAway });

export const byContractor = (aliases: Aliases, id: string): FigureFilter => {
  const parts = new Set(aliases.parts(aliases.receiver(id)));
  return by('contractorId', ({ contractorId }) => parts.has(contractorId), 'Перенесено на другого контрагента');
};

/** To any of these values. */
const among = (
  field: 'buyerId' | 'creativeId' | 'category' | 'format' | 'paymentStatus' | 'status',
  values: readonly string[],
  movedAway: string,
): FigureFilter => {
  const wanted: ReadonlySet<string> = new Set(values);
  return by(field, (row) => wanted.has(row[field]), movedAway);
};

export const byBuyer = (...userIds: readonly string[]): FigureFilter =>
  among('buyerId', userIds, 'Перенесено на другого байера');

export const byCreative = (...ids: readonly string[]): FigureFilter =>
  among('creativeId', ids, 'Перенесено на другой креатив');

export const byChannelSize = (size: ChannelSize): FigureFilter =>
  by('price', ({ price }) => channelSizeOf(price) === size, 'Изменена цена');

/** From one day to another, both included; absent = without that end. */
export const byDay = (from: string | undefined, to: string | undefined): FigureFilter =>
  by(
    'date',
    ({ date }) => (from === undefined || date >= from) && (to === undefined || date <= to),
    'Перенесено на другую дату',
  );

/** From one whole number of leads to another, both included; absent = without that end. */
const byLeads = (from: number | undefined, to: number | undefined): FigureFilter =>
  by(
    'leads',
    ({ leads }) => (from === undefined || leads >= from) && (to === undefined || leads <= to),
    'Изменён приход',
  );

/** By the CPL as it is shown, both bounds included; without leads there is none. */
const byCpl = (from: Kopecks | undefined, to: Kopecks | undefined): FigureFilter => ({
  fields: ['price', 'leads'],
  has: ({ price, leads }) => {
    if (leads <= 0) return false;
    const cpl = costPerLead(price, leads);
    return (from === undefined || cpl >= from) && (to === undefined || cpl <= to);
  },
  movedAway: 'Изменился CPL',
});

/** No placement at all: for what is set by hand. */
export const byNone: FigureFilter = { fields: [], has: () => false, movedAway: '' };

/** Everything that a question about a campaign's figure narrows it by. */
export const figureFilters = async (
  query: Omit<CampaignLineageQuery, 'page' | 'pageSize' | 'cursor'>,
  aliases: Aliases,
  { documents, licenceId }: { readonly documents: DocumentReader; readonly licenceId: string },
): Promise<readonly FigureFilter[]> => {
  const { userId, creativeId, contractorId, from, to } = query;
  const { category, format, paymentStatus, status, statusNot, priceFrom, priceTo, search = '' } = query;
  const { leadsFrom, leadsTo, cplFrom, cplTo } = query;
  const isFound = search === '' ? null : searching(await placementNames(documents, licenceId), search);
  const all: readonly (FigureFilter | false)[] = [
    userId !== undefined && byBuyer(...userId),
    creativeId !== undefined && byCreative(...creativeId),
    (from !== undefined || to !== undefined) && byDay(from, to),
    contractorId !== undefined && byContractor(aliases, contractorId),
    category !== undefined && among('category', category, 'Сменилась тематика'),
    format !== undefined && among('format', format, 'Сменился формат'),
    paymentStatus !== undefined && among('paymentStatus', paymentStatus, 'Изменена отметка об оплате'),
    status !== undefined && among('status', status, 'Сменился статус'),
    statusNot !== undefined && by('status', (row) => row.status !== statusNot, 'Сменился статус'),
    (priceFrom !== undefined || priceTo !== undefined) &&
      by(
        'price',
        ({ price }) => (priceFrom === undefined || price >= priceFrom) && (priceTo === undefined || price <= priceTo),
        'Изменена цена',
      ),
    (leadsFrom !== undefined || leadsTo !== undefined) && byLeads(leadsFrom, leadsTo),
    (cplFrom !== undefined || cplTo !== undefined) && byCpl(cplFrom, cplTo),
    isFound !== null && {
      fields: searched,
      has: (row) => isFound({ ...row, contractorId: aliases.receiver(row.contractorId) }),
      movedAway: 'Больше не находится поиском',
    },
  ];
  return all.filter((one) => one !== false);
};
