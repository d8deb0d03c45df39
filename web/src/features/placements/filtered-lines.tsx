import { Tick } from '@blueprintjs/icons';
import { formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { useMemo, useState } from 'react';
import { money } from '../../shared/money/roubles.ts';
import { Button } from '../../shared/ui/button.tsx';
import { type LineagePart, useLineage } from '../../shared/why/lineage.ts';
import { LastEvents, NoLines } from '../../shared/why/lineage-parts.tsx';
import { PlacementLine } from '../../shared/why/placement-line.tsx';
import { type FilteredFigure, partsOf } from './filtered-parts.ts';
import type { PlacementRow } from './placement-rows.ts';

const page = 12;

const Lines = ({
  label,
  lines,
}: {
  readonly label: string;
  readonly lines: readonly { readonly row: PlacementRow; readonly note: string }[];
}) => {
  const [count, setCount] = useState(page);
  return (
    <>
      <table aria-label={label}>
        <tbody>
          {lines.slice(0, count).map(({ row: { id, decided, nick }, note }) => (
            <PlacementLine key={id} line={{ ...decided, name: nick, note }} />
          ))}
        </tbody>
      </table>
      {lines.length > count && (
        <Button small look="plain" onClick={() => setCount(count + page)}>
          Показать ещё, осталось {formatNumber(lines.length - count)}
        </Button>
      )}
    </>
  );
};

/**
 * What stands behind a total of the rows that fit the filter: the rows that count and those that do not, as the screen has them, and the last
 * events that moved it, as the server tells them, also of rows that have left the filter.
 */
export const FilteredLines = ({
  campaignId,
  figure,
  part,
  fitting,
  all,
  whyUnfit,
}: {
  readonly campaignId: string;
  readonly figure: FilteredFigure;
  /** The filter, as the server is asked. */
  readonly part: LineagePart;
  /** What fits the filter. */
  readonly fitting: readonly PlacementRow[];
  /** The whole table. */
  readonly all: readonly PlacementRow[];
  readonly whyUnfit: (row: PlacementRow) => string | null;
}) => {
  const { counted, leftOut } = useMemo(() => partsOf(figure, fitting, all, whyUnfit), [figure, fitting, all, whyUnfit]);
  const sum = kopecks(counted.reduce((total, { row }) => total + money(row.decided.price), 0));
  const lineage = useLineage({ ...part, of: 'campaign', id: campaignId, figure });
  const told = lineage.data?.pages[0]?.data;
  return (
    <>
      <div className="z-why-lines">
        <h4 className="z-good">
          <Tick size={13} /> Засчитано {formatNumber(counted.length)}
          {counted.length > 0 && <span className="z-why-sum">{formatRoublesExact(sum)}</span>}
        </h4>
        {counted.length > 0 && <Lines label="Засчитанные размещения" lines={counted} />}
        {leftOut.length > 0 && (
          <>
            <h4>Не засчитано {formatNumber(leftOut.length)}</h4>
            <Lines label="Не засчитанные размещения" lines={leftOut} />
          </>
        )}
      </div>
      {told === undefined ? (
        lineage.error !== null && <NoLines error={lineage.error} onRetry={() => void lineage.refetch()} />
      ) : (
        <div className="z-why-foot">
          <LastEvents told={told} journal={{ campaign: campaignId }} onLeave={() => undefined} />
        </div>
      )}
    </>
  );
};
