import { Cross, Plus, Search } from '@blueprintjs/icons';
import type { PersonWire } from '@zakup/contracts/entities';
import { roleLabels } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { matches } from '../../shared/table/matching.ts';
import { Avatar } from '../../shared/ui/avatar.tsx';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { SlotFill } from '../../shared/ui/slots.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { AccessCode } from './access-code.tsx';
import { byName } from './channels-tab.tsx';
import { type CreatedEmployee, EmployeeDialog } from './employee-dialog.tsx';
import { termsText } from './employee-form.ts';
import { EmployeePanel } from './employee-panel.tsx';
import { type IssuedSecret, SecretBanner } from './secret-banner.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { useWide } from './use-wide.ts';

const temporaryPasswordMs = 72 * 60 * 60 * 1000;
const clock = (): number => Date.now();

type Shown = 'all' | 'disabled';

/** The people of the licence, one of them open beside the list. */
export const EmployeesTab = ({ now = clock }: { readonly now?: () => number }) => {
  const { can } = useRights();
  const wide = useWide();
  const people = useDocs('person');
  const [search, setSearch] = useState('');
  const [shown, setShown] = useState<Shown>('all');
  const [openId, setOpenId] = useState<string | null>(null);
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState<IssuedSecret | null>(null);
  const open = people.find(({ id }) => id === openId) ?? null;
  const disabled = people.filter(({ isActive }) => !isActive).length;
  const rows = people
    .filter(
      (person) =>
        (shown === 'all' || !person.isActive) &&
        [person.name, person.email, roleLabels[person.role]].some((text) => matches(text, search)),
    )
    .sort(byName);
  const close = (): void => setOpenId(null);

  const created = ({ user, authCode, temporaryPassword }: CreatedEmployee): void => {
    setAdding(false);
    toasts.success('Сотрудник добавлен');
    setSecret({
      name: user.name,
      authCode,
      temporaryPassword: temporaryPassword ?? null,
      validUntil: new Date(now() + temporaryPasswordMs).toISOString(),
    });
  };
  const panel = (aside: ReactNode): ReactNode =>
    open && <EmployeePanel key={open.id} person={open} aside={aside} now={now} onIssued={setSecret} />;

  return (
    <div className="z-employees">
      <div className="z-settings-body">
        <div className="z-settings-bar">
          <label className="z-settings-search">
            <Search size={14} />
            <input
              className="z-input"
              type="search"
              aria-label="Поиск сотрудников"
              placeholder="Имя, почта, роль"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </label>
          <fieldset className="z-switch" aria-label="Кого показать">
            <button type="button" aria-pressed={shown === 'all'} onClick={() => setShown('all')}>
              Все {people.length}
            </button>
            <button type="button" aria-pressed={shown === 'disabled'} onClick={() => setShown('disabled')}>
              Отключённые {disabled}
            </button>
          </fieldset>
          {can('employee.create', 'some') && (
            <Button look="primary" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
              Добавить сотрудника
            </Button>
          )}
        </div>
        {rows.length === 0 ? (
          <EmptyState
            title="Ничего не найдено"
            actions={
              <Button
                onClick={() => {
                  setSearch('');
                  setShown('all');
                }}
              >
                Сбросить фильтры
              </Button>
            }
          />
        ) : (
          <div className="z-panel z-panel-flush z-table-scroll">
            <table className="z-table z-employee-table">
              <thead>
                <tr>
                  <th scope="col" aria-sort="ascending">
                    Имя <span aria-hidden="true">▲</span>
                  </th>
                  <th scope="col">Роль</th>
                  <th scope="col">Почта</th>
                  <th scope="col">Код доступа</th>
                  <th scope="col">Условия</th>
                  <th scope="col">Статус</th>
                </tr>
              </thead>
              <tbody>
                {rows.map((person) => (
                  <Row
                    key={person.id}
                    person={person}
                    chosen={person.id === openId}
                    onOpen={() => setOpenId(person.id === openId ? null : person.id)}
                  />
                ))}
              </tbody>
            </table>
          </div>
        )}
        {secret !== null && <SecretBanner secret={secret} onClose={() => setSecret(null)} />}
      </div>
      {open !== null && wide && (
        <aside className="z-employee-side" aria-label={`Сотрудник: ${open.name}`}>
          {panel(<Button look="plain" icon={<Cross size={16} />} aria-label="Закрыть карточку" onClick={close} />)}
        </aside>
      )}
      {open !== null && !wide && (
        <Dialog title="Сотрудник" onClose={close}>
          {panel(null)}
          {secret !== null && <SecretBanner secret={secret} onClose={() => setSecret(null)} />}
        </Dialog>
      )}
      {adding && <EmployeeDialog onClose={() => setAdding(false)} onCreated={created} />}
      <SlotFill name="status-left">
        <span>
          Людей <b>{people.length}</b>, активных <b>{people.length - disabled}</b>
        </span>
      </SlotFill>
    </div>
  );
};

const Row = ({
  person,
  chosen,
  onOpen,
}: {
  readonly person: PersonWire;
  readonly chosen: boolean;
  readonly onOpen: () => void;
}) => (
  <tr className={chosen ? 'z-row-open z-row-chosen' : 'z-row-open'}>
    <th scope="row">
      <span className="z-employee-who">
        <Avatar name={person.name} id={person.id} />
        <button type="button" className="z-row-link" aria-expanded={chosen} onClick={onOpen}>
          {person.name}
        </button>
      </span>
    </th>
    <td>{roleLabels[person.role]}</td>
    <td>{person.email === '' ? '—' : person.email}</td>
    <td>{person.isActive ? <AccessCode code={person.authCode} of={person.name} /> : '—'}</td>
    <td>{termsText(person)}</td>
    <td>
      {person.isActive ? (
        <Chip tone="good" dot>
          активен
        </Chip>
      ) : (
        <Chip>отключён</Chip>
      )}
    </td>
  </tr>
);
