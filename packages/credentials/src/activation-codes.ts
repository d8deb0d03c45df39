import { makeActivationCode, type RandomBytes } from './codes.ts';
import type { Credentials } from './credentials.ts';
import { codeVault, hashToken, makeToken, sameText } from './secrets.ts';
import type { CodeRow, Tables } from './tables.ts';

const minute = 60_000;
const codeLife = 10 * minute;
const ticketLife = 10 * minute;
const resendAfter = minute;
const tries = 5;

type ActivationCodes = Pick<
  Credentials,
  'makeActivationCode' | 'checkActivationCode' | 'pendingActivationCode' | 'openTicket' | 'ticket'
>;

export const activationCodes = (tables: Tables, key: Uint8Array, random: RandomBytes): ActivationCodes => {
  const vault = codeVault(key, random);
  const idOf = (by: CodeRow['by'], licenceId: string): string => `${by}:${licenceId}`;
  const isLive = (row: CodeRow, now: number): boolean => row.triesLeft > 0 && row.expiresAt > now;

  return {
    makeActivationCode: async (licenceId, by, now) =>
      tables.transaction(() => {
        const id = idOf(by, licenceId);
        const earlier = tables.codes.get(id);
        if (by === 'owner' && earlier !== undefined && now < earlier.madeAt + resendAfter) {
          return { kind: 'too_soon', retryAt: earlier.madeAt + resendAfter };
        }
        if (by === 'admin') tables.codes.remove(idOf('owner', licenceId));
        const code = makeActivationCode(random);
        const expiresAt = now + codeLife;
        tables.codes.put({
          id,
          licenceId,
          by,
          hash: vault.hash(licenceId, code),
          sealed: by === 'owner' ? vault.seal(licenceId, code) : null,
          madeAt: now,
          expiresAt,
          triesLeft: tries,
        });
        return { kind: 'made', code, expiresAt };
      }),

    checkActivationCode: async (licenceId, code, now) =>
      tables.transaction(() => {
        const live = tables.codes.by('licenceId', licenceId).filter((row) => isLive(row, now));
        if (live.length === 0) return { kind: 'spent' };
        const given = vault.hash(licenceId, code);
        if (live.filter((row) => sameText(row.hash, given)).length > 0) return { kind: 'right' };
        for (const row of live) tables.codes.put({ ...row, triesLeft: row.triesLeft - 1 });
        return { kind: 'wrong' };
      }),

    pendingActivationCode: async (licenceId, now) => {
      const row = tables.codes.get(idOf('owner', licenceId));
      if (row === undefined || row.sealed === null || !isLive(row, now)) return null;
      const code = vault.open(licenceId, row.sealed);
      return code === null ? null : { code, expiresAt: row.expiresAt };
    },

    openTicket: async (licenceId, now) =>
      tables.transaction(() => {
        for (const row of tables.tickets.all()) {
          if (row.expiresAt <= now) tables.tickets.remove(row.hash);
        }
        const ticket = makeToken(random);
        const expiresAt = now + ticketLife;
        tables.tickets.put({ hash: hashToken(ticket), licenceId, expiresAt });
        return { ticket, expiresAt };
      }),

    ticket: async (ticket, now, options) => {
      const hash = hashToken(ticket);
      const live = () => {
        const row = tables.tickets.get(hash);
        return row === undefined || row.expiresAt <= now ? null : { licenceId: row.licenceId };
      };
      if (options?.use !== true) return live();
      return tables.transaction(() => {
        const found = live();
        if (found === null) return null;
        for (const row of tables.tickets.by('licenceId', found.licenceId)) tables.tickets.remove(row.hash);
        for (const row of tables.codes.by('licenceId', found.licenceId)) tables.codes.put({ ...row, triesLeft: 0 });
        return found;
      });
    },
  };
};
