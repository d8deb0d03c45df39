import { randomBytes } from 'node:crypto';
import { makeTemporaryPassword } from '@zakup/credentials/codes';
import type { Credentials } from '@zakup/credentials/credentials';
import { adminAccount } from '@zakup/credentials/device-book';
import { sqliteCredentials } from '@zakup/credentials/sqlite/sqlite-credentials';
import type { Config } from '@zakup/service-kit/config';
import type { Log } from '@zakup/service-kit/log';
import { openDataDir } from '../data-dir/data-dir.ts';
import { storeFiles } from '../data-dir/store-files.ts';

/** Why the password stays as it is, for the operator. */
export class AdminNotReset extends Error {
  override readonly name = 'AdminNotReset';
}

interface Opened {
  readonly credentials: Credentials;
  readonly close: () => Promise<void>;
}

const random = (bytes: number): Uint8Array => randomBytes(bytes);

const open = async ({ mongoDbUrl, eventStoreDbUrl, dataDir: path }: Config, log: Log): Promise<Opened> => {
  if (mongoDbUrl !== null) {
    const { mongoCredentials } = await import('@zakup/credentials/mongodb/mongo-credentials');
    // The key is for activation codes, which nobody asks for here.
    const credentials = await mongoCredentials({ url: mongoDbUrl, key: random(32), random, log });
    return { credentials, close: () => credentials.close() };
  }
  const dataDir = await openDataDir(path, {
    use: 'either',
    elsewhere: { events: eventStoreDbUrl !== null, credentials: false },
  });
  try {
    const { credentialsKey: key } = dataDir.secrets;
    const credentials = sqliteCredentials({ file: storeFiles(dataDir.path).credentials, key, random });
    const close = async (): Promise<void> => {
      await credentials.close();
      dataDir.close();
    };
    return { credentials, close };
  } catch (error) {
    dataDir.close();
    throw error;
  }
};

/**
 * Gives the platform admin a new password, where the settings say that the credentials lie, and answers it: earlier sessions end, known
 * devices, failures and the second factor are forgotten. Throws `AdminNotReset` when the settings give the password or there is no admin yet, and
 * `DataDirRefused` when a process holds the data folder.
 */
export const resetAdmin = async (config: Config, log: Log): Promise<string> => {
  if (config.adminPassword !== null)
    throw new AdminNotReset('Пароль задан в ADMIN_PASSWORD: смените его там и перезапустите.');
  const { credentials, close } = await open(config, log);
  try {
    if (!(await credentials.hasAdmin()))
      throw new AdminNotReset('Администратора ещё нет: он появится при первом запуске вместе с паролем.');
    const password = makeTemporaryPassword(random);
    await credentials.setAdmin(config.adminLogin, password);
    await credentials.removeSecondFactor(adminAccount(config.adminLogin));
    return password;
  } finally {
    await close();
  }
};
