import { LiveRegion } from '../../shared/toasts/live-region.tsx';
import { Dialog as BlueprintDialog, Tab, Tabs } from '@blueprintjs/core';
import { Cross, Edit, GitMerge, Refresh, WarningSign } from '@blueprintjs/icons';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { showDateWithYear } from '@zakup/domain/calendar';
import { showDate } from '../../shared/day/shown-day.ts';
import { contractorAnalyticsFailed, messages } from '@zakup/domain/messages';
import { formatNumber } from '@zakup/domain/russian';
import { showTopic } from '@zakup/domain/topics';
import { type ReactNode, useId, useState } from 'react';
import { useApi } from '../../shared/api/api-context.tsx';
import { problemText } from '../../shared/api/api-problem.ts';
import { mergedText, useFollowMerge } from '../../shared/contractor/use-receiver.ts';
import { useConnection, useLive, useScope } from '../../shared/live/live-context.tsx';
import { useMoment } from '../../shared/time-travel/moment-context.ts';
import { PastButton } from '../../shared/time-travel/past-button.tsx';
import { TimeBar } from '../../shared/time-travel/time-bar.tsx';
import { useDoc, useDocs, useDrawn } from '../../shared/replica/replica-context.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import '../../shared/theme/blueprint.css';
import { Button } from '../../shared/ui/button.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import { useDiscardQuestion } from '../../shared/ui/dialog.tsx';
import { useEscape } from '../../shared/ui/use-escape.ts';
import { useFocusBack } from '../../shared/ui/use-focus-back.ts';
import { ChangeContractorDialog } from './change-contractor-dialog.tsx';
import { contractorWarnings } from './contractor-check.ts';
import { channelNameOf } from './contractor-figures.ts';
import { ContractorHistory } from './contractor-history.tsx';
import { ContractorNotes } from './contractor-notes.tsx';
import { ContractorOverview } from './contractor-overview.tsx';
import { MergeContractorDialog } from './merge-contractor-dialog.tsx';
import { useNotes } from './use-notes.ts';
import { KindNote } from '../../shared/explanations/figure-kind.tsx';
import './contractors.css';

type TabId = 'overview' | 'history' | 'notes';

/** What is being done to the contractor in a dialog above; `intoId`: with whom to begin. */
type Doing = { readonly kind: 'change' } | { readonly kind: 'merge'; readonly intoId: string | null };

/** An answer asked for by hand, good until the live channel brings something newer. */
interface Asked {
  readonly contractor: ContractorWire;
  readonly over: ContractorWire | null;
}

const used = ({ firstUsed, lastUsed }: ContractorWire): string =>
  firstUsed === null || lastUsed === null
    ? 'размещений ещё не было'
    : `с ${showDateWithYear(firstUsed)}, последнее ${showDate(lastUsed)}`;

interface Shown {
  readonly contractorId: string;
  /** What is typed of a new note. */
  readonly note: string;
}

