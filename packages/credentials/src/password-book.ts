import type { Credentials, NewPassword } from './credentials.ts';
import type { passwordHasher } from './hashing/password-hasher.ts';
import { saltOf } from './secrets.ts';
import type { Tables, WritableTables } from './tables.ts';

export interface PasswordDeps {
  readonly tables: Tables;
  readonly key: Uint8Array;
  readonly hasher: ReturnType<typeof passwordHasher>;
  /** Ends and shortens the person's sessions in one transaction with the work. */
  readonly endForPassword: (
    userId: string,
    ending: NonNullable<Parameters<Credentials['setPassword']>[2]>,
    work: (tables: WritableTables) => Promise<void>,
  ) => Promise<void>;
  readonly forgetDevices: (inside: WritableTables, account: string) => Promise<void>;
  readonly forgetTriesIn: (inside: WritableTables, account: string) => Promise<void>;
  readonly forgetSteps: (inside: WritableTables, account: string) => Promise<void>;
}

type PasswordBook = Pick<Credentials, 'setPassword' | 'setFirstPassword' | 'checkPassword' | 'removePassword'>;

/** People's passwords: a new one forgets devices, failed tries and steps of signing in that belong to the old one. */
export const passwordBook = ({
  tables,
  key,
  hasher,
  endForPassword,
  forgetDevices,
  forgetTriesIn,
  forgetSteps,
}: PasswordDeps): PasswordBook => {
  const put = async (
    inside: WritableTables,
    { userId, licenceId, temporary, validUntil }: NewPassword,
    hash: string,
  ): Promise<void> => {
    await inside.passwords.put({ userId, licenceId, temporary: temporary ? 1 : 0, validUntil, hash });
    await forgetDevices(inside, userId);
    await forgetTriesIn(inside, userId);
    await forgetSteps(inside, userId);
  };
  const hashOf = ({ typedWith }: NewPassword, password: string): Promise<string> =>
    hasher.hash(password, typedWith === undefined ? undefined : saltOf(key, typedWith));

  return {
    setPassword: async (record, password, ending) => {
      const hash = await hashOf(record, password);
      const work = (inside: WritableTables): Promise<void> => put(inside, record, hash);
      await (ending === undefined ? tables.transaction(work) : endForPassword(record.userId, ending, work));
    },

    setFirstPassword: async (record, password) => {
      if ((await tables.passwords.get(record.userId)) !== undefined) return false;
      const hash = await hashOf(record, password);
      return tables.transaction(async (inside) => {
        if ((await inside.passwords.get(record.userId)) !== undefined) return false;
        await put(inside, record, hash);
        return true;
      });
    },

    checkPassword: async (userIds, password, now) => {
      const found = await Promise.all(userIds.map((userId) => tables.passwords.get(userId)));
      const rows = found.filter((row) => row !== undefined);
      const matches = await hasher.matches(
        rows.map(({ hash }) => hash),
        password,
      );
      const [row, ...more] = rows.filter((_, index) => matches[index] === true);
      if (row === undefined || more.length > 0) return { kind: 'wrong' };
      // Another password may have been set while this one was checked.
      if ((await tables.passwords.get(row.userId))?.hash !== row.hash) return { kind: 'wrong' };
      if (row.temporary === 1 && row.validUntil !== null && row.validUntil <= now) return { kind: 'wrong' };
      const { licenceId, validUntil } = row;
      return { kind: 'right', record: { userId: row.userId, licenceId, temporary: row.temporary === 1, validUntil } };
    },

    removePassword: (userId) =>
      tables.transaction(async (inside) => {
        await inside.passwords.remove(userId);
        await forgetSteps(inside, userId);
        await forgetDevices(inside, userId);
      }),
  };
};
