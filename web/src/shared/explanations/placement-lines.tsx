import { showShortDate } from '../day/shown-day.ts';
import { formatRoubles, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { showCampaignName } from '@zakup/domain/topics';
import { cplFigure, money } from '../campaign/figures.ts';
import { useDoc } from '../replica/replica-context.tsx';
import { type DataColumn, DataTable } from '../table/data-table.tsx';

/** What is told of one placement. */
export interface ToldPlacement {
  readonly id: string;
  /** `YYYY-MM-DD`; null = not known. */
  readonly date: string | null;
  readonly contractorId: string | null;
  /** Where the contractor is not known any more. */
  readonly name: string | null;
  /** Null = nothing is known but that it is gone, and when. */
  readonly figures: {
    /** Roubles. */
    readonly price: number;
    readonly leads: number;
  } | null;
  /** Where the lines are of several campaigns: named before the note. */
  readonly campaignId?: string | null;
  readonly note: string;
}

const Nick = ({ line: { contractorId, name } }: { readonly line: ToldPlacement }) => {
  const contractor = useDoc('contractor', contractorId);
  return contractor?.adminUsername ?? name ?? '—';
};

const Note = ({ line: { campaignId = null, note } }: { readonly line: ToldPlacement }) => {
  const campaign = useDoc('campaign', campaignId);
  return [campaign === null ? '' : showCampaignName(campaign.name), note].filter((part) => part !== '').join(', ');
};

const Cpl = ({ price, leads }: NonNullable<ToldPlacement['figures']>) => {
  const spent = money(price);
  const cpl = cplFigure(spent, leads, kopecks(leads === 0 ? 0 : Math.round(spent / leads)));
  return (
    <span className={cpl.tone === null ? 'z-quiet' : `z-${cpl.tone}`}>
      {cpl.text} <span aria-hidden="true">{cpl.sign}</span>
    </span>
  );
};

/** Stands only where the figures are known. */
const whereKnown = ({ figures }: ToldPlacement): number => (figures === null ? 0 : 1);

const columns: readonly DataColumn<ToldPlacement>[] = [
  { id: 'date', cell: ({ date }) => (date === null ? '' : showShortDate(date)) },
  { id: 'name', cell: (line) => <Nick line={line} /> },
  {
    id: 'price',
    span: ({ figures }) => (figures === null ? 4 : 1),
    cellClass: ({ figures }) => (figures === null ? 'z-why-note' : 'z-right'),
    cell: (line) => (line.figures === null ? <Note line={line} /> : formatRoubles(money(line.figures.price))),
  },
  {
    id: 'leads',
    align: 'right',
    span: whereKnown,
    cell: ({ figures }) => (figures === null || figures.leads === 0 ? '—' : formatNumber(figures.leads)),
  },
  { id: 'cpl', align: 'right', span: whereKnown, cell: ({ figures }) => figures !== null && <Cpl {...figures} /> },
  { id: 'note', span: whereKnown, cellClass: 'z-why-note', cell: (line) => <Note line={line} /> },
];
const lineId = ({ id }: ToldPlacement): string => id;

/** Placements, a line each: when, with whom, for how much, how many leads, at what a lead. */
export const PlacementLines = ({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: readonly ToldPlacement[];
}) => (
  <DataTable className="z-why-placements" label={label} columns={columns} rows={lines} rowId={lineId} empty={null} />
);
