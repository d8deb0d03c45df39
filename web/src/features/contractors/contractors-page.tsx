import { Plus, Search, WarningSign } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/entities';
import { showDateWithYear } from '@zakup/domain/calendar';
import { formatRoubles } from '@zakup/domain/money';
import { formatNumber } from '@zakup/domain/russian';
import { showTopic } from '@zakup/domain/topics';
import { type ReactNode, useState } from 'react';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import { useScope } from '../../shared/live/live-context.tsx';
import { useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { matches } from '../../shared/table/matching.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { PageHeader } from '../../shared/ui/page.tsx';
import { EmptyState, Skeleton } from '../../shared/ui/states.tsx';
import { AddContractorDialog } from './add-contractor-dialog.tsx';
import { contractorWarnings } from './contractor-check.ts';
import { channelNameOf, kopecksOf } from './contractor-figures.ts';
import { CplValue } from './cpl-value.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import './contractors.css';

type SortKey = 'name' | 'placements' | 'spent' | 'leads' | 'cpl' | 'last';

const compareCpl = (a: ContractorWire, b: ContractorWire): number => {
  // Without leads there is no cost of one: last, whatever the order.
  if (a.totalLeads === 0 || b.totalLeads === 0) return Number(a.totalLeads === 0) - Number(b.totalLeads === 0);
  return a.averageCostPerLead - b.averageCostPerLead;
};

const columns: readonly {
  readonly key: SortKey;
  readonly title: string;
  readonly right: boolean;
  readonly compare: (a: ContractorWire, b: ContractorWire) => number;
}[] = [
  { key: 'name', title: 'Контрагент', right: false, compare: (a, b) => a.adminUsername.localeCompare(b.adminUsername) },
  { key: 'placements', title: 'Размещения', right: true, compare: (a, b) => a.totalPlacements - b.totalPlacements },
  { key: 'spent', title: 'Потрачено', right: true, compare: (a, b) => a.totalSpent - b.totalSpent },
  { key: 'leads', title: 'Приход', right: true, compare: (a, b) => a.totalLeads - b.totalLeads },
  { key: 'cpl', title: 'Средний CPL', right: true, compare: compareCpl },
  {
    key: 'last',
    title: 'Последнее',
    right: true,
    compare: (a, b) => (a.lastUsed ?? '').localeCompare(b.lastUsed ?? ''),
  },
];

const pageSize = 200;

/** The contractors of the team with their totals; a row opens the dialog. */
export const ContractorsPage = () => {
  const { can } = useRights();
  const openContractor = useOpenContractor();
  const status = useScope('workspace');
  const drawn = useDrawn('workspace');
  const all = useDocs('contractor');
  const [search, setSearch] = useState('');
  const [topic, setTopic] = useState('');
  const [inactive, setInactive] = useState(false);
  const [sorting, setSorting] = useState<{ readonly key: SortKey; readonly down: boolean }>({
    key: 'spent',
    down: true,
  });
  const [shown, setShown] = useState(pageSize);
  const [adding, setAdding] = useState(false);

  const listed = all.filter(({ isActive }) => isActive || inactive);
  const topics = [...new Set(listed.map(({ category }) => showTopic(category)))].sort((a, b) =>
    a.localeCompare(b, 'ru'),
  );
  const compare = columns.find(({ key }) => key === sorting.key)?.compare ?? compareCpl;
  const rows = listed
    .filter(
      (contractor) =>
        (topic === '' || showTopic(contractor.category) === topic) &&
        [contractor.adminUsername, channelNameOf(contractor)].some((text) => matches(text, search)),
    )
    .sort((a, b) => (sorting.down ? compare(b, a) : compare(a, b)) || a.adminUsername.localeCompare(b.adminUsername));
  const doubtful = listed.filter((contractor) => contractorWarnings(contractor).length > 0).length;
  const hasInactive = all.some(({ isActive }) => !isActive);

  const add = can('contractor.create') && (
    <Button look="primary" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
      Добавить контрагента
    </Button>
  );

  const list = (): ReactNode => {
    if (status.kind === 'refused') return <EmptyState title={status.problem.error} />;
    if (!drawn) return <Skeleton rows={8} height={38} />;
    if (all.length === 0)
      return (
        <EmptyState title="Контрагентов ещё нет" actions={add}>
          Они появляются сами, когда вы добавляете размещение с новым ником.
        </EmptyState>
      );
    if (rows.length === 0)
      return (
        <EmptyState
          title="Ничего не найдено"
          actions={
            <Button
              onClick={() => {
                setSearch('');
                setTopic('');
              }}
            >
              Сбросить фильтры
            </Button>
          }
        />
      );
    return (
      <div className="z-panel z-panel-flush z-table-scroll">
        <table className="z-table z-contractors-table" aria-label="Контрагенты">
          <thead>
            <tr>
              {columns.map(({ key, title, right }) => {
                const sorted = sorting.key === key;
                const sortable = (
                  <th
                    key={key}
                    scope="col"
                    className={right ? 'z-right' : undefined}
                    aria-sort={sorted ? (sorting.down ? 'descending' : 'ascending') : undefined}
                  >
                    <button
                      type="button"
                      onClick={() => setSorting({ key, down: sorted ? !sorting.down : key !== 'name' })}
                    >
                      {title}
                      {sorted && <span aria-hidden="true"> {sorting.down ? '▼' : '▲'}</span>}
                    </button>
                  </th>
                );
                return key === 'name'
                  ? [
                      sortable,
                      <th key="topic" scope="col">
                        Тематика
                      </th>,
                    ]
                  : sortable;
              })}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, shown).map((contractor) => (
              <Row key={contractor.id} contractor={contractor} onOpen={() => openContractor(contractor.id)} />
            ))}
          </tbody>
        </table>
      </div>
    );
  };

  return (
    <div className="z-page">
      <PageHeader
        title="Контрагенты"
        aside={
          drawn && (
            <>
              <span className="z-quiet">{listed.length}</span>
              {doubtful > 0 && (
                <Chip tone="mid" icon={<WarningSign size={12} />}>
                  Проверьте данные: {doubtful}
                </Chip>
              )}
            </>
          )
        }
        actions={add}
      />
      {all.length > 0 && (
        <div className="z-contractors-bar">
          <label className="z-contractors-search">
            <Search size={14} />
            <input
              className="z-input"
              type="search"
              aria-label="Поиск контрагентов"
              placeholder="Ник или канал"
              value={search}
              onChange={(event) => setSearch(event.target.value)}
            />
          </label>
          <select
            className="z-input z-contractors-topic"
            aria-label="Тематика"
            value={topic}
            onChange={(event) => setTopic(event.target.value)}
          >
            <option value="">Все тематики</option>
            {topics.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </select>
          {hasInactive && (
            <label className="z-contractors-check">
              <input type="checkbox" checked={inactive} onChange={(event) => setInactive(event.target.checked)} />
              Показать отключённых
            </label>
          )}
        </div>
      )}
      {list()}
      {rows.length > shown && (
        <div>
          <Button onClick={() => setShown(shown + pageSize)}>Показать ещё: {formatNumber(rows.length - shown)}</Button>
        </div>
      )}
      {adding && <AddContractorDialog onClose={() => setAdding(false)} />}
    </div>
  );
};

