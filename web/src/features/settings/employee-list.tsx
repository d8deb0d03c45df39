import { Plus } from '@blueprintjs/icons';
import type { PersonWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import { roleLabels } from '@zakup/domain/topics';
import { useState } from 'react';
import { useRights } from '../../shared/session/use-rights.ts';
import { DataTable } from '../../shared/table/data-table.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { ListBar, NothingFound, SearchField, Switch } from '../../shared/ui/list-bar.tsx';
import { matches } from '../../shared/ui/matching.ts';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { ActivityFailed } from './activity-cell.tsx';
import { byName } from './channels-tab.tsx';
import { peopleColumns } from './people-columns.tsx';
import type { usePeopleActivity } from './use-people-activity.ts';

type Shown = 'all' | 'disabled';

/** The people by name, with what narrows them and the way to one more. */
export const EmployeeList = ({
  people,
  activity,
  now,
  openId,
  onToggle,
  onAdd,
}: {
  readonly people: readonly PersonWire[];
  readonly activity: ReturnType<typeof usePeopleActivity>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whose card is open. */
  readonly openId: string | null;
  readonly onToggle: (id: string) => void;
  readonly onAdd: () => void;
}) => {
  const { can } = useRights();
  const narrow = useNarrow();
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const disabled = people.filter(({ isActive }) => !isActive).length;
  const rows = people
    .filter(
      (person) =>
        (shown === 'all' || !person.isActive) &&
        [person.name, person.email, roleLabels[person.role]].some((text) => matches(text, search)),
    )
    .sort(byName);
  const reset = (): void => {
    setSearch('');
    setShown('all');
  };
  return (
    <>
      <ListBar>
        <SearchField label="Поиск сотрудников" placeholder="Имя, почта, роль" value={search} onChange={setSearch} />
        <Switch
          label="Кого показать"
          value={shown}
          options={[
            ['all', `Все ${formatNumber(people.length)}`],
            ['disabled', `Отключённые ${formatNumber(disabled)}`],
          ]}
          onChange={setShown}
        />
        {can('employee.create', 'some') && (
          <Button look="primary" icon={<Plus size={14} />} onClick={onAdd}>
            Добавить сотрудника
          </Button>
        )}
      </ListBar>
      {activity.failed && <ActivityFailed onRetry={activity.retry} />}
      {rows.length === 0 ? (
        <NothingFound onReset={reset} />
      ) : (
        <div className={`z-panel z-panel-flush z-table-scroll ${narrow ? '' : 'z-employee-list'}`}>
          <DataTable
            className="z-table z-employee-table"
            columns={peopleColumns({ activity, now, narrow, openId, onToggle })}
            rows={rows}
            rowId={({ id }) => id}
            rowClass={({ id }) => (id === openId ? 'z-row-open z-row-chosen' : 'z-row-open')}
            narrow={narrow}
          />
        </div>
      )}
    </>
  );
};
