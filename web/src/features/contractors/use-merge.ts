import type { ContractorWire } from '@zakup/contracts/wire-entities';
import { useState } from 'react';
import { ApiProblem, problemText } from '../../shared/api/api-problem.ts';
import { mergedText } from '../../shared/contractor/use-receiver.ts';
import { useOpenContractor } from '../../shared/dialogs/contractor-opener.tsx';
import { type Send, useSend } from '../../shared/form/use-send.ts';
import { useRights } from '../../shared/session/use-rights.ts';
import { toasts } from '../../shared/toasts/toasts.ts';
import { contractorFieldLabel } from './contractor-fields.ts';

interface Clash {
  /** Who changed what meanwhile. */
  readonly text: string;
  readonly revision: number;
}

const clashOf = ({ conflicts, revision }: ApiProblem): Clash => {
  const lines = conflicts.map(({ by, field }) => `${by.name || 'другой сотрудник'}: ${contractorFieldLabel(field)}`);
  return { text: [...new Set(lines)].join('; '), revision: revision ?? 0 };
};

/** Takes the merge back and says how that went, with the way to who stands apart again. */
const undoMerge = async (send: Send, commandId: string, nick: string, show: () => void): Promise<void> => {
  try {
    await send('POST', '/api/undo', { commandId });
    toasts.success(`Объединение отменено: ${nick} снова отдельно`, { text: 'Показать', run: show });
  } catch (thrown) {
    toasts.error(`Не удалось отменить объединение. ${problemText(thrown)}`);
  }
};

/** A merge and what becomes of it. */
export interface Merge {
  /** It waits for a yes. */
  readonly asking: boolean;
  readonly setAsking: (asking: boolean) => void;
  readonly busy: boolean;
  /** Why it was not made. */
  readonly problem: string | null;
  readonly clearProblem: () => void;
  /** The contractor was changed meanwhile; the next try stands on that. */
  readonly clash: Clash | null;
  readonly start: (target: ContractorWire) => void;
}

/** Makes the contractor a part of another one, with a way back; `onMerged` is told of which. */
export const useMerge = (contractor: ContractorWire, onMerged: (intoId: string) => void): Merge => {
  const send = useSend();
  const { can, actor } = useRights();
  const [asking, setAsking] = useState(false);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [clash, setClash] = useState<Clash | null>(null);
  const openContractor = useOpenContractor();
  const nick = contractor.adminUsername;
  const show = (): void => openContractor(contractor.id);

  const merge = async (target: ContractorWire): Promise<void> => {
    setBusy(true);
    setProblem(null);
    try {
      const { commandId } = await send('POST', `/api/contractors/${contractor.id}/merge`, {
        intoId: target.id,
        baseRevision: Math.max(contractor.revision, clash?.revision ?? 0),
      });
      const undoable = commandId !== null && can('command.undo', { actorId: actor.userId });
      toasts.info(
        mergedText(nick, target),
        undoable ? { text: 'Отменить', run: () => void undoMerge(send, commandId, nick, show) } : undefined,
      );
      onMerged(target.id);
    } catch (thrown) {
      setAsking(false);
      const isClash = thrown instanceof ApiProblem && thrown.code === 'CONFLICT' && thrown.conflicts.length > 0;
      if (isClash) setClash(clashOf(thrown));
      setProblem(isClash ? null : problemText(thrown));
      setBusy(false);
    }
  };
  const start = (target: ContractorWire): void => {
    merge(target).catch((thrown: unknown) => setProblem(problemText(thrown)));
  };
  return { asking, setAsking, busy, problem, clearProblem: () => setProblem(null), clash, start };
};
