import { Dialog as BlueprintDialog } from '@blueprintjs/core';
import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { useId, useState } from 'react';
import { useFollowMerge } from '../../shared/contractor/use-receiver.ts';
import { useConnection } from '../../shared/live/live-context.tsx';
import { useRights } from '../../shared/session/use-rights.ts';
import { useMoment } from '../../shared/moment/moment-context.ts';
import { TimeBar } from '../../shared/time-travel/time-bar.tsx';
import '../../shared/theme/blueprint.css';
import { useDiscardQuestion } from '../../shared/ui/dialog.tsx';
import { useEscape } from '../../shared/ui/use-escape.ts';
import { useFocusBack } from '../../shared/ui/use-focus-back.ts';
import { type ContractorEdit, ContractorEditDialogs } from './contractor-edit-dialogs.tsx';
import { ContractorHead } from './contractor-head.tsx';
import { AbsentContractor, ContractorProblems, MergedNotice } from './contractor-notices.tsx';
import { type ContractorTab, ContractorTabs } from './contractor-tabs.tsx';
import { useNotes } from './use-notes.ts';
import { useOneContractor } from './use-one-contractor.ts';
import './contractors.css';

interface Shown {
  readonly contractorId: string;
  /** What is typed of a new note. */
  readonly note: string;
}

/** Neither waits for the line to come back: what it would do is only known there. */
const useContractorRights = (contractor: ContractorWire | null) => {
  const { can } = useRights();
  const isOffline = useConnection().state === 'offline';
  const isOpen = !isOffline && contractor !== null;
  return { mayChange: isOpen && can('contractor.change'), mayMerge: isOpen && can('contractor.merge') };
};

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
  const state = useOneContractor(contractorId);
  const { contractor, seen, notes, drawn, missing, problem } = state;
  const { mayChange, mayMerge } = useContractorRights(contractor);
  const isNow = useMoment() === null;
  const [tab, setTab] = useState<ContractorTab>(note === '' ? 'overview' : 'notes');
  const work = useNotes(contractorId, note);
  const { leave, question } = useDiscardQuestion(work.dirty);
  const leaveDialog = (): void => leave(onClose);
  const titleId = useId();
  useEscape(titleId, leaveDialog);
  const [edit, setEdit] = useState<ContractorEdit | null>(null);
  useFocusBack();
  const lead = (to: string): void => onLead({ contractorId: to, note: work.text });
  // Nobody is led away from what is being written: it stays with what was seen last, and the way is offered.
  const held = missing && isNow && work.dirty;
  const merge = useFollowMerge({
    contractorId,
    nick: contractor?.adminUsername ?? null,
    missing: missing && edit === null,
    hold: held,
    onMerged: lead,
  });
  const shown = held ? seen : contractor;
  const nick = seen?.adminUsername ?? null;
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
        <ContractorHead
          titleId={titleId}
          nick={nick}
          contractor={contractor}
          isRefreshing={state.isRefreshing}
          onChange={mayChange ? () => setEdit({ kind: 'change' }) : null}
          onMerge={mayMerge ? () => setEdit({ kind: 'merge', intoId: null }) : null}
          onRefresh={state.refresh}
          onClose={leaveDialog}
        />
        <ContractorProblems contractor={contractor} problem={problem} />
        {held && edit === null && !merge.asking && (
          <MergedNotice nick={nick} receiver={merge.receiver} busy={work.busy} onLead={lead} />
        )}
        {shown === null ? (
          <AbsentContractor
            nick={nick}
            receiver={missing && !isNow ? state.receiver : null}
            isMissing={missing && !merge.asking}
            isLoading={problem === null}
            onLead={lead}
          />
        ) : (
          <ContractorTabs
            tab={tab}
            onTab={setTab}
            contractor={shown}
            placements={state.placements}
            notes={notes}
            drawn={drawn}
            held={held}
            work={work}
          />
        )}
      </BlueprintDialog>
      {question}
      {edit !== null && seen !== null && (
        <ContractorEditDialogs
          edit={edit}
          contractor={seen}
          noteCount={drawn ? notes.length : null}
          mayMerge={mayMerge}
          onEdit={setEdit}
          onMerged={(intoId) => {
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
