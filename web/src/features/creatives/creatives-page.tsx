import { formatNumber } from '@zakup/domain/russian';
import { Edit, Plus } from '@blueprintjs/icons';
import type { CreativeWire } from '@zakup/contracts/wire-entities';
import { useMemo, useState } from 'react';
import { useScope } from '../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../shared/live/scope-waiting.tsx';
import { useDrawn } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { matches } from '../../shared/ui/matching.ts';
import { Button } from '../../shared/ui/button.tsx';
import { PageHeader } from '../../shared/ui/page.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { CreativeDialog } from './creative-dialog.tsx';
import { bySpend, type CreativeRow, CreativeTable } from './creative-table.tsx';
import { useKeptDocs } from '../../shared/kept/use-kept-docs.ts';
import { ListBar, NothingFound, SearchField, Switch } from '../../shared/ui/list-bar.tsx';
import { useTurnCreative } from './use-turn-creative.ts';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import './creatives.css';

const filters = [
  ['active', 'Активные'],
  ['inactive', 'Отключённые'],
  ['all', 'Все'],
] as const;
type Filter = (typeof filters)[number][0];

const passes = (filter: Filter, { isActive }: CreativeWire): boolean =>
  filter === 'all' || isActive === (filter === 'active');

const byName = (one: CreativeRow, other: CreativeRow): number => one.doc.name.localeCompare(other.doc.name, 'ru');

const CreativeActions = ({
  creative,
  isTurning,
  onTurn,
  onEdit,
}: {
  readonly creative: CreativeWire;
  readonly isTurning: boolean;
  readonly onTurn: () => void;
  readonly onEdit: () => void;
}) => (
  <>
    <Button
      small
      disabled={isTurning}
      aria-label={`${creative.isActive ? 'Отключить' : 'Включить'}: ${creative.name}`}
      onClick={onTurn}
    >
      {creative.isActive ? 'Отключить' : 'Включить'}
    </Button>
    <Button look="plain" icon={<Edit size={14} />} aria-label={`Изменить: ${creative.name}`} onClick={onEdit} />
  </>
);

/** The creatives of the team: what they are called, what they brought, whether they are offered. */
export const CreativesPage = () => {
  const { readOnly, licence } = useSession();
  const status = useScope('workspace');
  const drawn = useDrawn('workspace');
  const kept = useKeptDocs('creative');
  const creatives = kept.map(({ doc }) => doc);
  const { turn, turning } = useTurnCreative();
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>('active');
  const [edited, setEdited] = useState<{ readonly id: string | null } | null>(null);
  const editable = readOnly === null && licence?.status !== 'suspended';
  const [sorting, setSorting] = useState(bySpend);
  const chosen = kept.find(({ doc }) => doc.id === edited?.id) ?? null;
  const rows = useMemo(
    () =>
      kept
        .filter(
          ({ doc }) =>
            passes(filter, doc) && [doc.name, doc.abbreviation, doc.notes].some((text) => matches(text, search)),
        )
        .sort(byName),
    [kept, filter, search],
  );

  const actionsOf = (creative: CreativeWire): React.ReactNode => (
    <CreativeActions
      creative={creative}
      isTurning={turning === creative.id}
      onTurn={() => turn(creative)}
      onEdit={() => setEdited({ id: creative.id })}
    />
  );
  const add = editable && (
    <Button look="primary" icon={<Plus size={14} />} onClick={() => setEdited({ id: null })}>
      Добавить креатив
    </Button>
  );

  const list = (): React.ReactNode => {
    if (status.kind === 'refused' || !drawn) return <ScopeWaiting status={status} rows={6} height={44} />;
    if (creatives.length === 0)
      return (
        <EmptyState title="Креативов ещё нет" actions={add}>
          Креатив выбирают в размещении, по нему видно, что работает.
        </EmptyState>
      );
    if (rows.length === 0)
      return (
        <NothingFound
          onReset={() => {
            setSearch('');
            setFilter('all');
          }}
        />
      );
    return (
      <CreativeTable
        rows={rows}
        sorting={sorting}
        onSorting={setSorting}
        actionsOf={editable ? actionsOf : undefined}
      />
    );
  };

  return (
    <div className="z-page">
      <PageHeader
        title="Креативы"
        aside={
          drawn && (
            <>
              <span className="z-quiet">{formatNumber(creatives.length)}</span>
              <KindNote campaignId={null} />
            </>
          )
        }
        actions={add}
      />
      {creatives.length > 0 && (
        <ListBar>
          <SearchField label="Поиск креативов" placeholder="Название или заметка" value={search} onChange={setSearch} />
          <Switch
            label="Какие показать"
            value={filter}
            options={filters.map(([value, label]) => [
              value,
              `${label} ${formatNumber(creatives.filter((creative) => passes(value, creative)).length)}`,
            ])}
            onChange={setFilter}
          />
        </ListBar>
      )}
      {list()}
      {edited !== null && (edited.id === null || chosen !== null) && (
        <CreativeDialog creative={chosen?.doc ?? null} entry={chosen?.entry ?? null} onClose={() => setEdited(null)} />
      )}
    </div>
  );
};
