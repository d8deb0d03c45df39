import { Dialog as BlueprintDialog, Tab, Tabs } from '@blueprintjs/core';
import { Cross, Refresh, WarningSign } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/entities';
import { showDate, showDateWithYear } from '@zakup/domain/calendar';
import { contractorAnalyticsFailed, messages } from '@zakup/domain/messages';
import { showTopic } from '@zakup/domain/topics';
import { type ReactNode, useId, useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { useLive, useScope } from '../../shared/live/live-context.tsx';
import { useMoment } from '../../shared/past/moment-context.ts';
import { PastButton } from '../../shared/past/past-button.tsx';
import { TimeBar } from '../../shared/past/time-bar.tsx';
import { useDoc, useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import '../../shared/theme/blueprint.css';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { contractorWarnings } from './contractor-check.ts';
import { channelNameOf } from './contractor-figures.ts';
import { ContractorHistory } from './contractor-history.tsx';
import { ContractorNotes } from './contractor-notes.tsx';
import { ContractorOverview } from './contractor-overview.tsx';
import './contractors.css';

type TabId = 'overview' | 'history' | 'notes';

/** An answer asked for by hand, good until the live channel brings something newer. */
interface Asked {
  readonly contractor: ContractorWire;
  readonly over: ContractorWire | null;
}

const used = ({ firstUsed, lastUsed }: ContractorWire): string =>
  firstUsed === null || lastUsed === null
    ? 'размещений ещё не было'
    : `с ${showDateWithYear(firstUsed)}, последнее ${showDate(lastUsed)}`;

/** Everything about one contractor: figures, placements, notes. Live while open. */
export const ContractorDialog = ({
  contractorId,
  onClose,
}: {
  readonly contractorId: string;
  readonly onClose: () => void;
}) => {
  const api = useApi();
  const live = useLive();
  const moment = useMoment();
  const scope = `contractor:${contractorId}`;
  const status = useScope(scope);
  const drawn = useDrawn(scope);
  const known = useDoc('contractor', contractorId);
  const placements = useDocs('placement', { scope });
  const notes = useDocs('note', { scope });
  const [tab, setTab] = useState<TabId>('overview');
  const titleId = useId();
  const [asked, setAsked] = useState<Asked | null>(null);
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const contractor = asked !== null && asked.over === known ? asked.contractor : known;
  const refusal = status.kind === 'refused' && status.problem.code !== 'NOT_FOUND' ? status.problem.error : null;
  const problem = refusal ?? failure;

  const refresh = (): void => {
    setAsking(true);
    setFailure(null);
    live.retryNow();
    api
      .get<{ readonly contractor: ContractorWire }>(`/api/contractors/${contractorId}`)
      .then(({ data }) => setAsked({ contractor: data.contractor, over: known }))
      .catch((thrown: unknown) => setFailure(problemText(thrown)))
      .finally(() => setAsking(false));
  };

  const title = contractor?.adminUsername ?? 'Контрагент';
  const missing = contractor === null && problem === null && (drawn || status.kind === 'refused');
  const warnings = contractor === null ? [] : contractorWarnings(contractor);
  const loading = <p className="z-contractor-none">{messages.contractorLoading}</p>;
  const tabTitle = (text: string, count: number): ReactNode => (
    <>
      {text} {drawn && <span className="z-tab-count">{count}</span>}
    </>
  );
  return (
    <BlueprintDialog
      isOpen
      onClose={onClose}
      aria-labelledby={titleId}
      transitionDuration={120}
      style={{ width: 'min(1000px, calc(100vw - 32px))' }}
      className="z-dialog z-contractor"
    >
      <TimeBar />
      <div className="z-contractor-head">
        <h2 id={titleId}>{title}</h2>
        {contractor !== null && (
          <>
            {contractor.isActive ? (
              <Chip tone="good" dot>
                Активен
              </Chip>
            ) : (
              <Chip>Отключён</Chip>
            )}
            <Chip>{showTopic(contractor.category)}</Chip>
            <span className="z-secondary">
              {[channelNameOf(contractor), used(contractor)].filter(Boolean).join(' · ')}
            </span>
          </>
        )}
        <span className="z-contractor-tools">
          <PastButton campaignId={null} />
          {moment === null && (
            <Button look="plain" icon={<Refresh size={14} />} aria-label="Обновить" disabled={asking} onClick={refresh}>
              <span className="z-contractor-refresh">{asking ? 'Обновление…' : 'Обновить'}</span>
            </Button>
          )}
          <Button look="plain" icon={<Cross size={16} />} aria-label="Закрыть" onClick={onClose} />
        </span>
      </div>
      {warnings.length > 0 && (
        <p className="z-contractor-warning">
          <WarningSign size={14} />
          Проверьте данные: {warnings.join(', ')}
        </p>
      )}
      {problem !== null && (
        <p className="z-alert z-contractor-problem" role="alert">
          <WarningSign size={14} />
          {contractorAnalyticsFailed(problem)}
        </p>
      )}
      {contractor === null ? (
        <div className="z-contractor-body">
          {missing ? <p className="z-contractor-none">{messages.contractorNotFound}</p> : problem === null && loading}
        </div>
      ) : (
        <Tabs
          id="contractor"
          className="z-contractor-tabs"
          selectedTabId={tab}
          animate={false}
          renderActiveTabPanelOnly
          onChange={(id) => setTab(id as TabId)}
        >
          <Tab
            id="overview"
            title="Обзор"
            panel={
              <div className="z-contractor-body">
                <ContractorOverview contractor={contractor} placements={placements} />
                {!drawn && loading}
              </div>
            }
          />
          <Tab
            id="history"
            title={tabTitle('История сотрудничества', placements.length)}
            panel={
              <div className="z-contractor-body">{drawn ? <ContractorHistory placements={placements} /> : loading}</div>
            }
          />
          <Tab
            id="notes"
            title={tabTitle('Заметки', notes.length)}
            panel={
              <div className="z-contractor-body">
                {drawn ? <ContractorNotes contractorId={contractorId} notes={notes} /> : loading}
              </div>
            }
          />
        </Tabs>
      )}
    </BlueprintDialog>
  );
};
