import { useState } from 'react';
import type { Conflict } from '@zakup/contracts/problems';
import { showInstant } from '../../../shared/day/shown-day.ts';
import { relativeTime } from '../../../shared/day/relative-time.ts';
import { type Gender, genderOf } from '@zakup/domain/said-gender';
import { type Entry, givenBy, isHeld } from '../../../shared/outbox/entry.ts';
import type { Outbox } from '../../../shared/outbox/outbox.ts';
import { Avatar } from '../../../shared/ui/avatar.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import type { CellMark } from '../../../shared/table/grid-column.ts';
import { fieldOfColumn } from './field-columns.ts';
import { fieldName, fieldText, isEmptyField } from '../rows/placement-commands.ts';
import type { Names, PlacementRow } from '../rows/placement-row.ts';
import { isAwaited } from '../../../shared/predictions/predicted-totals.ts';

const second = 1000;
const minute = 60 * second;

/** `только что`, `2 с назад`, `5 мин назад`, `3 ч назад`, and from a day on the moment itself. */
export const agoText = (at: string, now: number): string => {
  const passed = now - Date.parse(at);
  return passed >= second && passed < minute ? `${Math.floor(passed / second)} с назад` : relativeTime(at, now);
};

type Choosing = Pick<Outbox, 'keepMine' | 'takeTheirs' | 'dismiss' | 'tryAgain' | 'flush'>;

/** The verb of what somebody did to a field; none where the name does not tell how it agrees. */
const verbOf = (gender: Gender, isEmpty: boolean): string | null => {
  switch (gender) {
    case 'feminine':
      return isEmpty ? 'очистила поле' : 'поставила';
    case 'masculine':
      return isEmpty ? 'очистил поле' : 'поставил';
    case null:
      return null;
  }
};

/** Fields whose value goes on in the sentence; others are quoted after a colon. */
const inSentence: ReadonlySet<string> = new Set(['price', 'leads', 'date']);

/** «Анна поставила 5 200 ₽ 2 с назад»; where the name does not tell the verb, «Саша, 2 с назад: 5 200 ₽». */
const TheirsTold = ({
  conflict: { field, theirs, by, at },
  names,
  now,
}: {
  readonly conflict: Conflict;
  readonly names: Names;
  readonly now: number;
}) => {
  const who = by.name === '' ? 'Другой сотрудник' : by.name;
  const isEmpty = isEmptyField(theirs);
  const verb = field === 'deleted' ? null : verbOf(by.name === '' ? 'masculine' : genderOf(by.name), isEmpty);
  const value = <b>{fieldText(field, theirs, names)}</b>;
  const ago = agoText(at, now);
  const when = (
    <time className="z-quiet" dateTime={at} title={showInstant(at)}>
      {ago}
    </time>
  );
  if (verb === null)
    return (
      <span>
        <b>{who}</b>, {when}: {value}
      </span>
    );
  // Beside a day or a quoted value the moment would be read as a part of it.
  const isApart = ago === showInstant(at) || field === 'date' || !inSentence.has(field);
  return (
    <span>
      <b>{who}</b> {verb}
      {!isEmpty && (
        <>
          {inSentence.has(field) ? ' ' : ': '}
          {value}
        </>
      )}{' '}
      {isApart ? <>({when})</> : when}
    </span>
  );
};

/** Who set what and when, over which value, against one's own, and two equal buttons. */
export const ConflictNote = ({
  entryId,
  conflict,
  others = [],
  names,
  outbox,
}: {
  readonly entryId: string;
  readonly conflict: Conflict;
  /** Fields of the same change that wait for the same choice. */
  readonly others?: readonly string[];
  readonly names: Names;
  readonly outbox: Choosing;
}) => {
  const [shownAt] = useState(() => Date.now());
  const { field, base, mine, by } = conflict;
  return (
    <>
      <Avatar name={by.name === '' ? 'Другой сотрудник' : by.name} id={by.userId} size={20} />
      <span className="z-conflict-note">
        <TheirsTold conflict={conflict} names={names} now={shownAt} />
        <span className="z-second">
          У вас <b>{fieldText(field, mine, names)}</b>
          {!isEmptyField(base) && <>, раньше было {fieldText(field, base, names)}</>}
        </span>
        {others.length > 0 && (
          <span className="z-second">Выбор сразу и для других полей: {others.map(fieldName).join(', ')}</span>
        )}
      </span>
      <Button small onClick={() => outbox.keepMine(entryId)}>
        Оставить моё
      </Button>
      <Button small onClick={() => outbox.takeTheirs(entryId)}>
        Взять новое
      </Button>
    </>
  );
};

