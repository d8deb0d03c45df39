import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import { withoutCreativeLabel } from '@zakup/domain/placement/labels';
import { placementFields } from '@zakup/contracts/placement-fields';
import { type FormEvent, type ReactNode, useId, useMemo, useState } from 'react';
import { VerdictNote } from '../../../shared/contractor/verdict-note.tsx';
import { showDate } from '../../../shared/day/shown-day.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import { maxBatchSize } from '../../../shared/outbox/batch.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useDocs } from '../../../shared/replica/replica-context.tsx';
import { type DataColumn, DataTable } from '../../../shared/table/data-table.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { Dialog } from '../../../shared/ui/dialog.tsx';
import { SelectField, type SelectOption } from '../../../shared/ui/select-field.tsx';
import { fieldText } from '../rows/placement-commands.ts';
import type { Names } from '../rows/placement-row.ts';
import { cellsText } from '../rows/block-commands.ts';
import { BoughtByAnother } from './bought-by-another.tsx';
import { nameKey, type NamedField, type Resolved } from './cell-readings.ts';
import { carryOut, type PendingPaste, placementsText, tooManyText } from './paste.ts';
import { pasteDrafts } from './paste-drafts.ts';
import {
  type Addition,
  type ChangedCell,
  type PasteDeps,
  type PasteMode,
  type PastePlan,
  planPaste,
  type SkippedCell,
} from './paste-plan.ts';
import './paste-dialog.css';

/** More lines than a person reads; how many there are is said. */
const mostShown = 100;
/** Each takes a subscription of its own. */
const mostAsked = 20;

interface Numbered<Row> {
  readonly at: number;
  readonly of: Row;
}
const numberOf = ({ at }: Numbered<unknown>): string => String(at);

/** One list of the preview, its first lines. */
const Part = <Row,>({
  title,
  rows,
  columns,
}: {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly columns: readonly (Omit<DataColumn<Numbered<Row>>, 'cell'> & {
    readonly cell: (row: Row, at: number) => ReactNode;
  })[];
}) => {
  if (rows.length === 0) return null;
  const shown = rows.slice(0, mostShown).map((of, at) => ({ at, of }));
  return (
    <section className="z-paste-part">
      <h3>{title}</h3>
      <div className="z-table-scroll">
        <DataTable
          className="z-table"
          label={title}
          columns={columns.map(({ cell, ...column }) => ({ ...column, cell: ({ of, at }) => cell(of, at) }))}
          rows={shown}
          rowId={numberOf}
        />
      </div>
      {rows.length > shown.length && <p className="z-quiet">и ещё {formatNumber(rows.length - shown.length)}</p>}
    </section>
  );
};

const wasAndBecomes = ({ was, becomes }: ChangedCell): ReactNode => (
  <>
    <s>{was}</s> → <b>{becomes}</b>
  </>
);

const Changes = ({ changed }: { readonly changed: readonly ChangedCell[] }) => (
  <Part
    title={`Изменится: ${cellsText(changed.length)}`}
    rows={changed}
    columns={[
      {
        id: 'row',
        header: 'Размещение',
        cell: ({ row }) => `${row.nick}, ${showDate(row.placement.date)}`,
        className: 'z-paste-contractor',
      },
      { id: 'field', header: 'Поле', cell: ({ field }) => placementFields[field].label },
      {
        id: 'change',
        header: 'Было → станет',
        cell: wasAndBecomes,
        className: 'z-paste-name',
      },
    ]}
  />
);

const memberText = ({ members, later }: Addition, names: Names): string =>
  Object.entries({ ...members, ...later })
    .filter(([field]) => !['price', 'leads', 'creativeId'].includes(field))
    .map(([field, value]) => fieldText(field, value, names))
    .join(', ');

