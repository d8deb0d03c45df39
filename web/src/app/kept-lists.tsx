import { showInstant } from '../shared/day/shown-day.ts';
import { useEffect, useLayoutEffect, useState } from 'react';
import { useConnection, useLive } from '../shared/live/live-context.tsx';
import { keepLists, readKeptLists } from '../shared/replica/kept-lists.ts';
import { useReplica } from '../shared/replica/replica-context.tsx';
import { useSession } from '../shared/session/session-context.tsx';
import { SlotFill } from '../shared/ui/slots.tsx';

/** Milliseconds from a change of the lists to their being kept: what follows within them is kept with it. */
export const keepingTime = 10_000;

const Lists = ({ personId }: { readonly personId: string }) => {
  const replica = useReplica();
  const live = useLive();
  const { state, announced } = useConnection();
  const [kept] = useState(() => readKeptLists(localStorage, personId));

  // Before the first picture, so that nobody sees an empty frame first.
  useLayoutEffect(() => {
    if (kept !== null) replica.paint('workspace', kept.docs);
  }, [kept, replica]);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const keep = (): void => {
      timer = undefined;
      // Only what the server has said is worth keeping.
      if (replica.position('workspace') === null || live.status().state !== 'online') return;
      keepLists(localStorage, personId, replica, new Date().toISOString());
    };
    const later = (): void => {
      timer ??= setTimeout(keep, keepingTime);
    };
    const stop = replica.subscribe(later);
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [live, replica, personId]);

  const offline = state === 'offline' && announced && replica.position('workspace') === null;
  return kept !== null && offline && <SlotFill name="status-left">Данные на {showInstant(kept.savedAt)}</SlotFill>;
};

/**
 * The team's lists from one start to the next: painted first from what this browser kept, then as the server says.
 * An owner's lists are never kept, and come from the server alone.
 */
export const KeptLists = () => {
  const { person } = useSession();
  return person.role === 'CEO' ? null : <Lists key={person.id} personId={person.id} />;
};
