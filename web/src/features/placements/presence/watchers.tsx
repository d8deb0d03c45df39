import { placementFields } from '@zakup/contracts/placement-fields';
import type { CSSProperties } from 'react';
import type { CellColleague } from '../../../shared/table/grid-column.ts';
import type { PresentPerson } from '../../../shared/live/presence.ts';
import { Avatar, colourOf, initialsOf } from '../../../shared/ui/avatar.tsx';
import { SlotFill } from '../../../shared/ui/slots.tsx';
import { fieldOfColumn } from '../columns/field-columns.ts';

const mostShown = 3;

/** Who else looks at this campaign, in the top bar. */
export const Watchers = ({ people }: { readonly people: readonly PresentPerson[] }) => {
  const persons = [...new Map(people.map((one) => [one.userId, one])).values()];
  if (persons.length === 0) return null;
  const names = persons.map(({ name }) => name).join(', ');
  return (
    <SlotFill name="topbar">
      <span className="z-watchers" title={names}>
        <span className="z-watchers-faces">
          {persons.slice(0, mostShown).map(({ userId, name }) => (
            <Avatar key={userId} name={name} id={userId} size={20} />
          ))}
        </span>
        <span className="z-secondary">
          смотрят: {persons.length}
          <span className="z-visually-hidden">: {names}</span>
        </span>
      </span>
    </SlotFill>
  );
};

const accusativeOf = (columnId: string): string | undefined => {
  const field = fieldOfColumn.get(columnId);
  return field && placementFields[field].accusative;
};

/** Who edits a card, or looks at it, and what of it. */
export const StandingMark = ({ colleagues = [] }: { readonly colleagues?: readonly CellColleague[] | undefined }) => {
  const first = colleagues.find((one) => one.mode === 'editing') ?? colleagues[0];
  if (!first) return null;
  return (
    <span
      className="z-standing"
      title={first.name}
      style={{ '--person': `var(--p${colourOf(first.userId)})` } as CSSProperties}
    >
      <span aria-hidden="true">{initialsOf(first.name)}</span>
      <span className="z-visually-hidden">{first.name}</span> {first.mode === 'editing' ? 'правит' : 'смотрит'}{' '}
      {accusativeOf(first.columnId)}
    </span>
  );
};