/** The value that could not be sent: it goes by itself, and at once when asked. */
const UnsavedNote = ({ entry, outbox }: { readonly entry: Entry; readonly outbox: Choosing }) => (
  <>
    <span>
      <b>Не сохранено:</b> {entry.label}. Отправим сами
    </span>
    <Button small onClick={() => outbox.flush()}>
      Повторить
    </Button>
  </>
);

/** The refused value, why, and what can be done. */
const RejectedNote = ({
  entry,
  reason,
  outbox,
}: {
  readonly entry: Entry;
  readonly reason: string;
  readonly outbox: Choosing;
}) => (
  <>
    <span>
      <b className="z-bad">Отклонено:</b> {entry.label}. {reason}
    </span>
    <Button small onClick={() => outbox.tryAgain(entry.id)}>
      Повторить
    </Button>
    <Button small onClick={() => outbox.dismiss(entry.id)}>
      Убрать
    </Button>
  </>
);

/** Names under which a column's value travels: its field, the nick of a contractor, and that a row is gone. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries([...fieldOfColumn].map(([column, field]) => [column, [field]])),
  contractor: ['contractor', 'contractorId'],
  delete: ['deleted'],
};

/** The column that shows a field of the wire; null = none does. */
export const columnOfField = (field: string): string | null =>
  Object.entries(fieldsOf).find(([, fields]) => fields.includes(field))?.[0] ?? null;

/** The latest of what is on its way for the field of a column; null = nothing is. */
export const entryAt = (row: PlacementRow, columnId: string): Entry | null => {
  const fields = fieldsOf[columnId];
  if (!fields || row.entries.length === 0) return null;
  if (row.kind === 'new' && columnId === 'contractor') return row.entries[0] ?? null;
  return row.entries.findLast((one) => one.creates !== true && fields.some((field) => field in givenBy(one))) ?? null;
};

const onItsWay = (row: PlacementRow, entry: Entry): CellMark | null =>
  row.idle.has(entry.id) ? null : { kind: 'pending', note: null };

/** Whether the row's cost per lead does not follow what its cells show, as nothing here could decide that. */
export const isCplOpen = (row: PlacementRow): boolean =>
  isAwaited(row) && ('price' in row.typed || 'leads' in row.typed);

/** What is to be said about one cell, of what is on its way for it. */
export const markOf = (row: PlacementRow, columnId: string, names: Names, outbox: Choosing): CellMark | null => {
  if (columnId === 'cpl' && isCplOpen(row)) return { kind: 'pending', note: null };
  const entry = entryAt(row, columnId);
  if (entry === null) return null;
  const fields = fieldsOf[columnId] ?? [];
  const { state } = entry;
  switch (state.kind) {
    case 'pending':
      return isHeld(entry)
        ? { kind: 'unsaved', note: <UnsavedNote entry={entry} outbox={outbox} /> }
        : onItsWay(row, entry);
    case 'acknowledged':
      return onItsWay(row, entry);
    case 'rejected':
      return { kind: 'rejected', note: <RejectedNote entry={entry} reason={state.reason} outbox={outbox} /> };
    case 'conflict': {
      // A removal conflicts with whatever was changed meanwhile.
      const conflict =
        state.conflicts.find((one) => fields.includes(one.field)) ??
        (columnId === 'delete' ? state.conflicts[0] : undefined);
      return conflict
        ? {
            kind: 'conflict',
            note: (
              <ConflictNote
                entryId={entry.id}
                conflict={conflict}
                others={state.conflicts.map(({ field }) => field).filter((field) => field !== conflict.field)}
                names={names}
                outbox={outbox}
              />
            ),
          }
        : { kind: 'pending', note: null };
    }
  }
};
