import { Download } from '@blueprintjs/icons';
import type { ImportReport, ImportRowError } from '@zakup/contracts/imports';
import { formatNumber, plural } from '@zakup/domain/russian';
import { type ReactNode, useState } from 'react';
import { csvOf } from '../export/csv.ts';
import { saveFile } from '../export/save-file.ts';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
import { LiveRegion } from '../toasts/live-region.tsx';
import { Button } from '../ui/button.tsx';
import { LoadMore } from '../ui/load-more.tsx';
import { fieldLabel } from './import-fields.ts';

/** So many are shown at first, and with each press on «Показать ещё». */
const shownAtOnce = 20;

type Errors = Pick<ImportReport, 'errors' | 'errorCount' | 'columns'>;

/** What a cell is called: the heading of the file, else the field. */
const placeOf = ({ column, field }: ImportRowError, columns: ImportReport['columns']): string => {
  const header = columns.find(({ index }) => index === column)?.header ?? '';
  if (header !== '') return header;
  return field === null ? '' : fieldLabel(field);
};

interface CellPlace {
  readonly row: number;
  readonly column: number;
}

/** Ways to write another text in the place of what stands in the file. */
export interface MendCells {
  /** Of cells that were mended. */
  readonly count: number;
  readonly set: (place: CellPlace, text: string) => void;
  readonly drop: () => void;
}

/** Characters of a cell that a report tells. */
const longestTold = 200;

const nextField = (field: HTMLInputElement): HTMLInputElement | undefined => {
  const all = [...(field.closest('section')?.querySelectorAll<HTMLInputElement>('.z-import-mend') ?? [])];
  return all[all.indexOf(field) + 1];
};

/** A cell that is mended in its place: Enter and leaving it read the file anew, Escape brings back what stood there. */
const MendedCell = ({
  text,
  label,
  onMend,
}: {
  readonly text: string;
  readonly label: string;
  readonly onMend: (text: string) => void;
}) => {
  const [typed, setTyped] = useState(text);
  return (
    <input
      className="z-input z-import-mend"
      aria-label={label}
      autoComplete="off"
      value={typed}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={() => typed !== text && onMend(typed)}
      onKeyDown={(event) => {
        if (event.key === 'Escape') {
          event.stopPropagation();
          setTyped(text);
        }
        if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
        event.preventDefault();
        const next = nextField(event.currentTarget);
        // Left, it is mended.
        if (next === undefined) event.currentTarget.blur();
        else next.focus();
      }}
    />
  );
};

const mendedText = (
  error: ImportRowError,
  columns: ImportReport['columns'],
  mend: MendCells | undefined,
): ReactNode => {
  const { row, column, text } = error;
  // Of a longer one only the beginning is told, which must not take its place.
  if (mend === undefined || column === null || text.length >= longestTold) return text;
  return (
    <MendedCell
      key={text}
      text={text}
      label={`${placeOf(error, columns)}, строка ${formatNumber(row)}`}
      onMend={(typed) => mend.set({ row, column }, typed)}
    />
  );
};

const cells = ({ columns }: Errors, mend: MendCells | undefined): readonly DataColumn<ImportRowError>[] => [
  { id: 'row', header: 'Строка', align: 'right', cell: ({ row }) => formatNumber(row), cardLabel: 'Строка' },
  { id: 'column', header: 'Столбец', cell: (error) => placeOf(error, columns), cardLabel: 'Столбец' },
  {
    id: 'text',
    header: 'Что там стоит',
    cell: (error) => mendedText(error, columns, mend),
    cardLabel: 'Что там стоит',
  },
  { id: 'detail', header: 'Что не так', isName: true, cell: ({ detail }) => detail, cardLabel: 'Что не так' },
];

/** Cells that are not taken, with their rows counted below the heading; to be downloaded too. */
export const ImportErrors = ({
  report,
  name,
  mend,
}: {
  readonly report: Errors;
  readonly name: string;
  /** Absent = it is told of only. */
  readonly mend?: MendCells;
}) => {
  const [shown, setShown] = useState(shownAtOnce);
  const { errors, errorCount, columns } = report;
  if (errors.length === 0 && (mend?.count ?? 0) === 0) return null;
  const download = (): void =>
    saveFile(
      `${name} – ошибки.csv`,
      new Blob(
        [
          csvOf(
            ['Строка', 'Столбец', 'Что там стоит', 'Что не так'],
            errors.map((error) => [error.row, placeOf(error, columns), error.text, error.detail]),
          ),
        ],
        { type: 'text/csv;charset=utf-8' },
      ),
    );
  return (
    <section className="z-import-errors">
      <div className="z-import-line">
        <h3>
          {errorCount === 0
            ? 'Ошибок нет'
            : `${formatNumber(errorCount)} ${plural(errorCount, 'ошибка', 'ошибки', 'ошибок')}`}
        </h3>
        {errorCount > 0 && (
          <Button small icon={<Download size={14} />} onClick={download}>
            Скачать
          </Button>
        )}
        {mend !== undefined && mend.count > 0 && (
          <>
            <LiveRegion className="z-secondary">Исправлено здесь: {formatNumber(mend.count)}</LiveRegion>
            <Button small onClick={mend.drop}>
              Вернуть как в файле
            </Button>
          </>
        )}
      </div>
      {mend !== undefined && errorCount > 0 && (
        <p className="z-secondary">Исправьте прямо здесь: файл прочтётся заново, сам он не изменится.</p>
      )}
      {errorCount > errors.length && <p className="z-secondary">Показаны первые {formatNumber(errors.length)}.</p>}
      {errors.length > 0 && (
        <DataTable
          label="Ошибки файла"
          className="z-table z-import-table"
          columns={cells(report, mend)}
          rows={errors.slice(0, shown)}
          rowId={({ row, column, field }) => `${row} ${column} ${field}`}
        />
      )}
      {errors.length > shown && (
        <LoadMore rest={errors.length - shown} small onMore={() => setShown(shown + shownAtOnce)} />
      )}
    </section>
  );
};
