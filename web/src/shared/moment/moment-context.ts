import type { DocByKind, DocKind } from '@zakup/contracts/wire-entities';
import { dayOf, today } from '@zakup/domain/calendar';
import { createContext, use, useCallback, useSyncExternalStore } from 'react';
import type { Replica } from '../replica/replica.ts';

/** The moment that the screen shows. */
export interface Moment {
  /** Place in the log; null while the first one is on its way. */
  readonly position: number | null;
  /** UTC instant of its event, ISO 8601; null until it is known. */
  readonly at: string | null;
  /** Everything as it is now. */
  readonly now: Replica;
}

const MomentContext = createContext<Moment | null>(null);

export const MomentProvider = MomentContext.Provider;

/** The moment of the past that everything below shows; null = now. */
export const useMoment = (): Moment | null => use(MomentContext);

const nothing = (): void => undefined;

/** A document as it is now, while the screen shows another moment; null otherwise, and while that moment is on its way. */
export const useNowDoc = <Kind extends DocKind>(kind: Kind, id: string): DocByKind[Kind] | null => {
  const moment = useMoment();
  const now = moment === null || moment.position === null ? null : moment.now;
  const subscribe = useCallback(
    (listener: () => void) => (now === null ? nothing : now.subscribeDoc(kind, id, listener)),
    [now, kind, id],
  );
  return useSyncExternalStore(subscribe, () => now?.get(kind, id) ?? null);
};

/** The longest time after which a window that was asleep may go on saying yesterday's day. */
const dayLook = 60_000;

const onDayLook = (listener: () => void): (() => void) => {
  const timer = window.setInterval(listener, dayLook);
  return () => window.clearInterval(timer);
};
const dayNow = (): string => today(Date.now());

/** The day at UTC+3 of the moment on the screen; in the present it changes at midnight. */
export const useToday = (): string => {
  const day = useSyncExternalStore(onDayLook, dayNow);
  const at = useMoment()?.at ?? null;
  return at === null ? day : dayOf(at);
};
