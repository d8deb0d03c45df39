import type { ImportField, ImportMapping, ImportReport } from '@zakup/contracts/imports';
import { formatNumber } from '@zakup/domain/russian';
import { Button } from '../ui/button.tsx';
import { SelectField } from '../ui/select-field.tsx';
import { useSession } from '../session/session-context.tsx';
import { LiveRegion } from '../toasts/live-region.tsx';
import { ImportContractors } from './import-contractors.tsx';
import { ImportErrors } from './import-errors.tsx';
import { fieldOptions, mendedCells, withCell, withColumn } from './import-fields.ts';
import { rowsText } from './rows-text.ts';
import type { ImportFile } from './use-import-file.ts';

/** «420 строк: добавится 400, изменится 10, пропустится 5, с ошибками 5». */
export const summaryOf = ({ rows, willAdd, willChange, willSkip }: ImportReport): string => {
  const bad = rows - willAdd - willChange - willSkip;
  const parts = (
    [
      ['добавится', willAdd],
      ['изменится', willChange],
      ['пропустится', willSkip],
      ['с ошибками', bad],
    ] as const
  ).filter(([, count]) => count > 0);
  return `${rowsText(rows)}: ${parts.map(([what, count]) => `${what} ${formatNumber(count)}`).join(', ') || 'брать нечего'}`;
};

const waiting = { reading: 'Файл читается…', starting: 'Начинается…' } as const;

const dateOrders = [
  ['dmy', 'день, месяц, год'],
  ['mdy', 'месяц, день, год'],
  ['ymd', 'год, месяц, день'],
] as const;

interface ReviewProps {
  readonly report: ImportReport;
  readonly mapping: ImportMapping;
  readonly onMap: (mapping: ImportMapping) => void;
}

const Columns = ({ report, mapping, onMap }: ReviewProps) => (
  <fieldset className="z-import-columns">
    <legend>Что в столбцах файла</legend>
    {report.columns.map(({ index, header, field, samples }) => (
      <SelectField
        key={index}
        label={header === '' ? `Столбец ${index + 1}` : header}
        value={field ?? ''}
        options={fieldOptions}
        hint={samples.slice(0, 3).join(' · ')}
        onChange={(value) => onMap(withColumn(mapping, report, index, value === '' ? null : (value as ImportField)))}
      />
    ))}
  </fieldset>
);

const Choices = ({ report, mapping, onMap }: ReviewProps) => {
  const { person } = useSession();
  const buys = person.role === 'MEDIA_BUYER' || person.role === 'TEAM_LEAD';
  return (
    <div className="z-form-row z-import-choices">
      {(report.dateOrder === 'ambiguous' || mapping.dateOrder !== undefined) && (
        <SelectField
          label="Даты вроде 03/04/2026"
          value={mapping.dateOrder ?? ''}
          options={[['', 'выберите'], ...dateOrders]}
          error={mapping.dateOrder === undefined ? 'Их можно прочесть по-разному' : null}
          onChange={(value) => {
            const order = dateOrders.find(([one]) => one === value)?.[0];
            const { dateOrder: _, ...others } = mapping;
            onMap(order === undefined ? others : { ...others, dateOrder: order });
          }}
        />
      )}
      <SelectField
        label="Такие размещения уже есть"
        value={mapping.onDuplicate ?? 'skip'}
        options={[
          ['skip', 'пропустить'],
          ['add', 'добавить ещё раз'],
        ]}
        onChange={(value) => onMap({ ...mapping, onDuplicate: value === 'add' ? 'add' : 'skip' })}
      />
      {buys && (
        <SelectField
          label="Байер пуст или неизвестен"
          value={mapping.onUnknownBuyer ?? 'me'}
          options={[
            ['me', 'это мои размещения'],
            ['fail', 'считать ошибкой'],
          ]}
          onChange={(value) => onMap({ ...mapping, onUnknownBuyer: value === 'fail' ? 'fail' : 'me' })}
        />
      )}
    </div>
  );
};

/** What a file would do, how it is read, and the way to go on or to leave it. */
export const ImportReview = ({
  importing: { file, mapping, step, remap, refuse, start, drop },
}: {
  readonly importing: ImportFile;
}) => {
  if (step.kind !== 'judged' || file === null) return null;
  const { report, problem, busy } = step;
  const willWrite = report.willAdd + report.willChange;
  const mend = (mended: ImportMapping | null): void =>
    mended === null ? refuse('Столько исправлений за раз не внести: исправьте остальное в файле') : remap(mended);
  const dropMended = (): void => {
    const { cells: _, ...others } = mapping;
    remap(others);
  };
  const isUnclear = report.dateOrder === 'ambiguous';
  return (
    <div className="z-form z-import-review">
      <p className="z-import-summary">
        <b>{file.name}</b>
        <LiveRegion>{summaryOf(report)}</LiveRegion>
        {report.newContractors > 0 && (
          <span className="z-secondary">Новых контрагентов: {formatNumber(report.newContractors)}</span>
        )}
      </p>
      <Choices report={report} mapping={mapping} onMap={remap} />
      <Columns report={report} mapping={mapping} onMap={remap} />
      {report.contractors !== undefined && <ImportContractors contractors={report.contractors} />}
      <ImportErrors
        report={report}
        name={file.name}
        {...(busy !== 'starting' && {
          mend: {
            count: mendedCells(mapping),
            set: (place, text) => mend(withCell(mapping, place, text)),
            drop: dropMended,
          },
        })}
      />
      {problem !== null && (
        <p role="alert" className="z-bad">
          {problem}
        </p>
      )}
      <div className="z-import-line">
        {busy === 'unread' ? (
          <Button look="primary" onClick={() => remap(mapping)}>
            Прочесть ещё раз
          </Button>
        ) : (
          <Button look="primary" disabled={busy !== null || isUnclear || willWrite === 0} onClick={start}>
            {busy === null ? `Импортировать: ${rowsText(willWrite)}` : waiting[busy]}
          </Button>
        )}
        <Button disabled={busy === 'starting'} onClick={drop}>
          Отмена
        </Button>
      </div>
    </div>
  );
};
