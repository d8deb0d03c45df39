import { existsSync, statSync } from 'node:fs';
import { holdsAdmin } from '@zakup/credentials/sqlite/sqlite-tables';
import { storedHead } from '@zakup/event-store/sqlite/log-file';
import { holdsSeal } from '@zakup/seals/sqlite/sqlite-seal-store';
import { DataDirRefused } from './data-dir-refused.ts';
import { keyFiles } from './data-dir-secrets.ts';
import { storeFiles } from './store-files.ts';

// SQLite takes an empty file for a new database.
const isThere = (file: string): boolean => existsSync(file) && statSync(file).size > 0;

/** Stores that are on servers this time. */
export interface Elsewhere {
  readonly events: boolean;
  /** And read models. */
  readonly credentials: boolean;
}

/** What is in the folder does not move to a server by itself: both together would be two halves of different wholes. */
function refuseMixing({ events, credentials }: ReturnType<typeof storeFiles>, elsewhere: Elsewhere): void {
  const other = 'Данные сами не переносятся.';
  if (elsewhere.events && isThere(events) && storedHead(events) > 0) {
    throw new DataDirRefused(
      events,
      `В ${events} уже есть события, а EVENTSTOREDB_URL велит взять журнал с сервера. ${other} Уберите EVENTSTOREDB_URL или задайте другую DATA_DIR.`,
    );
  }
  if (elsewhere.credentials && isThere(credentials) && holdsAdmin(credentials)) {
    throw new DataDirRefused(
      credentials,
      `В ${credentials} уже есть доступы, а MONGODB_URL велит взять их с сервера. ${other} Уберите MONGODB_URL или задайте другую DATA_DIR.`,
    );
  }
}

/**
 * The key and the seals it signed were made together. One without the other would begin a second history of seals, or one that nobody who
 * knows the fingerprint can check. A key alone is new where the log cannot be asked.
 */
function refuseLostSeals({ events, seals }: ReturnType<typeof storeFiles>, dir: string, elsewhere: Elsewhere): void {
  if (elsewhere.credentials) return;
  const { sealKey } = keyFiles(dir);
  const areThere = isThere(seals) && holdsSeal(seals);
  const isOld = !elsewhere.events && isThere(events) && storedHead(events) > 0;
  const [lost, kept] = areThere ? [sealKey, seals] : [seals, sealKey];
  if (existsSync(lost) || !existsSync(kept) || !(areThere || isOld)) return;
  throw new DataDirRefused(
    lost,
    `Нет ${lost}, а ${kept} есть: печати подписанной истории начались бы заново. Верните недостающее из копии. Чтобы начать печати заново, уберите и ${kept}: прежние выгрузки истории с новыми не сойдутся.`,
  );
}

/**
 * Refuses a folder of which one part is gone while another shows that it was there: each would silently be made anew. Refuses one that holds
 * what is to come from a server this time. Changes nothing. Throws `DataDirRefused`, or the store's error naming its file when it cannot be read.
 */
export function refuseLostParts(dir: string, elsewhere: Elsewhere = { events: false, credentials: false }): void {
  const files = storeFiles(dir);
  const { events, credentials } = files;
  refuseMixing(files, elsewhere);
  refuseLostSeals(files, dir, elsewhere);
  if (elsewhere.events) return;
  if (!isThere(events)) {
    if (elsewhere.credentials || !isThere(credentials) || !holdsAdmin(credentials)) return;
    throw new DataDirRefused(
      events,
      `Нет журнала ${events}, а в ${credentials} уже есть администратор: все данные были бы потеряны. Верните журнал из копии. Если он был на сервере, задайте EVENTSTOREDB_URL. Чтобы начать заново, задайте пустую DATA_DIR.`,
    );
  }
  const keys = keyFiles(dir);
  const lost = [
    ...(elsewhere.credentials || isThere(credentials) ? [] : [credentials]),
    ...(existsSync(keys.folder)
      ? [keys.jwtSecret, keys.credentialsKey].filter((file) => !existsSync(file))
      : [keys.folder]),
  ];
  const [first] = lost;
  if (first === undefined || storedHead(events) === 0) return;
  throw new DataDirRefused(
    first,
    `Нет ${lost.join(' и ')}, а в журнале ${events} уже есть события: пароли и сеансы были бы потеряны. Верните недостающее из копии. Если доступы были на сервере, задайте MONGODB_URL. Чтобы начать заново, удалите и журнал: events.db, events.db.head и read-models.db с их файлами -wal и -shm.`,
  );
}
