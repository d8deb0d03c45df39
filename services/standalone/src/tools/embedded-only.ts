import type { Config } from '@zakup/service-kit/config';
import { BackupRefused } from '../backup/manifest.ts';

/** Throws `BackupRefused` where something lies on a server: files of a folder are only part of it then. */
export const refuseServers = ({ eventStoreDbUrl, mongoDbUrl }: Config): void => {
  const setting = eventStoreDbUrl !== null ? 'EVENTSTOREDB_URL' : mongoDbUrl !== null ? 'MONGODB_URL' : null;
  if (setting === null) return;
  throw new BackupRefused(
    `Данные лежат на сервере (${setting}), команда копирует только встроенные хранилища. Как копировать серверы: docs/how-to/backup.md`,
  );
};

/** Keys that the settings give are in no folder, and in no backup. */
export const keysElsewhere = ({ jwtSecret, sealKey, accessCodesKey }: Config): readonly string[] => [
  ...(jwtSecret === null ? [] : ['JWT_SECRET']),
  ...(sealKey === null ? [] : ['SEAL_KEY']),
  ...(accessCodesKey === null ? [] : ['ACCESS_CODES_KEY']),
];
