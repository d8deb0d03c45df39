import { Plus, WarningSign } from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import { showTopic } from '@zakup/domain/topics';
import { type ReactNode, useMemo, useState } from 'react';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import { useScope } from '../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { matches } from '../../shared/ui/matching.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { PageHeader } from '../../shared/ui/page.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { AddContractorDialog } from './add-contractor-dialog.tsx';
import { contractorWarnings } from './contractor-check.ts';
import { channelNameOf } from './contractor-figures.ts';
import { nicksOf } from './contractor-nicks.ts';
import { byCost, ContractorTable } from './contractor-table.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { ListBar, NothingFound, SearchField } from '../../shared/ui/list-bar.tsx';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import './contractors.css';

const TopicFilter = ({
  topics,
  value,
  onChange,
}: {
  readonly topics: readonly string[];
  /** '' = all. */
  readonly value: string;
  readonly onChange: (topic: string) => void;
}) => (
  <select className="z-input" aria-label="Тематика" value={value} onChange={(event) => onChange(event.target.value)}>
    <option value="">Все тематики</option>
    {topics.map((one) => (
      <option key={one} value={one}>
        {one}
      </option>
    ))}
  </select>
);

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
  const [sorting, setSorting] = useState(byCost);
  const [adding, setAdding] = useState(false);

  const listed = all.filter(({ isActive }) => isActive || inactive);
  const topics = [...new Set(listed.map(({ category }) => showTopic(category)))].sort((a, b) =>
    a.localeCompare(b, 'ru'),
  );
  const rows = useMemo(
    () =>
      all
        .filter(
          (contractor) =>
            (contractor.isActive || inactive) &&
            (topic === '' || showTopic(contractor.category) === topic) &&
            [...nicksOf(contractor), channelNameOf(contractor)].some((text) => matches(text, search)),
        )
        .sort((a, b) => a.adminUsername.localeCompare(b.adminUsername)),
    [all, inactive, topic, search],
  );
  const doubtful = listed.filter((contractor) => contractorWarnings(contractor).length > 0).length;
  const hasInactive = all.some(({ isActive }) => !isActive);

  const add = can('contractor.create') && (
    <Button look="primary" icon={<Plus size={14} />} onClick={() => setAdding(true)}>
      Добавить контрагента
    </Button>
  );

  const list = (): ReactNode => {
    if (status.kind === 'refused' || !drawn) return <ScopeWaiting status={status} rows={8} height={38} />;
    if (all.length === 0)
      return (
        <EmptyState title="Контрагентов ещё нет" actions={add}>
          Они появляются сами, когда вы добавляете размещение с новым ником.
        </EmptyState>
      );
    if (rows.length === 0)
      return (
        <NothingFound
          onReset={() => {
            setSearch('');
            setTopic('');
          }}
        />
      );
    return <ContractorTable contractors={rows} sorting={sorting} onSorting={setSorting} onOpen={openContractor} />;
  };

  return (
    <div className="z-page">
      <PageHeader
        title="Контрагенты"
        aside={
          drawn && (
            <>
              <span className="z-quiet">{formatNumber(listed.length)}</span>
              <KindNote campaignId={null} />
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
        <ListBar>
          <SearchField label="Поиск контрагентов" placeholder="Ник или канал" value={search} onChange={setSearch} />
          <TopicFilter topics={topics} value={topic} onChange={setTopic} />
          {hasInactive && (
            <label className="z-contractors-check">
              <input type="checkbox" checked={inactive} onChange={(event) => setInactive(event.target.checked)} />
              Показать отключённых
            </label>
          )}
        </ListBar>
      )}
      {list()}
      {adding && <AddContractorDialog onClose={() => setAdding(false)} />}
    </div>
  );
};
