import { Refresh } from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import { useEffect, useMemo, useState } from 'react';
import { OlderData } from '../../shared/load/query-failure.tsx';
import { useDocs } from '../../shared/replica/replica-context.tsx';
import { asGrid, asRowGroup } from '../../shared/table/roles.ts';
import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { useNarrow } from '../../shared/ui/use-media.ts';
import { type JournalEvent, journalEvents, journalRows } from './journal-events.ts';
import { DayRow, EventRow, JournalHead } from './journal-row.tsx';
import { JournalTail } from './journal-tail.tsx';
import type { Audit } from './use-audit.ts';
import { useJournalGrid } from './use-journal-grid.ts';

/** So many rows before the end the next page is asked for. */
const ahead = 20;

interface AuditListProps {
  readonly audit: Audit;
  /** True while filters are set. */
  readonly narrowed: boolean;
  readonly onReset: () => void;
  readonly selected: number | null;
  readonly onSelect: (event: JournalEvent) => void;
  /** Escape: nothing is to be selected. */
  readonly onClear: () => void;
}

/** The journal by days, newest first; older entries are fetched as their place comes near. */
export const AuditList = ({ audit, narrowed, onReset, selected, onSelect, onClear }: AuditListProps) => {
  const { entries, complete, fetching, error, more, fresh } = audit;
  const narrow = useNarrow();
  const [stopped, setStopped] = useState(false);
  const events = useMemo(() => journalEvents(entries), [entries]);
  const rows = useMemo(() => journalRows(events, complete), [events, complete]);
  const freshCount = useMemo(() => journalEvents(fresh).length, [fresh]);
  const channels = useDocs('channel');
  const channelNames = useMemo(() => channels.map(({ name }) => name), [channels]);

  const { scroller, windowed, activeRow, onKeyDown, press } = useJournalGrid({
    rows,
    narrow,
    selected,
    onSelect,
    onClear,
  });
  // The keys of all rows in one place; the rows themselves have the focus.
  const grid = { ...asGrid, onKeyDown };
  const items = windowed.getVirtualItems();
  const nearEnd = (items.at(-1)?.index ?? 0) >= rows.length - ahead;

  useEffect(() => {
    if (nearEnd && !complete && !fetching && !stopped && error === null) more();
  });

  if (audit.loading) return <Skeleton rows={12} label="Загрузка журнала" />;
  if (entries.length === 0 && error !== null) return <ErrorState error={error} onRetry={audit.retry} />;
  if (entries.length === 0 && complete && fresh.length === 0)
    return narrowed ? (
      <EmptyState title="Ничего не найдено" actions={<Button onClick={onReset}>Сбросить фильтры</Button>}>
        С такими фильтрами записей нет.
      </EmptyState>
    ) : (
      <EmptyState title="Журнал пуст">Здесь появится каждое изменение: кто, когда, что было и что стало.</EmptyState>
    );
  return (
    <div className="z-journal-list">
      {audit.stale !== null && <OlderData {...audit.stale} onRetry={audit.lookAgain} />}
      <div className="z-journal-fresh">
        {freshCount > 0 && (
          <Button
            small
            look="primary"
            icon={<Refresh size={12} />}
            onClick={() => {
              audit.showFresh();
              scroller.current?.scrollTo({ top: 0 });
            }}
          >
            <LiveRegion>Новых событий: {formatNumber(freshCount)}</LiveRegion>
          </Button>
        )}
      </div>
      <div ref={scroller} className="z-panel z-panel-flush z-journal-scroll">
        <table
          {...grid}
          aria-label="Журнал"
          aria-rowcount={complete ? rows.length + 1 : -1}
          aria-colcount={6}
          className="z-journal-table"
        >
          <JournalHead narrow={narrow} />
          <tbody {...asRowGroup} style={{ height: windowed.getTotalSize() }}>
            {items.map(({ index, start, key }) => {
              const row = rows[index];
              if (row === undefined) return null;
              const place = {
                ref: windowed.measureElement,
                'data-index': index,
                'aria-rowindex': index + 2,
                style: { transform: `translateY(${start}px)` },
              };
              if (row.kind === 'day') return <DayRow key={key} row={row} place={place} />;
              return (
                <EventRow
                  key={key}
                  event={row.event}
                  place={place}
                  isSelected={row.event.position === selected}
                  isActive={index === activeRow}
                  channelNames={channelNames}
                  onPress={() => press(row.event)}
                />
              );
            })}
          </tbody>
        </table>
        <div className="z-journal-tail">
          <JournalTail audit={audit} narrowed={narrowed} stopped={stopped} onStopped={setStopped} />
        </div>
      </div>
    </div>
  );
};
