import type { ImportWire } from '@zakup/contracts/imports';
import { writtenText } from '@zakup/domain/import/written-text';
import { formatNumber } from '@zakup/domain/russian';
import { rowsText } from './rows-text.ts';

/** «Импорт: 1 200 строк, файл закуп.csv». */
export const importLabel = ({ name, total }: Pick<ImportWire, 'name' | 'total'>): string =>
  `Импорт: ${[rowsText(total), name === '' ? null : `файл ${name}`].filter((part) => part !== null).join(', ')}`;

const ends: Readonly<Record<Exclude<ImportWire['status'], 'running'>, string>> = {
  done: 'Готово',
  cancelled: 'Остановлен',
  failed: 'Прерван',
};

const ownStateText = (one: ImportWire): string =>
  one.status === 'running'
    ? `Записано ${formatNumber(one.done)} из ${formatNumber(one.total)}`
    : `${ends[one.status]}: ${writtenText(one)}`;

const asBefore = (kept: number, all: string, but: string): string =>
  kept === 0 ? all : `${but}. Остались как есть: ${formatNumber(kept)}`;

/** What became of an import, or how far it or its undo has come. */
export const stateText = (one: ImportWire): string => {
  const { undo } = one;
  if (undo === undefined) return ownStateText(one);
  const { status, restores, done, total, kept } = undo;
  const far = `${formatNumber(done)} из ${formatNumber(total)}`;
  switch (status) {
    case 'running':
      return `${restores ? 'Возвращается' : 'Отменяется'}: ${far}`;
    case 'failed':
      return `${restores ? 'Возврат прерван' : 'Отмена прервана'}: ${far}`;
    case 'done':
      return restores
        ? asBefore(kept, ownStateText(one), ownStateText(one))
        : asBefore(kept, 'Импорт отменён: всё стало как было', 'Импорт отменён');
  }
};

/** What is going on with it now, in percent; null = nothing. */
export const progressOf = ({ status, done, total, undo }: ImportWire): number | null => {
  const going = undo?.status === 'running' ? undo : status === 'running' ? { done, total } : null;
  if (going === null) return null;
  return going.total === 0 ? 0 : (going.done / going.total) * 100;
};

/** Nothing of it is in effect. */
export const isUndone = ({ undo }: ImportWire): boolean => undo?.status === 'done' && !undo.restores;
