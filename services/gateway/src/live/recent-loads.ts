import type { Timers } from '../http/limits/places.ts';

/** How much of long loads is kept, of one licence and of all, in documents of the store. */
export interface RoomForLoads {
  /** Null: there is no room. */
  take(licenceId: string, documents: number): (() => void) | null;
}

export const roomForLoads = ({ licence, all }: { readonly licence: number; readonly all: number }): RoomForLoads => {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    take(licenceId, documents) {
      const own = taken.get(licenceId) ?? 0;
      if (own + documents > licence || total + documents > all) return null;
      taken.set(licenceId, own + documents);
      total += documents;
      return () => {
        total -= documents;
        const left = (taken.get(licenceId) ?? 0) - documents;
        if (left > 0) taken.set(licenceId, left);
        else taken.delete(licenceId);
      };
    },
  };
};

/** Milliseconds for which a load serves those who come next: after a break everybody comes at once. */
export const shared = 1_000;
/** And a long one, where there is room: to make it anew costs far more than to send it once more. */
export const longShared = 10_000;
/** Documents of what is long. */
const long = 500;

/** Loads of one scope that were made a moment ago. */
export const recentLoads = <Load extends { readonly docs: { readonly length: number } }>({
  room,
  licenceId,
  isTimeless,
  timers,
}: {
  readonly room: RoomForLoads;
  readonly licenceId: string;
  /** Whether it stays what it is until something changes; else it is short-lived, however long. */
  readonly isTimeless: boolean;
  readonly timers: Timers;
}) => {
  const loads = new Map<string, { readonly load: Load; readonly isLong: boolean; readonly forget: () => void }>();

  return {
    get: (key: string): Load | undefined => loads.get(key)?.load,

    keep(key: string, load: Load): void {
      loads.get(key)?.forget();
      const count = load.docs.length;
      const leave = isTimeless && count >= long ? room.take(licenceId, count) : null;
      const forget = (): void => {
        timers.clearTimeout(timer);
        loads.delete(key);
        leave?.();
      };
      const timer = timers.setTimeout(forget, leave === null ? shared : longShared);
      loads.set(key, { load, isLong: leave !== null, forget });
    },

    /** Those that nobody can begin with any more. */
    forget(isOver: (load: Load) => boolean): void {
      for (const { load, forget } of loads.values()) if (isOver(load)) forget();
    },

    /** Whether one is worth waiting for those who may come. */
    hasLong: (): boolean => [...loads.values()].some(({ isLong }) => isLong),
  };
};
