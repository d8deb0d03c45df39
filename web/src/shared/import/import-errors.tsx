import { Download } from '@blueprintjs/icons';
import type { ImportReport, ImportRowError } from '@zakup/contracts/imports';
import { formatNumber, plural } from '@zakup/domain/russian';
import { useState } from 'react';
import { csvOf } from '../export/csv.ts';
import { saveFile } from '../export/save-file.ts';
import { type DataColumn, DataTable } from '../table/data-table.tsx';
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

const cells = ({ columns }: Errors): readonly DataColumn<ImportRowError>[] => [
  { id: 'row', header: 'Строка', align: 'right', cell: ({ row }) => formatNumber(row), cardLabel: 'Строка' },
  { id: 'column', header: 'Столбец', cell: (error) => placeOf(error, columns), cardLabel: 'Столбец' },
  { id: 'text', header: 'Что там стоит', cell: ({ text }) => text, cardLabel: 'Что там стоит' },
  { id: 'detail', header: 'Что не так', isName: true, cell: ({ detail }) => detail, cardLabel: 'Что не так' },
];

/** Cells that are not taken, with their rows counted below the heading; to be downloaded too. */
export const ImportErrors = ({ report, name }: { readonly report: Errors; readonly name: string }) => {
  const [shown, setShown] = useState(shownAtOnce);
  const { errors, errorCount, columns } = report;
  if (errors.length === 0) return null;
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
          {formatNumber(errorCount)} {plural(errorCount, 'ошибка', 'ошибки', 'ошибок')}
        </h3>
        <Button small icon={<Download size={14} />} onClick={download}>
          Скачать
        </Button>
      </div>
      {errorCount > errors.length && <p className="z-secondary">Показаны первые {formatNumber(errors.length)}.</p>}
      <DataTable
        label="Ошибки файла"
        className="z-table z-import-table"
        columns={cells(report)}
        rows={errors.slice(0, shown)}
        rowId={(_, at) => at}
      />
      {errors.length > shown && (
        <LoadMore rest={errors.length - shown} small onMore={() => setShown(shown + shownAtOnce)} />
      )}
    </section>
  );
};
