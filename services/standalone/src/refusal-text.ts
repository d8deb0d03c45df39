import { basename } from 'node:path';
import { CorruptEvent, LogBehind } from '@zakup/event-store/event-store';
import { CorruptDocument } from '@zakup/read-store/read-store';
import { type FileFault, UnusableFile } from '@zakup/sqlite/unusable-file';
import { DataDirRefused } from './data-dir/data-dir-refused.ts';

const rebuild =
  'Удалите read-models.db, read-models.db-wal и read-models.db-shm: модели чтения соберутся заново из журнала.';
const restore = 'Верните папку данных из копии.';

/** What brings a damaged file of the data folder back. */
const cureOf = (file: string): string => {
  const name = basename(file);
  if (name.startsWith('read-models.db')) return rebuild;
  if (name.endsWith('.head')) return 'Если журнал не заменяли старой копией, удалите этот файл: он запишется заново.';
  return restore;
};

const faultText: Readonly<Record<FileFault, (file: string, reason: string) => string>> = {
  damaged: (file) => `Файл ${file} повреждён. ${cureOf(file)}`,
  cut_off: (file) => `Файл ${file} обрезан. ${cureOf(file)}`,
  foreign: (file) => `Файл ${file} занят другой базой данных, не Zakup. ${cureOf(file)}`,
  newer: (file) => `Файл ${file} записан более новой версией программы. Обновите программу.`,
  inaccessible: (file) => `Файл ${file} не удаётся открыть для записи. Проверьте права на файл и папку.`,
  full: (file) => `На диске нет места для файла ${file}. Освободите место.`,
  busy: (file) => `Файл ${file} держит другая программа. Закройте её.`,
  other: (file, reason) => `Файл ${file} не удаётся использовать (${reason}).`,
};

const behindText = ({ where, head, knownBound, boundSource }: LogBehind): string => {
  const is = head === 0 ? `Журнала ${where} нет или он пуст` : `Журнал ${where} заканчивается на позиции ${head}`;
  return `${is}, а по ${boundSource} он доходил до ${knownBound}: похоже, на его месте старая копия. Верните полный журнал. Чтобы начать заново, задайте пустую DATA_DIR.`;
};

const systemText = (error: Error, port: number): string | null => {
  if (!('code' in error) || typeof error.code !== 'string') return null;
  if ('syscall' in error && error.syscall === 'listen') {
    if (error.code === 'EADDRINUSE') return `PORT: порт ${port} занят другой программой`;
    if (error.code === 'EACCES') return `PORT: порт ${port} не дают открыть`;
  }
  return 'path' in error && typeof error.path === 'string' ? `Файл ${error.path} недоступен (${error.code}).` : null;
};

/** Why it does not start: one text for the operator, which names the file or the setting. The innermost error that is known decides. */
export const refusalText = (error: unknown, port: number): string => {
  if (!(error instanceof Error)) return `Непредвиденная ошибка: ${String(error)}`;
  if (error instanceof DataDirRefused) return error.message;
  if (error instanceof UnusableFile) return faultText[error.fault](error.file, error.reason);
  if (error instanceof LogBehind) return behindText(error);
  if (error instanceof CorruptEvent)
    return `Событие на позиции ${error.position} в ${error.where} повреждено. ${restore}`;
  if (error instanceof CorruptDocument)
    return `Документ ${error.kind}/${error.id} в ${error.where} повреждён. ${rebuild}`;
  const known = systemText(error, port);
  if (known !== null) return known;
  return error.cause instanceof Error ? refusalText(error.cause, port) : `Непредвиденная ошибка: ${error.message}`;
};
