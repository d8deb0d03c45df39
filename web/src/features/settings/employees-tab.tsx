import { formatNumber } from '@zakup/domain/russian';
import { Plus } from '@blueprintjs/icons';
import type { PersonWire } from '@zakup/contracts/wire-entities';
import { roleLabels } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { matches } from '../../shared/ui/matching.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { Dialog, useDiscardQuestion } from '../../shared/ui/dialog.tsx';
import { useMovingPart } from '../../shared/ui/moving-part.tsx';
import { SlotFill } from '../../shared/ui/slots.tsx';

import { AccessCode } from './access-code.tsx';
import { ActivityCell, ActivityFailed } from './activity-cell.tsx';
import { byName } from './channels-tab.tsx';
import { type CreatedEmployee, EmployeeDialog } from './employee-dialog.tsx';
import { termsText } from './employee-form.ts';
import { EmployeePanel } from './employee-panel.tsx';
import { type IssuedSecret, useIssuedSecrets } from './issued-secrets.ts';
import { SecretBanner } from './secret-banner.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { ListBar, NothingFound, SearchField, Switch } from '../../shared/ui/list-bar.tsx';
import { type DataColumn, DataTable } from '../../shared/table/data-table.tsx';
import { useMedia, useNarrow } from '../../shared/ui/use-media.ts';
import { useNow } from '../../shared/ui/use-now.ts';
import { usePeopleActivity } from './use-people-activity.ts';

const temporaryPasswordMs = 72 * 60 * 60 * 1000;
const clock = (): number => Date.now();

type Shown = 'all' | 'disabled';

interface ColumnsOfPeople {
  readonly activity: ReturnType<typeof usePeopleActivity>;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The role stands under the name, and the rest in the card. */
  readonly narrow: boolean;
  readonly openId: string | null;
  readonly onToggle: (id: string) => void;
}

const peopleColumns = ({
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

/** The people of the licence, one of them open beside the list. */
export const EmployeesTab = ({ now = clock }: { readonly now?: () => number }) => {
  const { can } = useRights();
  /** Whether there is room for a card beside a table. */
  const wide = useMedia('(width >= 1100px)');
  const narrow = useNarrow();
  const people = useDocs('person');
  const activity = usePeopleActivity(people);
  const moment = useNow(undefined, now);
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const [openId, setOpenId] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const { secrets, add: issued, putAway } = useIssuedSecrets();
  const open = people.find(({ id }) => id === openId) ?? null;
  const disabled = people.filter(({ isActive }) => !isActive).length;
  const rows = people
    .filter(
      (person) =>
        (shown === 'all' || !person.isActive) &&
        [person.name, person.email, roleLabels[person.role]].some((text) => matches(text, search)),
    )
    .sort(byName);
  const [dirty, setDirty] = useState(false);
  const { leave, question } = useDiscardQuestion(dirty);
  const close = (): void => setOpenId(null);
  // An address with `person` opens their card, each time that somebody comes by it.
  const [params] = useSearchParams();
  const asked = params.get('person');
  const { key: visit } = useLocation();
  const [visited, setVisited] = useState<string | null>(null);
  if (visit !== visited) {
    setVisited(visit);
    if (asked !== null && asked !== openId) leave(() => setOpenId(asked));
  }

  const banners = (of: readonly IssuedSecret[]): ReactNode =>
    of.map((secret) => <SecretBanner key={secret.userId} secret={secret} onClose={() => putAway(secret.userId)} />);

  const created = ({ user, authCode, temporaryPassword }: CreatedEmployee): void => {
    setAdding(false);
    issued({
      userId: user.id,
      name: user.name,
      authCode,
      temporaryPassword: temporaryPassword ?? null,
      validUntil: new Date(now() + temporaryPasswordMs).toISOString(),
    });
  };
  const panel = useMovingPart(
    open && (
      <EmployeePanel
        key={open.id}
        person={open}
        signedInAt={activity.of(open.id)?.signedInAt ?? null}
        beside={wide}
        onClose={() => leave(close)}
        now={now}
        onIssued={issued}
        onDirtyChange={setDirty}
      />
    ),
  );

  return (
    <div className="z-employees">
      <div className="z-settings-body">
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
            <Button look="primary" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
              Добавить сотрудника
            </Button>
          )}
        </ListBar>
        {activity.failed && <ActivityFailed onRetry={activity.retry} />}
        {rows.length === 0 ? (
          <NothingFound
            onReset={() => {
              setSearch('');
              setShown('all');
            }}
          />
        ) : (
          <div className={`z-panel z-panel-flush z-table-scroll ${narrow ? '' : 'z-employee-list'}`}>
            <DataTable
              className="z-table z-employee-table"
              columns={peopleColumns({
                activity,
                now: moment,
                narrow,
                openId,
                onToggle: (id) => leave(() => setOpenId(id === openId ? null : id)),
              })}
              rows={rows}
              rowId={({ id }) => id}
              rowClass={({ id }) => (id === openId ? 'z-row-open z-row-chosen' : 'z-row-open')}
              narrow={narrow}
            />
          </div>
        )}
        {banners(secrets)}
      </div>
      {open !== null && wide && (
        <aside className="z-employee-side" aria-label={`Сотрудник: ${open.name}`}>
          {panel.place}
        </aside>
      )}
      {open !== null && !wide && (
        <Dialog title="Сотрудник" dirty={dirty} closeOnOutsideClick={!dirty} onClose={close}>
          {panel.place}
          {banners(secrets.filter(({ userId }) => userId === open.id))}
        </Dialog>
      )}
      {panel.part}
      {question}
      {adding && <EmployeeDialog onClose={() => setAdding(false)} onCreated={created} />}
      <SlotFill name="status-left">
        <span>
          Людей <b>{formatNumber(people.length)}</b>, с доступом <b>{formatNumber(people.length - disabled)}</b>
        </span>
      </SlotFill>
    </div>
  );
};
