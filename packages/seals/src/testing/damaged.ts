import { CorruptSalt, CorruptSeal, type SealStore } from '../seal-store.ts';

/** The store with that seal of the licence damaged. */
export const withDamagedSeal = (seals: SealStore, licenceId: string, number: number): SealStore => ({
  ...seals,
  async last(of) {
    const last = await seals.last(of);
    if (of === licenceId && last?.seal.number === number) throw new CorruptSeal('a test', of, number);
    return last;
  },
  async read(of, range) {
    const found = await seals.read(of, range);
    if (of === licenceId && found.some(({ seal }) => seal.number === number))
      throw new CorruptSeal('a test', of, number);
    return found;
  },
});

/** The store with the salt of the licence damaged. */
export const withDamagedSalt = (seals: SealStore, licenceId: string): SealStore => ({
  ...seals,
  async saltKey(of, fresh) {
    if (of === licenceId) throw new CorruptSalt(of, 'a test');
    return seals.saltKey(of, fresh);
  },
});

/** The store with the salt of the licence gone. */
export const withLostSalt = (seals: SealStore, licenceId: string): SealStore => ({
  ...seals,
  saltKey: async (of, fresh) => (of === licenceId ? fresh() : seals.saltKey(of, fresh)),
});
