import type { DocKind } from '@zakup/contracts/wire-entities';
import { createContext, use, useCallback, useEffect, useSyncExternalStore } from 'react';
import { type Entry, isHeld, isOfCampaign, isWaiting } from './entry.ts';
import { type Outbox, unsentCount } from './outbox.ts';

const OutboxContext = createContext<Outbox | null>(null);

export const OutboxProvider = OutboxContext.Provider;

/** The outbox of the signed-in person. Throws outside `OutboxProvider`. */
export const useOutbox = (): Outbox => {
  const outbox = use(OutboxContext);
  if (!outbox) throw new Error('useOutbox outside of OutboxProvider');
  return outbox;
};

/** The same, null where nobody has one. */
export const useOwnOutbox = (): Outbox | null => use(OutboxContext);

/** Everything not yet settled, in order of issue. */
export const useEntries = (): readonly Entry[] => {
  const outbox = useOutbox();
  return useSyncExternalStore(outbox.subscribe, outbox.entries);
};

const nothing = (): (() => void) => () => undefined;
const noEntries: readonly Entry[] = [];
const neverMade = (): boolean => false;

/** The same for what also stands where nothing can be changed, and where nobody has an outbox. */
export const useKnownEntries = (): Pick<Outbox, 'wasMade'> & { readonly entries: readonly Entry[] } => {
  const outbox = use(OutboxContext);
  const entries = useSyncExternalStore(outbox?.subscribe ?? nothing, () => outbox?.entries() ?? noEntries);
  return { entries, wasMade: outbox?.wasMade ?? neverMade };
};

/** What is on its way for one entity. */
export const useEntriesOf = (kind: DocKind, id: string): readonly Entry[] => {
  const outbox = useOutbox();
  const snapshot = useCallback(() => outbox.entriesOf(kind, id), [outbox, kind, id]);
  return useSyncExternalStore(outbox.subscribe, snapshot);
};

/** How many changes of a campaign wait, of its placements and its own (`null` = all there are); 0 where nothing can be changed. */
export const useWaitingIn = (campaignId: string | null): number => {
  const outbox = use(OutboxContext);
  return useSyncExternalStore(
    outbox?.subscribe ?? nothing,
    () =>
      outbox?.entries().filter((entry) => isWaiting(entry) && (campaignId === null || isOfCampaign(entry, campaignId)))
        .length ?? 0,
  );
};

export interface OutboxSummary {
  /** Not yet on the server. */
  readonly unsent: number;
  /** Apart from these, with the forms that send them themselves. */
  readonly sending: number;
  /** Those of them that could not be sent and wait for the next attempt. */
  readonly held: number;
  /** Refused or in conflict: the person has to look. */
  readonly waitingForPerson: number;
}

export const useOutboxSummary = (): OutboxSummary => {
  const outbox = useOutbox();
  const entries = useEntries();
  const sending = useSyncExternalStore(outbox.subscribe, outbox.reserved);
  return {
    unsent: unsentCount(entries),
    sending,
    held: entries.filter(isHeld).length,
    waitingForPerson: entries.filter((entry) => entry.state.kind === 'rejected' || entry.state.kind === 'conflict')
      .length,
  };
};

/** Asks before the tab closes while unsent commands would die with it. */
export const useLeaveGuard = (): void => {
  const outbox = useOutbox();
  const { unsent, sending } = useOutboxSummary();
  const needed = !outbox.durable() && unsent + sending > 0;
  useEffect(() => {
    if (!needed) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [needed]);
};
