import { followsSeal } from './follows.ts';
import { type KnownSealKey, type SealStore, SealsUnavailable, type StoredSeal } from './seal-store.ts';

/** Seals in this process's memory; nothing of it outlives the process. */
export const inMemorySealStore = (): SealStore => {
  const seals = new Map<string, StoredSeal[]>();
  const salts = new Map<string, Uint8Array>();
  const keys = new Map<string, KnownSealKey>();
  let [followed, fence, open] = [0, 0, true];

  const mustBeOpen = (): void => {
    if (!open) throw new SealsUnavailable('The seal store is closed');
  };
  const of = (licenceId: string): readonly StoredSeal[] => {
    mustBeOpen();
    return seals.get(licenceId) ?? [];
  };

  return {
    last: async (licenceId) => of(licenceId).at(-1) ?? null,
    read: async (licenceId, { after = 0, limit = 500 } = {}) => of(licenceId).slice(after, after + limit),
    async add(next, given) {
      const { licenceId } = next.seal;
      const before = of(licenceId);
      if (given < fence) return { kind: 'lost_lease', fence };
      fence = given;
      const last = before.at(-1) ?? null;
      if (!followsSeal(last, next)) return { kind: 'not_next', last };
      seals.set(licenceId, [...before, structuredClone(next)]);
      return { kind: 'added' };
    },
    async licences() {
      mustBeOpen();
      return [...seals.keys()];
    },
    async saltKey(licenceId, fresh) {
      mustBeOpen();
      const kept = salts.get(licenceId) ?? Uint8Array.from(fresh());
      salts.set(licenceId, kept);
      return kept;
    },
    async addKey(key) {
      mustBeOpen();
      if (!keys.has(key.fingerprint)) keys.set(key.fingerprint, key);
    },
    async keys() {
      mustBeOpen();
      return [...keys.values()];
    },
    async followed() {
      mustBeOpen();
      return followed;
    },
    async follow(position, given) {
      mustBeOpen();
      if (given < fence) return;
      fence = given;
      followed = Math.max(followed, position);
    },
    async reached() {
      mustBeOpen();
      return Math.max(0, ...[...seals.values()].map((list) => list.at(-1)?.position ?? 0));
    },
    async fence() {
      mustBeOpen();
      return fence;
    },
    async close() {
      open = false;
    },
  };
};