const whoSells = (
  { contractor, contractorId, buyerId, line }: Addition,
  asked: ReadonlySet<number>,
  verdict: ContractorWire['verdict'],
  today: string,
): ReactNode => (
  <>
    <b>{contractor}</b>
    {contractorId === null && <span className="z-quiet">новый</span>}
    {verdict && (
      <span>
        <VerdictNote verdict={verdict} />
      </span>
    )}
    {contractorId !== null && asked.has(line) && (
      <BoughtByAnother contractorId={contractorId} buyerId={buyerId} today={today} />
    )}
  </>
);

const Additions = ({
  additions,
  deps: { names, today },
}: {
  readonly additions: readonly Addition[];
  readonly deps: PasteDeps;
}) => {
  const contractors = useDocs('contractor');
  const verdicts = useMemo(() => new Map(contractors.map(({ id, verdict }) => [id, verdict])), [contractors]);
  // Of each contractor the first, so that nobody is asked for twice.
  const asked = useMemo(() => {
    const byContractor = new Map(additions.toReversed().map(({ contractorId, line }) => [contractorId, line]));
    byContractor.delete(null);
    return new Set([...byContractor.values()].toSorted((a, b) => a - b).slice(0, mostAsked));
  }, [additions]);
  return (
    <Part
      title={`Создастся: ${placementsText(additions.length)}`}
      rows={additions}
      columns={[
        { id: 'date', header: 'Дата', cell: ({ date }) => showDate(date) },
        {
          id: 'contractor',
          header: 'Контрагент',
          cell: (addition) => whoSells(addition, asked, verdicts.get(addition.contractorId ?? ''), today),
          className: 'z-paste-contractor',
        },
        { id: 'price', header: 'Цена', align: 'right', cell: ({ members }) => roubles(Number(members.price ?? 0)) },
        {
          id: 'leads',
          header: 'Приход',
          align: 'right',
          cell: ({ later }) => formatNumber(Number(later['leads'] ?? 0)),
        },
        {
          id: 'creative',
          header: 'Креатив',
          cell: ({ members }) =>
            members.creativeId === undefined
              ? withoutCreativeLabel
              : fieldText('creativeId', members.creativeId, names),
          className: 'z-paste-name',
        },
        { id: 'category', header: 'Тематика', cell: ({ category }) => category, className: 'z-paste-name' },
        {
          id: 'buyer',
          header: 'Байер',
          cell: ({ buyerId }) => fieldText('buyerId', buyerId, names),
          className: 'z-paste-name',
        },
        { id: 'more', header: 'Ещё', cell: (addition) => memberText(addition, names), className: 'z-paste-name' },
      ]}
    />
  );
};

const pastedText = ({ text }: SkippedCell): ReactNode => <span className="z-paste-text">{text.slice(0, 100)}</span>;

const Skipped = ({ skipped }: { readonly skipped: readonly SkippedCell[] }) => (
  <Part
    title={`Пропустится: ${formatNumber(skipped.length)}`}
    rows={skipped}
    columns={[
      { id: 'where', header: 'Где', cell: ({ where }) => where },
      {
        id: 'text',
        header: 'Вставляли',
        cell: pastedText,
      },
      { id: 'reason', header: 'Почему', cell: ({ reason }) => reason },
    ]}
  />
);

const missing: Readonly<Record<NamedField, string>> = {
  buyerId: 'Байер строк, где он не указан',
  category: 'Тематика строк, где она не указана',
  creativeId: 'Креатив',
};

/** One choice for each name that nobody and nothing has. */
const UnknownNames = ({
  unknown,
  choices,
  resolved,
  onResolve,
}: {
  readonly unknown: PastePlan['unknown'];
  readonly choices: PasteDeps['choices'];
  readonly resolved: Resolved;
  readonly onResolve: (key: string, id: string | null) => void;
}) => {
  if (unknown.length === 0) return null;
  const options = { buyerId: choices.buyers, creativeId: choices.creatives, category: choices.topics };
  return (
    <section className="z-paste-part">
      <h3>Неизвестные названия: выберите или пропустите</h3>
      <div className="z-paste-names">
        {unknown.slice(0, mostShown).map((name) => {
          const key = nameKey(name);
          const label =
            name.text === '' ? missing[name.field] : `${placementFields[name.field].label} «${name.text.slice(0, 60)}»`;
          return (
            <SelectField
              key={key}
              label={`${label} (${cellsText(name.cells)})`}
              value={resolved.get(key) ?? ''}
              options={[
                ['', 'Пропустить'],
                ...options[name.field].map(({ value, label: text }): SelectOption => [value, text]),
              ]}
              onChange={(value) => onResolve(key, value === '' ? null : value)}
            />
          );
        })}
      </div>
    </section>
  );
};

