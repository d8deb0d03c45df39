import { useCallback, useRef } from 'react';
import { requestReveal } from '../campaign/reveal-requests.ts';
import { openForms } from '../form/open-conflicts.ts';
import { campaignOf, type Entry } from '../outbox/entry.ts';
import { useOutbox } from '../outbox/outbox-context.tsx';
import { useReplica } from '../replica/replica-context.tsx';
import { useGo } from '../ui/use-go.ts';
import { openNotifications } from './notifications-opener.ts';

const waitsForPerson = ({ state }: Entry): boolean => state.kind === 'rejected' || state.kind === 'conflict';

/** The member whose cell says what a change waits for; undefined = it is about the whole row. */
const fieldOf = ({ body, creates, state }: Entry): string | undefined => {
  if (creates === true) return 'contractor';
  const contested = state.kind === 'conflict' ? state.conflicts.find(({ field }) => field in body) : undefined;
  return contested?.field ?? Object.keys(body)[0];
};

/**
 * Leads to the first change that waits for a choice of the person, with each call to the next one: to what an open form could not save,
 * then to cells, from wherever the person is, or, where no table shows it, to its line in the notifications, which has the same choice.
 */
export const useNextWaiting = (): (() => void) => {
  const outbox = useOutbox();
  const replica = useReplica();
  const go = useGo();
  const last = useRef<HTMLElement | string | null>(null);
  return useCallback(() => {
    const waiting = [...openForms(), ...outbox.entries().filter(waitsForPerson)];
    const before = waiting.findIndex((one) => (one instanceof HTMLElement ? one : one.id) === last.current);
    const entry = waiting[(before + 1) % Math.max(1, waiting.length)];
    if (entry === undefined) return undefined;
    if (entry instanceof HTMLElement) {
      last.current = entry;
      return entry.focus();
    }
    last.current = entry.id;
    const campaignId = campaignOf(entry);
    const { kind, id } = entry.target;
    // Its row may be gone for good, with everything that is loaded known.
    const isGone = entry.creates !== true && replica.position(entry.scope) !== null && !replica.get(kind, id);
    if (kind !== 'placement' || campaignId === null || isGone) return openNotifications(entry.id);
    const isShown = requestReveal({ campaignId, placementId: id, field: fieldOf(entry) });
    const isPast = new URLSearchParams(window.location.search).has('at');
    if (!isShown || isPast) go(`/dashboard?${new URLSearchParams({ campaign: campaignId }).toString()}`);
    return undefined;
  }, [outbox, replica, go]);
};
