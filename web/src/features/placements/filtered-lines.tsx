import { Tick } from '@blueprintjs/icons';
import { formatRoublesExact, kopecks } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { useMemo, useState } from 'react';
import { money } from '../../shared/money/roubles.ts';
import { Button } from '../../shared/ui/button.tsx';
import { useLineage } from '../../shared/why/lineage.ts';
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
 * events of the campaign's figure that were about rows that count.
 */
export const FilteredLines = ({
  campaignId,
  figure,
  fitting,
  all,
}: {
  readonly campaignId: string;
  readonly figure: FilteredFigure;
  /** What fits the filter. */
  readonly fitting: readonly PlacementRow[];
  /** The whole table. */
  readonly all: readonly PlacementRow[];
}) => {
  const { counted, leftOut } = useMemo(() => partsOf(figure, fitting, all), [figure, fitting, all]);
  const ids = useMemo(() => new Set(counted.map(({ row }) => row.id)), [counted]);
  const sum = kopecks(counted.reduce((total, { row }) => total + money(row.decided.price), 0));
  const lineage = useLineage({ of: 'campaign', id: campaignId, figure });
  const told = lineage.data?.pages[0]?.data;
  const moved = told?.moved.filter(({ entity }) => entity.kind === 'placement' && ids.has(entity.id)) ?? [];
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
          <p className="z-quiet">
            {moved.length > 0
              ? 'Из последних событий кампании – те, что об этих размещениях:'
              : 'Среди последних событий кампании нет ни одного об этих размещениях'}
          </p>
          <LastEvents
            told={{ moved, historyComplete: told.historyComplete }}
            journal={{ campaign: campaignId }}
            onLeave={() => undefined}
          />
        </div>
      )}
    </>
  );
};