const modes = [
  ['new', 'новыми размещениями'],
  ['over', 'поверх строк таблицы, начиная с выбранной'],
] as const satisfies readonly (readonly [PasteMode, string])[];

const ModeChoice = ({ mode, onChange }: { readonly mode: PasteMode; readonly onChange: (mode: PasteMode) => void }) => {
  const name = useId();
  return (
    <fieldset className="z-payment-choice" aria-labelledby={name}>
      <legend id={name}>Вставить</legend>
      {modes.map(([value, text]) => (
        <label key={value}>
          <input type="radio" name={name} checked={mode === value} onChange={() => onChange(value)} />
          {text}
        </label>
      ))}
    </fieldset>
  );
};

/** The keyboard begins at the button where there is nothing to choose. */
const focusLast = (button: HTMLButtonElement | null): void => {
  if (button?.form?.querySelector('input, select') === null) button.focus({ preventScroll: true });
};

/** What a paste would do, before it is done: what is made, what changes, what is left out and why, with the choices that are a person's. */
export const PasteDialog = ({ pending, onClose }: { readonly pending: PendingPaste; readonly onClose: () => void }) => {
  const { block, target, campaignId, deps } = pending;
  const outbox = useOutbox();
  const form = useId();
  const [mode, setMode] = useState<PasteMode | null>(null);
  const [resolved, setResolved] = useState<Resolved>(new Map());
  const plan = useMemo(() => planPaste(block, target, { mode, resolved }, deps), [block, target, mode, resolved, deps]);
  const { changed, additions, skipped } = plan;
  const count = useMemo(() => pasteDrafts(plan, campaignId, deps.names).length, [plan, campaignId, deps.names]);
  const isTooMuch = count > maxBatchSize;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (count === 0 || isTooMuch) return;
    carryOut(plan, pending, outbox);
    onClose();
  };
  return (
    <Dialog
      title={`Вставка: ${cellsText(plan.cells)}`}
      width={860}
      onClose={onClose}
      closeOnOutsideClick={false}
      footer={
        <>
          <Button onClick={onClose}>Отмена</Button>
          <Button ref={focusLast} look="primary" type="submit" form={form} disabled={count === 0 || isTooMuch}>
            Вставить
          </Button>
        </>
      }
    >
      <form id={form} className="z-paste" onSubmit={submit}>
        {plan.hasChoice && <ModeChoice mode={plan.mode} onChange={setMode} />}
        {plan.hasHeading && <p className="z-quiet">Первая строка – названия столбцов: поля взяты по ним.</p>}
        {plan.onLaterPages > 0 && (
          <p className="z-mid">Строк на следующих страницах: {formatNumber(plan.onLaterPages)}. Они изменятся тоже.</p>
        )}
        {isTooMuch && (
          <p role="alert" className="z-form-alert">
            {tooManyText(count)}
          </p>
        )}
        {count === 0 && (
          <p className="z-mid">{skipped.length > 0 ? 'Вставить нечего.' : 'Здесь уже так: ничего не изменится.'}</p>
        )}
        <UnknownNames
          unknown={plan.unknown}
          choices={deps.choices}
          resolved={resolved}
          onResolve={(key, id) => setResolved(new Map([...resolved, [key, id]]))}
        />
        <Additions additions={additions} deps={deps} />
        <Changes changed={changed} />
        <Skipped skipped={skipped} />
      </form>
    </Dialog>
  );
};
