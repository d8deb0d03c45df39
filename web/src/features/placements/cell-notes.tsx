import { useState } from 'react';
import type { Conflict } from '@zakup/contracts/problems';
import type { Entry } from '../../shared/outbox/entry.ts';
import type { Outbox } from '../../shared/outbox/outbox.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import type { CellMark } from '../../shared/table/grid-column.ts';
import { fieldText } from './placement-commands.ts';
import type { Names, PlacementRow } from './placement-rows.ts';

const second = 1000;
const minute = 60 * second;

/** `только что`, `2 с назад`, `5 мин назад`, `3 ч назад`. */
export const agoText = (at: string, now: number): string => {
  const passed = Math.max(0, now - Date.parse(at));
  if (passed < second) return 'только что';
  if (passed < minute) return `${Math.floor(passed / second)} с назад`;
  if (passed < 60 * minute) return `${Math.floor(passed / minute)} мин назад`;
  return `${Math.floor(passed / (60 * minute))} ч назад`;
};

type Choosing = Pick<Outbox, 'keepMine' | 'takeTheirs' | 'dismiss' | 'tryAgain'>;

/** Both values and two equal buttons. */
export const ConflictNote = ({
  entryId,
  conflict,
  names,
  outbox,
}: {
  readonly entryId: string;
  readonly conflict: Conflict;
  readonly names: Names;
  readonly outbox: Choosing;
}) => {
  const [shownAt] = useState(() => Date.now());
  return (
    <>
      <Avatar name={conflict.by.name} id={conflict.by.userId} size={20} />
      <span>
        <b>{conflict.by.name}</b>: <b>{fieldText(conflict.field, conflict.theirs, names)}</b>{' '}
        <span className="z-quiet">{agoText(conflict.at, shownAt)}</span>
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

/** The refused value, why, and what can be done. */
export const RejectedNote = ({
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

/** Fields of the wire that a column shows. */
const fieldsOf: Readonly<Record<string, readonly string[]>> = {
  date: ['date'],
  contractor: ['contractor', 'contractorId'],
  price: ['price'],
  leads: ['leads'],
  creative: ['creativeId'],
  topic: ['category'],
  format: ['format'],
  buyer: ['buyerId'],
  payment: ['paymentStatus'],
  status: ['status'],
  delete: ['deleted'],
};

/** What is to be said about one cell: the latest of what is on its way for its field. */
export const markOf = (row: PlacementRow, columnId: string, names: Names, outbox: Choosing): CellMark | null => {
  const fields = fieldsOf[columnId];
  if (!fields || row.entries.length === 0) return null;
  if (row.kind === 'new' && columnId !== 'contractor') return null;
  const entry = row.entries.findLast((one) => row.kind === 'new' || fields.some((field) => field in one.body));
  if (!entry) return null;
  const { state } = entry;
  switch (state.kind) {
    case 'pending':
    case 'acknowledged':
      return { kind: 'pending', note: null };
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
            note: <ConflictNote entryId={entry.id} conflict={conflict} names={names} outbox={outbox} />,
          }
        : { kind: 'pending', note: null };
    }
  }
};
