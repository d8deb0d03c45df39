import { existsSync, statSync } from 'node:fs';
import { holdsAdmin } from '@zakup/credentials/sqlite/sqlite-tables';
import { storedHead } from '@zakup/event-store/sqlite/log-file';
import { DataDirRefused } from './data-dir-refused.ts';
import { keyFiles } from './data-dir-secrets.ts';
import { storeFiles } from './store-files.ts';

// SQLite takes an empty file for a new database.
const isThere = (file: string): boolean => existsSync(file) && statSync(file).size > 0;

/**
 * Refuses a folder of which one part is gone while another shows that it was there: each would silently be made anew. Changes nothing.
 * Throws `DataDirRefused`, or the store's error naming its file when it cannot be read.
 */
export function refuseLostParts(dir: string): void {
  const { events, credentials } = storeFiles(dir);
  if (!isThere(events)) {
    if (!isThere(credentials) || !holdsAdmin(credentials)) return;
    throw new DataDirRefused(
      events,
      `Нет журнала ${events}, а в ${credentials} уже есть администратор: все данные были бы потеряны. Верните журнал из копии. Чтобы начать заново, задайте пустую DATA_DIR.`,
    );
  }
  const keys = keyFiles(dir);
  const lost = [
    ...(isThere(credentials) ? [] : [credentials]),
    ...(existsSync(keys.folder)
      ? [keys.jwtSecret, keys.credentialsKey].filter((file) => !existsSync(file))
      : [keys.folder]),
  ];
  const [first] = lost;
  if (first === undefined || storedHead(events) === 0) return;
  throw new DataDirRefused(
    first,
    `Нет ${lost.join(' и ')}, а в журнале ${events} уже есть события: пароли и сеансы были бы потеряны. Верните недостающее из копии. Чтобы начать заново, удалите и журнал: events.db, events.db.head и read-models.db с их файлами -wal и -shm.`,
  );
}
