import type { Lease, Leases } from '@zakup/read-store/leases';

/** Leases among the parts of one process, for stores that no other process can open. `fence`: above every one that was used before. */
export const inProcessLeases = ({ fence: first }: { readonly fence: number }): Leases => {
  const turns = new Map<string, Promise<void>>();
  let fence = first;

  return {
    async acquire(name, signal) {
      const before = turns.get(name) ?? Promise.resolve();
      let free = (): void => undefined;
      const mine = new Promise<void>((resolve) => {
        free = resolve;
      });
      turns.set(
        name,
        before.then(() => mine),
      );
      const aborted = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        else signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([before, aborted]);
      if (signal.aborted) {
        free();
        return null;
      }
      const lost = new AbortController();
      const lease: Lease = {
        name,
        fence,
        lost: lost.signal,
        async release() {
          lost.abort();
          free();
        },
      };
      fence += 1;
      return lease;
    },
  };
};
