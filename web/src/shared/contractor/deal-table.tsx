import type { PlacementWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import type { ReactNode } from 'react';
import { CplValue } from '../campaign/cpl-value.tsx';
import { money, roubles } from '../money/roubles.ts';
import { useDocs } from '../replica/replica-context.tsx';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { Fitted } from '../ui/fitted.tsx';
import { PlacementFigure, type PlacementFigureName } from '../explanations/placement-figure.tsx';
import { buyerName } from './buyer-name.ts';

const titles = {
  date: 'Дата',
  campaign: 'Кампания',
  price: 'Цена',
  leads: 'Приход',
  cpl: 'CPL',
  buyer: 'Байер',
} as const;
type Column = keyof typeof titles;

const formOf: { readonly [Name in Column]?: Pick<DataColumn<PlacementWire>, 'align' | 'className'> } = {
  price: { align: 'right' },
  leads: { align: 'right' },
  cpl: { align: 'right' },
  campaign: { className: 'z-table-name z-stacked-name' },
};
const placementId = ({ id }: PlacementWire): string => id;

/** Placements with one contractor, a row each. */
export const DealTable = ({
  label,
  placements,
  columns,
  dayText,
  className = '',
  explained = false,
}: {
  readonly label: string;
  /** In the order of the rows. */
  readonly placements: readonly PlacementWire[];
  readonly columns: readonly Column[];
  /** A day as it is to be read. */
  readonly dayText: (day: string) => string;
  readonly className?: string;
  /** Each figure opens its lineage. */
  readonly explained?: boolean;
}) => {
  const campaigns = useDocs('campaign');
  const users = useDocs('user');
  const why = (placement: PlacementWire, figure: PlacementFigureName, shown: ReactNode): ReactNode =>
    explained ? (
      <PlacementFigure placement={{ ...placement, placementId: placement.id }} figure={figure}>
        {shown}
      </PlacementFigure>
    ) : typeof shown === 'string' ? (
      <Fitted>{shown}</Fitted>
    ) : (
      shown
    );
  const cellOf = (column: Column, placement: PlacementWire): ReactNode => {
    const { date, campaignId, buyerId, price, leads } = placement;
    switch (column) {
      case 'date':
        return dayText(date);
      case 'campaign':
        return showCampaignName(campaigns.find(({ id }) => id === campaignId)?.name ?? '');
      case 'price':
        return why(placement, 'spent', roubles(price));
      case 'leads':
        return why(placement, 'leads', formatNumber(leads));
      case 'cpl':
        return why(placement, 'cpl', <CplValue spent={money(price)} leads={leads} />);
      case 'buyer':
        return buyerName(users, buyerId);
    }
  };
  return (
    <DataTable
      className={`z-table ${className}`}
      label={label}
      columns={columns.map((id) => ({
        id,
        header: titles[id],
        ...formOf[id],
        cell: (placement: PlacementWire) => cellOf(id, placement),
      }))}
      rows={placements}
      rowId={placementId}
    />
  );
};
