import { formatNumber } from '@zakup/domain/russian';
import { Edit, Plus } from '@blueprintjs/icons';
import type { CreativeWire } from '@zakup/contracts/entities';
import { showCreativeType } from '@zakup/domain/topics';
import { useState } from 'react';
import { problemText } from '../../shared/api/api-problem.ts';
import { useScope } from '../../shared/live/live-context.tsx';
import { ScopeWaiting } from '../../shared/load/scope-waiting.tsx';
import { useDrawn } from '../../shared/replica/replica-context.tsx';
import { useSession } from '../../shared/session/session-context.tsx';
import { matches } from '../../shared/ui/matching.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { PageHeader } from '../../shared/ui/page.tsx';
import { EmptyState } from '../../shared/ui/states.tsx';
import { CreativeDialog } from './creative-dialog.tsx';
import { CreativeIcon } from './creative-icon.tsx';
import { KeptMark } from '../../shared/kept/kept-mark.tsx';
import { useKeptDocs } from '../../shared/kept/use-kept-docs.ts';
import { useKeptSend } from '../../shared/kept/use-kept-send.ts';
import { ListBar, NothingFound, SearchField, Switch } from '../../shared/ui/list-bar.tsx';
import './creatives.css';

const filters = [
  ['active', 'Активные'],
  ['inactive', 'Отключённые'],
  ['all', 'Все'],
] as const;
type Filter = (typeof filters)[number][0];

const passes = (filter: Filter, { isActive }: CreativeWire): boolean =>
  filter === 'all' || isActive === (filter === 'active');

const byName = (one: CreativeWire, other: CreativeWire): number => one.name.localeCompare(other.name, 'ru');

/** The creatives of the team: what they are called, what they are, whether they are offered. */
export const CreativesPage = () => {
  const { readOnly, licence } = useSession();
  const status = useScope('workspace');
  const drawn = useDrawn('workspace');
  const kept = useKeptDocs('creative');
  const creatives = kept.map(({ doc }) => doc);
  const entryOf = (id: string) => kept.find(({ doc }) => doc.id === id)?.entry ?? null;
  const send = useKeptSend();
  const [search, setSearch] = useState('');
  const [filter, setFilter] = useState<Filter>('active');
  const [edited, setEdited] = useState<{ readonly id: string | null } | null>(null);
  const [switching, setSwitching] = useState<string | null>(null);
  const editable = readOnly === null && licence?.status !== 'suspended';
  const chosen = creatives.find(({ id }) => id === edited?.id) ?? null;
  const rows = creatives
    .filter(
      (creative) =>
        passes(filter, creative) &&
        [creative.name, creative.abbreviation, creative.notes].some((text) => matches(text, search)),
    )
    .sort(byName);

  const turn = (creative: CreativeWire): void => {
    setSwitching(creative.id);
    send({
      kind: 'creative',
      doc: creative,
      method: 'PUT',
      path: `/api/creatives/${creative.id}`,
      body: { isActive: !creative.isActive, baseRevision: creative.revision },
      label: `${creative.isActive ? 'Отключить' : 'Включить'} «${creative.name}»`,
    })
      .catch((thrown: unknown) => toasts.error(problemText(thrown)))
      .finally(() => setSwitching(null));
  };
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
      <ul className="z-creatives z-panel z-panel-flush" aria-label="Креативы">
        {rows.map((creative) => (
          <li key={creative.id}>
            <CreativeIcon type={creative.type} />
            <span className="z-creative-name">
              <b>
                {creative.name}
                {creative.abbreviation !== '' && <span className="z-quiet"> {creative.abbreviation}</span>}
              </b>
              {creative.notes !== '' && <small className="z-secondary">{creative.notes}</small>}
            </span>
            <KeptMark entry={entryOf(creative.id)} name={creative.name} />
            <span className="z-creative-type z-secondary">{showCreativeType(creative.type)}</span>
            {creative.isActive ? (
              <Chip tone="good" dot>
                активен
              </Chip>
            ) : (
              <Chip>отключён</Chip>
            )}
            {editable && (
              <span className="z-creative-actions">
                <Button
                  small
                  disabled={switching === creative.id}
                  aria-label={`${creative.isActive ? 'Отключить' : 'Включить'}: ${creative.name}`}
                  onClick={() => turn(creative)}
                >
                  {creative.isActive ? 'Отключить' : 'Включить'}
                </Button>
                <Button
                  look="plain"
                  icon={<Edit size={14} />}
                  aria-label={`Изменить: ${creative.name}`}
                  onClick={() => setEdited({ id: creative.id })}
                />
              </span>
            )}
          </li>
        ))}
      </ul>
    );
  };

  return (
    <div className="z-page">
      <PageHeader
        title="Креативы"
        aside={drawn && <span className="z-quiet">{formatNumber(creatives.length)}</span>}
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
        <CreativeDialog
          creative={chosen}
          entry={chosen === null ? null : entryOf(chosen.id)}
          onClose={() => setEdited(null)}
        />
      )}
    </div>
  );
};
