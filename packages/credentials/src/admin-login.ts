import type { RandomBytes } from './codes.ts';
import type { Credentials } from './credentials.ts';
import { adminAccount } from './device-book.ts';
import type { passwordHasher } from './hashing/password-hasher.ts';
import { makeToken, sameText } from './secrets.ts';
import type { Tables, WritableTables } from './tables.ts';

export interface AdminLoginDeps {
  readonly tables: Tables;
  readonly random: RandomBytes;
  readonly hasher: ReturnType<typeof passwordHasher>;
  readonly forgetDevices: (inside: WritableTables, account: string) => Promise<void>;
  readonly forgetTriesIn: (inside: WritableTables, account: string) => Promise<void>;
  readonly forgetSteps: (inside: WritableTables, account: string) => Promise<void>;
  readonly forgetAdminSessions: (inside: WritableTables) => Promise<void>;
}

/** The one login of the platform's admin. */
export const adminLogin = ({
  tables,
  random,
  hasher,
  forgetDevices,
  forgetTriesIn,
  forgetSteps,
  forgetAdminSessions,
}: AdminLoginDeps): Pick<Credentials, 'setAdmin' | 'hasAdmin' | 'checkAdmin' | 'adminStamp'> => {
  const theAdmin = async () => (await tables.admins.all())[0];
  return {
    setAdmin: async (login, password) => {
      const hash = await hasher.hash(password);
      await tables.transaction(
        async (inside) => {
          for (const { login: earlier } of await inside.admins.all()) {
            await inside.admins.remove(earlier);
            await forgetDevices(inside, adminAccount(earlier));
            await forgetSteps(inside, adminAccount(earlier));
            if (earlier !== login) await inside.secondFactors.remove(adminAccount(earlier));
          }
          await forgetTriesIn(inside, adminAccount(login));
          await forgetAdminSessions(inside);
          await inside.admins.put({ login, hash, stamp: makeToken(random) });
        },
        { turn: 'admin' },
      );
    },
    hasAdmin: async () => (await theAdmin()) !== undefined,
    checkAdmin: async (login, password) => {
      const admin = await theAdmin();
      const [matches = false] = await hasher.matches(admin === undefined ? [] : [admin.hash], password);
      return sameText(admin?.login ?? '', login) && matches;
    },
    adminStamp: async () => (await theAdmin())?.stamp ?? null,
  };
};
