import { basename } from 'node:path';
import { CorruptEvent } from '@zakup/event-store/event-store';
import { CorruptDocument } from '@zakup/read-store/read-store';
import { CorruptSalt, CorruptSeal } from '@zakup/seals/seal-store';
import { behindText, type Teller } from '@zakup/service-kit/refusal-text';
import { type FileFault, UnusableFile } from '@zakup/sqlite/unusable-file';
import { BackupRefused } from './backup/manifest.ts';
import { DataDirRefused } from './data-dir/data-dir-refused.ts';

const rebuild =
  'Удалите read-models.db, read-models.db-wal и read-models.db-shm: модели чтения соберутся заново из журнала.';
const recover = 'Узнайте, что потеряно (npm run recover), или верните папку данных из копии (npm run restore).';
const restore = 'Верните папку данных из копии (npm run restore).';

/** What brings a damaged file of the data folder back. */
const cureOf = (file: string): string => {
  const name = basename(file);
  if (name.startsWith('read-models.db')) return rebuild;
  if (name.startsWith('events.db') && !name.endsWith('.head')) return recover;
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

const pathText: Teller = (error) =>
  'code' in error && typeof error.code === 'string' && 'path' in error && typeof error.path === 'string'
    ? `Файл ${error.path} недоступен (${error.code}).`
    : null;

const logText: Teller = (error) => {
  const text = behindText(error);
  return text === null ? null : `${text} Верните полный журнал. Чтобы начать заново, задайте пустую DATA_DIR.`;
};

/** Tell of a data folder and its files, naming each. */
export const fileTellers: readonly Teller[] = [
  (error) => (error instanceof BackupRefused ? error.message : null),
  (error) => (error instanceof DataDirRefused ? error.message : null),
  (error) => (error instanceof UnusableFile ? faultText[error.fault](error.file, error.reason) : null),
  (error) =>
    error instanceof CorruptEvent
      ? `Событие на позиции ${error.position} в ${error.where} повреждено. ${recover}`
      : null,
  (error) =>
    error instanceof CorruptDocument
      ? `Документ ${error.kind}/${error.id} в ${error.where} повреждён. ${rebuild}`
      : null,
  (error) =>
    error instanceof CorruptSeal
      ? `Печать ${error.number} лицензии ${error.licenceId} в ${error.where} повреждена. ${restore}`
      : null,
  (error) =>
    error instanceof CorruptSalt
      ? `Соль печатей лицензии ${error.licenceId} пропала или повреждена: без неё печатей не проверить. ${restore}`
      : null,
  logText,
  pathText,
];
