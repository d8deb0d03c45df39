import { Download, Tick } from '@blueprintjs/icons';
import { totalsOf } from '@zakup/domain/analytics/sums';
import { formatRoublesExact } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { useMemo, useState } from 'react';
import { summedLine } from '../../../shared/campaign/operands.ts';
import { type CsvCell, csvOf } from '../../../shared/export/csv.ts';
import { saveFile } from '../../../shared/export/save-file.ts';
import { useThenName } from '../../../shared/moment/then-name.ts';
import { LoadMore } from '../../../shared/ui/load-more.tsx';
import { type LineagePart, useLineage } from '../../../shared/explanations/lineage.ts';
import { LastEvents, NoLines } from '../../../shared/explanations/lineage-parts.tsx';
import { PlacementLines } from '../../../shared/explanations/placement-lines.tsx';
import { type FilteredFigure, type FilteredLine, partsOf } from './filtered-parts.ts';
import type { PlacementRow } from '../rows/placement-row.ts';

const page = 12;

const header = ['Засчитано', 'Дата', 'Контрагент', 'Цена', 'Приход', 'Почему не засчитано', 'ID'] as const;

/** Both lists as they are on the screen, those that count first. */
const partsTable = (
  counted: readonly FilteredLine[],
  leftOut: readonly FilteredLine[],
): readonly (readonly CsvCell[])[] => {
  const cells = ({ row, note }: FilteredLine, isCounted: boolean): readonly CsvCell[] => [
    isCounted ? 'да' : 'нет',
    row.decided.date,
    row.nick,
    row.decided.price,
    row.decided.leads,
    isCounted ? '' : note,
    row.id,
  ];
  return [...counted.map((line) => cells(line, true)), ...leftOut.map((line) => cells(line, false))];
};

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
      <PlacementLines
        label={label}
        lines={lines.slice(0, count).map(({ row: { id, decided, nick }, note }) => ({
          id,
          date: decided.date,
          contractorId: decided.contractorId,
          name: nick,
          figures: decided,
          note,
        }))}
      />
      {lines.length > count && (
        <LoadMore among="lines" rest={lines.length - count} onMore={() => setCount(count + page)} />
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
  readonly fitting: () => readonly PlacementRow[];
  /** The whole table. */
  readonly all: readonly PlacementRow[];
  readonly whyUnfit: (row: PlacementRow) => string | null;
}) => {
  const { counted, leftOut } = useMemo(
    () => partsOf(figure, fitting(), all, whyUnfit),
    [figure, fitting, all, whyUnfit],
  );
  const { spent } = useMemo(() => totalsOf(counted.map(({ row }) => summedLine(row.decided))), [counted]);
  const fileName = useThenName();
  const save = (rows: readonly (readonly CsvCell[])[]): void =>
    saveFile(fileName('Строки по фильтру', 'csv'), new Blob([csvOf(header, rows)], { type: 'text/csv;charset=utf-8' }));
  const lineage = useLineage({ ...part, of: 'campaign', id: campaignId, figure });
  const told = lineage.data?.data;
  return (
    <>
      <div className="z-why-lines">
        <h4 className="z-good">
          <Tick size={13} /> Засчитано {formatNumber(counted.length)}
          {counted.length > 0 && <span className="z-why-sum">{formatRoublesExact(spent)}</span>}
        </h4>
        {counted.length > 0 && <Lines label="Засчитанные размещения" lines={counted} />}
        {leftOut.length > 0 && (
          <>
            <h4>Не засчитано {formatNumber(leftOut.length)}</h4>
            <Lines label="Не засчитанные размещения" lines={leftOut} />
          </>
        )}
        {all.length > 0 && (
          <button type="button" className="z-link z-why-file" onClick={() => save(partsTable(counted, leftOut))}>
            <Download size={13} />
            Скачать строки
          </button>
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
