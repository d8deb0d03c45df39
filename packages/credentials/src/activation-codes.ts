import { makeActivationCode, type RandomBytes } from './codes.ts';
import type { Credentials } from './credentials.ts';
import { codeVault, hashToken, makeToken, sameText } from './secrets.ts';
import type { CodeRow, ReadableTables, Tables } from './tables.ts';

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
    makeActivationCode: (licenceId, by, now, { readable } = { readable: true }) =>
      tables.transaction(async ({ codes }) => {
        const id = idOf(by, licenceId);
        const earlier = await codes.get(id);
        if (by === 'owner' && earlier !== undefined && now < earlier.madeAt + resendAfter) {
          return { kind: 'too_soon', retryAt: earlier.madeAt + resendAfter };
        }
        if (by === 'admin') await codes.remove(idOf('owner', licenceId));
        const code = makeActivationCode(random);
        const expiresAt = now + codeLife;
        await codes.put({
          id,
          licenceId,
          by,
          hash: vault.hash(licenceId, code),
          sealed: by === 'owner' && readable ? vault.seal(licenceId, code) : null,
          madeAt: now,
          expiresAt,
          triesLeft: tries,
        });
        return { kind: 'made', code, expiresAt };
      }),

    checkActivationCode: (licenceId, code, now) =>
      tables.transaction(async ({ codes }) => {
        const live = (await codes.by('licenceId', licenceId)).filter((row) => isLive(row, now));
        if (live.length === 0) return { kind: 'spent' };
        const given = vault.hash(licenceId, code);
        if (live.filter((row) => sameText(row.hash, given)).length > 0) return { kind: 'right' };
        for (const row of live) await codes.put({ ...row, triesLeft: row.triesLeft - 1 });
        return { kind: 'wrong' };
      }),

    pendingActivationCode: async (licenceId, now) => {
      const row = await tables.codes.get(idOf('owner', licenceId));
      if (row === undefined || row.sealed === null || !isLive(row, now)) return null;
      const code = vault.open(licenceId, row.sealed);
      return code === null ? null : { code, expiresAt: row.expiresAt };
    },

    openTicket: (licenceId, now) =>
      tables.transaction(async ({ tickets }) => {
        for (const row of await tickets.all()) {
          if (row.expiresAt <= now) await tickets.remove(row.hash);
        }
        const ticket = makeToken(random);
        const expiresAt = now + ticketLife;
        await tickets.put({ hash: hashToken(ticket), licenceId, expiresAt });
        return { ticket, expiresAt };
      }),

    ticket: async (ticket, now, options) => {
      const hash = hashToken(ticket);
      const live = async ({ tickets }: ReadableTables) => {
        const row = await tickets.get(hash);
        return row === undefined || row.expiresAt <= now ? null : { licenceId: row.licenceId };
      };
      if (options?.use !== true) return live(tables);
      return tables.transaction(async (inside) => {
        const found = await live(inside);
        if (found === null) return null;
        await inside.tickets.removeBy('licenceId', found.licenceId);
        for (const row of await inside.codes.by('licenceId', found.licenceId)) {
          await inside.codes.put({ ...row, triesLeft: 0 });
        }
        return found;
      });
    },
  };
};
