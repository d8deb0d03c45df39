import { useMemo, useRef } from 'react';
import { showPayment } from '@zakup/domain/topics';
import { useApi } from '../../../shared/api/api-context.tsx';
import { requestReveal } from '../../../shared/campaign/reveal-requests.ts';
import { useMoment } from '../../../shared/moment/moment-context.ts';
import { problemText } from '../../../shared/api/api-problem.ts';
import type { Query } from '../../../shared/api/api-client.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useGo } from '../../../shared/ui/use-go.ts';
import { roubles } from '../../../shared/money/roubles.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { offerUndo, withdrawOffer } from '../../../shared/undo/undo-requests.ts';
import {
  addDraft,
  changeDraft,
  otherPayment,
  type Outcome,
  outcomeOf,
  paymentDraft,
  removeDraft,
} from './placement-commands.ts';
import type { PlacementForm } from '../dialogs/placement-form.ts';
import type { Names, PlacementRow } from './placement-row.ts';

/** A placement that was added while its form stays open for the next one. */
export interface AddedMore {
  /** Goes to its row. */
  readonly show: () => void;
  /** False = the server refused it, which was said. */
  readonly isTaken: Promise<boolean>;
}

export interface PlacementActions {
  readonly add: (form: PlacementForm) => Promise<void>;
  readonly addMore: (form: PlacementForm) => AddedMore;
  /** Members of the body of a change (a contractor by its nick). */
  readonly change: (row: PlacementRow, body: Readonly<Record<string, unknown>>) => void;
  readonly togglePayment: (row: PlacementRow) => void;
  /** The same with a way back, where no key undoes: of the last such payment alone. */
  readonly pay: (row: PlacementRow) => Promise<void>;
  /** With a way back where `restorable`. */
  readonly remove: (row: PlacementRow, restorable: boolean) => Promise<void>;
  readonly download: (format: 'csv' | 'xlsx', query: Query) => Promise<void>;
}

/** What is done to the placements of a campaign, each saying how it went; the same object while `names` stay. */
export const usePlacementActions = (campaignId: string, names: Names): PlacementActions => {
  const outbox = useOutbox();
  const api = useApi();
  const go = useGo();
  const lastPaid = useRef<string | null>(null);
  const at = useMoment()?.position ?? undefined;
  return useMemo(() => {
    const issueAdd = (form: PlacementForm) => {
      const issued = outbox.issue(addDraft(campaignId, form));
      const placementId = outbox.entries().find(({ id }) => id === issued)?.target.id;
      const show = (): void => {
        if (placementId !== undefined && !requestReveal({ campaignId, placementId }))
          go(`/dashboard?${new URLSearchParams({ campaign: campaignId }).toString()}`);
      };
      const answered = async (): Promise<Outcome | null> => {
        const outcome = await outcomeOf(outbox, issued);
        if (outcome?.kind === 'rejected') toasts.error(`Ошибка при добавлении размещения: ${outcome.reason}`);
        return outcome;
      };
      return { show, outcome: answered() };
    };
    return {
      add: async (form) => {
        const { show, outcome } = issueAdd(form);
        show();
        if ((await outcome)?.kind === 'accepted')
          toasts.success('Размещение добавлено', { text: 'Показать', run: show });
      },
      addMore: (form) => {
        const { show, outcome } = issueAdd(form);
        return { show, isTaken: outcome.then((answer) => answer?.kind !== 'rejected') };
      },
      change: (row, body) => void outbox.issue(changeDraft(row, body, names)),
      togglePayment: (row) => void outbox.issue(paymentDraft(row)),
      pay: async (row) => {
        if (lastPaid.current !== null) withdrawOffer(lastPaid.current);
        const issued = outbox.issue(paymentDraft(row));
        lastPaid.current = issued;
        offerUndo(
          issued,
          `${showPayment(otherPayment(row))}: ${row.nick}, ${roubles(row.placement.price)}`,
          'Отменить',
        );
        if ((await outcomeOf(outbox, issued))?.kind !== 'accepted') withdrawOffer(issued);
      },
      remove: async (row, restorable) => {
        const issued = outbox.issue(removeDraft(row));
        const outcome = await outcomeOf(outbox, issued);
        if (outcome?.kind !== 'accepted') return;
        const told = `Удалено: ${row.nick}, ${roubles(row.placement.price)}`;
        if (restorable) offerUndo(issued, told);
        else toasts.info(told);
      },
      download: async (format, query) => {
        try {
          await api.download(`/api/campaigns/${campaignId}/export`, {
            name: `placements.${format}`,
            query: { ...query, at },
          });
        } catch (thrown) {
          toasts.error(`Не скачалось: ${problemText(thrown)}`);
        }
      },
    };
  }, [outbox, api, go, campaignId, names, at]);
};
