import { Tick } from '@blueprintjs/icons';
import { showInstant } from '../day/shown-day.ts';
import { formatRoublesExact } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { campaignStatusLabels } from '@zakup/domain/topics';
import { useEffect } from 'react';
import { Link } from 'react-router-dom';
import { money } from '../campaign/figures.ts';
import type { Filters } from '../history/journal-address.ts';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { useThenPath } from '../moment/then-path.ts';
import { Skeleton } from '../ui/states.tsx';
import { LinesFile, MoreLines } from './line-lists.tsx';
import {
  type LicenceLineage,
  type LicenceLineageData,
  type LineagePage,
  useLicenceLineage,
  useLines,
} from './lineage.ts';
import { LastEvents, NoLines, Terms } from './lineage-parts.tsx';

const journals: Readonly<Record<LicenceLineage['figure'], Filters>> = {
  campaigns: {},
  activeCampaigns: { field: 'status' },
  channels: {},
  budgets: { field: 'totalBudget' },
  leadValue: { field: 'leadValue' },
};

/** `Не засчитано 2, удалено 3`. */
const leftOutTitle = ({ there, gone }: LicenceLineageData['leftOut']): string => {
  const parts = [
    there > 0 ? `не засчитано ${formatNumber(there)}` : '',
    gone > 0 ? `удалено ${formatNumber(gone)}` : '',
  ];
  const text = parts.filter((part) => part !== '').join(', ');
  return text.slice(0, 1).toLocaleUpperCase('ru') + text.slice(1);
};

type CountedThing = LicenceLineageData['counted']['lines'][number];
type LeftOutThing = LicenceLineageData['leftOut']['lines'][number];

const lineId = ({ id }: { readonly id: string }): string => id;

const countedColumns = (then: (path: string) => string, onLeave: () => void): readonly DataColumn<CountedThing>[] => [
  {
    id: 'name',
    isName: true,
    cell: ({ kind, id, name }) =>
      kind === 'campaign' ? (
        <Link className="z-link" to={then(`/dashboard?campaign=${encodeURIComponent(id)}`)} onClick={onLeave}>
          {name}
        </Link>
      ) : (
        name
      ),
  },
  { id: 'status', cell: ({ status }) => (status === null ? '' : campaignStatusLabels[status]) },
  {
    id: 'amount',
    align: 'right',
    cell: ({ amount }) => (amount === null ? '' : formatRoublesExact(money(amount))),
  },
];

const leftOutColumns: readonly DataColumn<LeftOutThing>[] = [
  { id: 'name', isName: true, cell: ({ name }) => name },
  {
    id: 'reason',
    cellClass: 'z-why-note',
    span: () => 2,
    cell: ({ reason, at }) => (
      <>
        {reason}
        {at !== null && ` ${showInstant(at)}`}
      </>
    ),
  },
];

const Lists = ({
  about,
  first,
  onLeave,
}: {
  readonly about: LicenceLineage;
  readonly first: LineagePage<LicenceLineageData>;
  readonly onLeave: () => void;
}) => {
  const { counted, leftOut } = first.data;
  const countedPages = useLines(about, first, 'counted');
  const leftOutPages = useLines(about, first, 'leftOut');
  const then = useThenPath();
  const lines: readonly CountedThing[] = countedPages.lines;
  const left: readonly LeftOutThing[] = leftOutPages.lines;
  return (
    <div className="z-why-lines">
      <h4 className="z-good">
        <Tick size={13} /> Засчитано {formatNumber(counted.total)}
        {about.figure === 'budgets' && counted.total > 0 && (
          <span className="z-why-sum">{formatRoublesExact(money(counted.amount))}</span>
        )}
      </h4>
      <DataTable
        className="z-why-things"
        label="Засчитано"
        columns={countedColumns(then, onLeave)}
        rows={lines}
        rowId={lineId}
        empty={null}
      />
      {countedPages.hasMore && (
        <MoreLines {...countedPages} rest={counted.total - lines.length} onMore={countedPages.fetchMore} />
      )}
      {leftOut.total > 0 && (
        <>
          <h4>{leftOutTitle(leftOut)}</h4>
          <DataTable
            className="z-why-things"
            label="Не засчитано"
            columns={leftOutColumns}
            rows={left}
            rowId={lineId}
          />
          {leftOutPages.hasMore && (
            <MoreLines {...leftOutPages} rest={leftOut.total - left.length} onMore={leftOutPages.fetchMore} />
          )}
        </>
      )}
      {counted.total + leftOut.total > 0 && <LinesFile about={about} />}
    </div>
  );
};

/** Of a figure over all campaigns: the campaigns or channels that count, those that do not, and the last events that moved it. */
export const LicenceLines = ({
  about,
  onPosition,
  onLeave,
}: {
  readonly about: LicenceLineage;
  /** Called with the place in the log up to which everything is in the answer. */
  readonly onPosition: (position: number) => void;
  /** Called when the person follows a link. */
  readonly onLeave: () => void;
}) => {
  const { data, error, isPending, refetch } = useLicenceLineage(about);
  const position = data?.position ?? null;
  useEffect(() => {
    if (position !== null) onPosition(position);
  }, [position, onPosition]);
  if (isPending) return <Skeleton rows={4} height={25} label="Загрузка расчёта" />;
  if (data === undefined) return <NoLines error={error} onRetry={() => void refetch()} />;

  return (
    <>
      <Terms terms={data.data.terms} />
      {about.figure !== 'leadValue' && <Lists about={about} first={data} onLeave={onLeave} />}
      <div className="z-why-foot">
        <LastEvents told={data.data} journal={journals[about.figure]} onLeave={onLeave} />
      </div>
    </>
  );
};