const Row = ({ contractor, onOpen }: { readonly contractor: ContractorWire; readonly onOpen: () => void }) => {
  const warnings = contractorWarnings(contractor);
  return (
    <tr>
      <th scope="row">
        <span className="z-contractors-who">
          <span>
            <button type="button" className="z-contractors-open" aria-haspopup="dialog" onClick={onOpen}>
              {contractor.adminUsername || '—'}
            </button>
            {contractor.channelName !== '' && <small className="z-secondary">{channelNameOf(contractor)}</small>}
          </span>
          {contractor.automatic && <Chip>автоматически</Chip>}
          {!contractor.isActive && <Chip>отключён</Chip>}
          {warnings.length > 0 && (
            <Chip tone="mid" icon={<WarningSign size={12} />}>
              {warnings.join(', ')}
            </Chip>
          )}
        </span>
      </th>
      <td>{showTopic(contractor.category)}</td>
      <td className="z-right">{formatNumber(contractor.totalPlacements)}</td>
      <td className="z-right">{formatRoubles(kopecksOf(contractor.totalSpent))}</td>
      <td className="z-right">{formatNumber(contractor.totalLeads)}</td>
      <td className="z-right">
        <CplValue spent={kopecksOf(contractor.totalSpent)} leads={contractor.totalLeads} />
      </td>
      <td className="z-right">{contractor.lastUsed === null ? '—' : showDateWithYear(contractor.lastUsed)}</td>
    </tr>
  );
};
