import { Tab, Tabs } from '@blueprintjs/core';
import type { ContractorWire, NoteWire, PlacementWire } from '@zakup/contracts/wire-entities';
import { formatNumber } from '@zakup/domain/russian';
import type { ReactNode } from 'react';
import { ContractorHistory } from './contractor-history.tsx';
import { ContractorNotes } from './contractor-notes.tsx';
import { ContractorLoading } from './contractor-notices.tsx';
import { ContractorOverview } from './contractor-overview.tsx';
import type { NotesWork } from './use-notes.ts';

export type ContractorTab = 'overview' | 'history' | 'notes';

/** Its figures, its placements and its notes, one of them shown. */
export const ContractorTabs = ({
  tab,
  onTab,
  contractor,
  placements,
  notes,
  drawn,
  held,
  work,
}: {
  readonly tab: ContractorTab;
  readonly onTab: (tab: ContractorTab) => void;
  readonly contractor: ContractorWire;
  readonly placements: readonly PlacementWire[];
  readonly notes: readonly NoteWire[];
  /** Placements and notes are here. */
  readonly drawn: boolean;
  /** It is shown only for the note that is being written. */
  readonly held: boolean;
  readonly work: NotesWork;
}) => {
  const titled = (text: ReactNode, count: number): ReactNode => (
    <>
      {text} {drawn && <span className="z-tab-count">{formatNumber(count)}</span>}
    </>
  );
  const overview = (
    <>
      <ContractorOverview contractor={contractor} placements={placements} />
      {!drawn && <ContractorLoading />}
    </>
  );
  const history = drawn ? <ContractorHistory placements={placements} /> : <ContractorLoading />;
  const noted = drawn || held ? <ContractorNotes notes={notes} work={work} /> : <ContractorLoading />;
  const historyTitle = (
    <span>
      История<span className="z-contractor-word"> сотрудничества</span>
    </span>
  );
  return (
    <Tabs
      id="contractor"
      className="z-contractor-tabs"
      selectedTabId={tab}
      animate={false}
      renderActiveTabPanelOnly
      onChange={(id) => onTab(id as ContractorTab)}
    >
      <Tab id="overview" title="Обзор" panel={<div className="z-contractor-body">{overview}</div>} />
      <Tab
        id="history"
        title={titled(historyTitle, placements.length)}
        panel={<div className="z-contractor-body">{history}</div>}
      />
      <Tab
        id="notes"
        title={titled('Заметки', notes.length)}
        panel={<div className="z-contractor-body">{noted}</div>}
      />
    </Tabs>
  );
};