const OneContractor = ({
  contractorId,
  note,
  onLead,
  onClose,
}: Shown & {
  /** Shows another contractor instead, with the note that was being written. */
  readonly onLead: (to: Shown) => void;
  readonly onClose: () => void;
}) => {
  const api = useApi();
  const live = useLive();
  const { can } = useRights();
  const isOffline = useConnection().state === 'offline';
  const moment = useMoment();
  const scope = `contractor:${contractorId}`;
  const status = useScope(scope);
  const drawn = useDrawn(scope);
  const known = useDoc('contractor', contractorId);
  const placements = useDocs('placement', { scope });
  const notes = useDocs('note', { scope });
  const [tab, setTab] = useState<TabId>(note === '' ? 'overview' : 'notes');
  const work = useNotes(contractorId, note);
  const { leave, question } = useDiscardQuestion(work.dirty);
  const leaveDialog = (): void => leave(onClose);
  const titleId = useId();
  useEscape(titleId, leaveDialog);
  const [asked, setAsked] = useState<Asked | null>(null);
  const [asking, setAsking] = useState(false);
  const [doing, setDoing] = useState<Doing | null>(null);
  useFocusBack();
  const [failure, setFailure] = useState<string | null>(null);
  const contractor = asked !== null && asked.over === known ? asked.contractor : known;
  // What is being done to it stays on the screen when it goes from the lists meanwhile.
  const [seen, setSeen] = useState(contractor);
  if (contractor !== null && contractor !== seen) setSeen(contractor);
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

  const title = seen?.adminUsername ?? 'Контрагент';
  // At that moment it is a part of another one, which the answer is about.
  const [receiver] = useDocs('contractor', { scope });
  const missing = contractor === null && problem === null && (drawn || status.kind === 'refused');
  const lead = (to: string): void => onLead({ contractorId: to, note: work.text });
  // Nobody is led away from what is being written: it stays with what was seen last, and the way is offered.
  const held = missing && moment === null && work.dirty;
  const merge = useFollowMerge({
    contractorId,
    nick: contractor?.adminUsername ?? null,
    missing: missing && doing === null,
    hold: held,
    onMerged: lead,
  });
  const shown = held ? seen : contractor;
  const warnings = contractor === null ? [] : contractorWarnings(contractor);
  const loading = <p className="z-contractor-none">{messages.contractorLoading}</p>;
  const tabTitle = (text: ReactNode, count: number): ReactNode => (
    <>
      {text} {drawn && <span className="z-tab-count">{formatNumber(count)}</span>}
    </>
  );
  const close = (): void => setDoing(null);
  // Neither waits for the line to come back: what it would do is only known there.
  const mayChange = !isOffline && contractor !== null && can('contractor.change');
  const mayMerge = !isOffline && contractor !== null && can('contractor.merge');
  const others = contractor?.otherUsernames ?? [];
  return (
    <>
      <BlueprintDialog
        isOpen
        onClose={leaveDialog}
        canOutsideClickClose={!work.dirty}
        aria-labelledby={titleId}
        transitionDuration={120}
        style={{ width: 'min(1000px, calc(100vw - 32px))' }}
        className="z-dialog z-contractor"
      >
        <TimeBar />
        <div className="z-contractor-head">
          <div className="z-contractor-title">
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
                  {[channelNameOf(contractor), used(contractor), others.length > 0 && `также ${others.join(', ')}`]
                    .filter(Boolean)
                    .join(' · ')}
                </span>
                <KindNote campaignId={null} />
              </>
            )}
          </div>
          <span className="z-contractor-tools">
            {mayChange && (
              <Button
                look="plain"
                icon={<Edit size={14} />}
                aria-label="Изменить"
                onClick={() => setDoing({ kind: 'change' })}
              >
                <span className="z-contractor-word">Изменить</span>
              </Button>
            )}
            {mayMerge && (
              <Button
                look="plain"
                icon={<GitMerge size={14} />}
                aria-label="Объединить с…"
                onClick={() => setDoing({ kind: 'merge', intoId: null })}
              >
                <span className="z-contractor-word">Объединить с…</span>
              </Button>
            )}
            <PastButton campaignId={null} />
            {moment === null && (
              <Button
                look="plain"
                icon={<Refresh size={14} />}
                aria-label="Обновить"
                disabled={asking}
                onClick={refresh}
              >
                <span className="z-contractor-word">{asking ? 'Обновление…' : 'Обновить'}</span>
              </Button>
            )}
            <Button look="plain" icon={<Cross size={16} />} aria-label="Закрыть" onClick={leaveDialog} />
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
        {held && doing === null && !merge.asking && (
          <LiveRegion className="z-contractor-warning">
            <WarningSign size={14} />
            {merge.receiver === null ? (
              messages.contractorNotFound
            ) : (
              <>
                {`${mergedText(title, merge.receiver)}. Заметка, которую вы пишете, перейдёт туда.`}
                <Button disabled={work.busy} onClick={() => merge.receiver !== null && lead(merge.receiver.id)}>
                  Открыть {merge.receiver.adminUsername}
                </Button>
              </>
            )}
          </LiveRegion>
        )}
        {shown === null ? (
          <div className="z-contractor-body">
            {missing && moment !== null && receiver !== undefined ? (
              <div className="z-contractor-none">
                <p>{`К этому моменту ${mergedText(seen?.adminUsername ?? null, receiver)}.`}</p>
                <Button onClick={() => lead(receiver.id)}>Открыть {receiver.adminUsername}</Button>
              </div>
            ) : missing && !merge.asking ? (
              <p className="z-contractor-none">{messages.contractorNotFound}</p>
            ) : (
              problem === null && loading
            )}
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
                  <ContractorOverview contractor={shown} placements={placements} />
                  {!drawn && loading}
                </div>
              }
            />
            <Tab
              id="history"
              title={tabTitle(
                <span>
                  История<span className="z-contractor-word"> сотрудничества</span>
                </span>,
                placements.length,
              )}
              panel={
                <div className="z-contractor-body">
                  {drawn ? <ContractorHistory placements={placements} /> : loading}
                </div>
              }
            />
            <Tab
              id="notes"
              title={tabTitle('Заметки', notes.length)}
              panel={
                <div className="z-contractor-body">
                  {drawn || held ? <ContractorNotes notes={notes} work={work} /> : loading}
                </div>
              }
            />
          </Tabs>
        )}
      </BlueprintDialog>
      {question}
      {doing?.kind === 'change' && seen !== null && (
        <ChangeContractorDialog
          contractor={seen}
          onClose={close}
          onMerge={mayMerge ? (intoId) => setDoing({ kind: 'merge', intoId }) : null}
        />
      )}
      {doing?.kind === 'merge' && seen !== null && (
        <MergeContractorDialog
          contractor={seen}
          noteCount={drawn ? notes.length : null}
          intoId={doing.intoId}
          onClose={close}
          onMerged={(intoId) => {
            close();
            // A note on its way is waited for: taken along, it could be sent twice.
            if (!work.busy) lead(intoId);
          }}
        />
      )}
    </>
  );
};

/** Everything about one contractor: figures, placements, notes. Live while open; leads to whom it is merged with. */
export const ContractorDialog = ({
  contractorId,
  onClose,
}: {
  readonly contractorId: string;
  readonly onClose: () => void;
}) => {
  const [shown, setShown] = useState<Shown>({ contractorId, note: '' });
  return <OneContractor key={shown.contractorId} {...shown} onLead={setShown} onClose={onClose} />;
};
