import type { PersonWire } from '@zakup/contracts/wire-entities';
import { roleLabels } from '@zakup/domain/topics';
import type { DataColumn } from '../../shared/table/data-table.tsx';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { AccessCode } from './access-code.tsx';
import { ActivityCell } from './activity-cell.tsx';
import { termsText } from './employee-form.ts';
import type { usePeopleActivity } from './use-people-activity.ts';

interface ColumnsOfPeople {
  readonly activity: ReturnType<typeof usePeopleActivity>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The role stands under the name, and the rest in the card. */
  readonly narrow: boolean;
  readonly openId: string | null;
  readonly onToggle: (id: string) => void;
}

export const peopleColumns = ({
  activity,
  now,
  narrow,
  openId,
  onToggle,
}: ColumnsOfPeople): readonly DataColumn<PersonWire>[] => [
  {
    id: 'name',
    header: 'Имя',
    order: { direction: 'ascending' },
    isName: true,
    cell: ({ id, name, role }) => (
      <span className="z-settings-who">
        <Avatar name={name} id={id} />
        <span className="z-employee-name">
          <button type="button" className="z-row-link" aria-expanded={id === openId} onClick={() => onToggle(id)}>
            {name}
          </button>
          {narrow && <small className="z-secondary">{roleLabels[role]}</small>}
        </span>
      </span>
    ),
  },
  { id: 'role', header: 'Роль', isWideOnly: true, cell: ({ role }) => roleLabels[role] },
  {
    id: 'email',
    header: 'Почта',
    isWideOnly: true,
    cellClass: 'z-settings-mail',
    cell: ({ email }) => (email === '' ? '—' : email),
  },
  {
    id: 'code',
    header: 'Код доступа',
    isWideOnly: true,
    cell: ({ isActive, authCode, name }) => (isActive ? <AccessCode code={authCode} of={name} /> : '—'),
  },
  { id: 'terms', header: 'Условия', isWideOnly: true, cell: termsText },
  {
    id: 'activity',
    header: 'Активность',
    cell: ({ id, isActive }) => (
      <ActivityCell
        isActive={isActive}
        activity={activity.of(id)}
        failed={activity.failed}
        now={now}
        hint={!narrow}
        onOpen={() => onToggle(id)}
      />
    ),
  },
];
