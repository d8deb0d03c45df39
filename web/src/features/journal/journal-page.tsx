import { Tab, Tabs } from '@blueprintjs/core';
import { formatNumber, plural } from '@zakup/domain/russian';
import { useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { PutBackDialog, type PutBackOrder } from '../../shared/history/put-back-dialog.tsx';
import { useScope } from '../../shared/live/live-context.tsx';
import '../../shared/theme/blueprint.css';
import { ModalDrawer } from '../../shared/ui/modal-drawer.tsx';
import { PageHeader } from '../../shared/ui/page.tsx';
import { SlotFill } from '../../shared/ui/slots.tsx';
import { AuditList } from './audit-list.tsx';
import { DeletedTab } from './deleted-tab.tsx';
import { EventPanel } from './event-panel.tsx';
import { ExportMenu } from './export-menu.tsx';
import { journalEvents } from './journal-events.ts';
import { JournalFilters } from './journal-filters.tsx';
import { SalaryTab } from './salary-tab.tsx';
import { type Audit, useAudit } from './use-audit.ts';
import { type JournalFiltering, useJournalFilters } from './use-journal-filters.ts';
import { useMedia } from '../../shared/ui/use-media.ts';
import './journal.css';

const tabs = [
  { id: 'audit', title: 'Изменения' },
  { id: 'deleted', title: 'Удалённое' },
  { id: 'salary', title: 'Отчёт по зарплате' },
] as const;

const AuditTab = ({ audit, filters, change, only, reset }: JournalFiltering & { readonly audit: Audit }) => {
  /** Whether there is room for an event beside the list. */
  const wide = useMedia('(width >= 1200px)');
  const [selected, setSelected] = useState<number | null>(null);
  const [order, setOrder] = useState<PutBackOrder | null>(null);
  const events = useMemo(() => journalEvents(audit.entries), [audit.entries]);
  const event = events.find(({ position }) => position === selected) ?? null;
  const close = (): void => setSelected(null);
  const panel = event !== null && (
    <EventPanel
      key={event.position}
      event={event}
      onPutBack={setOrder}
      onOnlyThis={(entity) => {
        close();
        only({ entity });
      }}
      onClose={close}
    />
  );
  return (
    <div className="z-journal-body">
      <JournalFilters filters={filters} onChange={change} onReset={reset} />
      <div className="z-journal-two">
        <AuditList
          audit={audit}
          narrowed={Object.keys(filters).length > 0}
          onReset={reset}
          selected={selected}
          onClear={close}
          onSelect={({ position }) => setSelected(position === selected && wide ? null : position)}
        />
        {wide && panel && (
          <aside className="z-panel z-journal-aside" aria-label="Событие">
            {panel}
          </aside>
        )}
      </div>
      {!wide && (
        <ModalDrawer
          name="Событие"
          isOpen={event !== null}
          onClose={close}
          position="right"
          size="min(420px, 100vw)"
          className="z-journal-drawer"
        >
          {panel}
        </ModalDrawer>
      )}
      {order !== null && (
        <PutBackDialog
          order={order}
          onClose={() => setOrder(null)}
          onDone={(position) => {
            setOrder(null);
            audit.bringFresh(position);
          }}
        />
      )}
      <SlotFill name="status-left">
        <span>
          Показано <b>{formatNumber(events.length)}</b> {plural(events.length, 'событие', 'события', 'событий')}
        </span>
        <span className="z-quiet">Новое появляется сверху, строки не прыгают</span>
      </SlotFill>
    </div>
  );
};

/** Who did what, when, and what it was before; what was removed; the salary report. The open tab stands in the address. */
export const JournalPage = () => {
  const [params, setParams] = useSearchParams();
  useScope('workspace');
  const journal = useJournalFilters();
  const tab = tabs.find(({ id }) => id === params.get('tab'))?.id ?? 'audit';
  return (
    <div className="z-journal">
      <JournalTabs tab={tab} journal={journal} onTab={(id) => setParams(id === 'audit' ? {} : { tab: id })} />
    </div>
  );
};

const JournalTabs = ({
  tab,
  journal,
  onTab,
}: {
  readonly tab: string;
  readonly journal: JournalFiltering;
  readonly onTab: (id: string) => void;
}) => {
  const audit = useAudit(journal.filters, tab === 'audit');
  return (
    <>
      <PageHeader
        title="Журнал"
        aside={<span className="z-secondary">кто, когда, что было и что стало</span>}
        actions={<ExportMenu entries={audit.entries} campaign={journal.filters.campaign ?? ''} />}
      />
      <Tabs
        id="journal"
        className="z-journal-tabs"
        selectedTabId={tab}
        renderActiveTabPanelOnly
        animate={false}
        onChange={(id) => onTab(String(id))}
      >
        {tabs.map(({ id, title }) => (
          <Tab
            key={id}
            id={id}
            title={title}
            panel={
              id === 'audit' ? (
                <AuditTab {...journal} audit={audit} />
              ) : id === 'deleted' ? (
                <DeletedTab />
              ) : (
                <SalaryTab />
              )
            }
          />
        ))}
      </Tabs>
    </>
  );
};
