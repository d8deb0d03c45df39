import { formatNumber, plural } from '@zakup/domain/russian';
import { maxBatchSize } from '../../../shared/outbox/batch.ts';
import type { Outbox } from '../../../shared/outbox/outbox.ts';
import type { CellBlock, FillDirection } from '../../../shared/table/grid-range.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import { type BlockChange, type BlockDeps, clearedBlock, filledBlock, oneCommand } from './block-changes.ts';
import type { PlacementRow } from './placement-row.ts';

export const cellsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'ячейка', 'ячейки', 'ячеек')}`;

interface Doing {
  readonly label: string;
  readonly done: string;
}

const doings = {
  clear: { label: 'Очистка', done: 'Очищено' },
  down: { label: 'Заполнение вниз', done: 'Заполнено' },
  right: { label: 'Заполнение вправо', done: 'Заполнено' },
} as const satisfies Readonly<Record<string, Doing>>;

const issue = (
  { drafts, cells, skipped, reasons }: BlockChange,
  { label, done }: Doing,
  outbox: Pick<Outbox, 'issue'>,
): void => {
  if (drafts.length > maxBatchSize) {
    toasts.error(`Строк больше, чем меняется за один раз (${formatNumber(maxBatchSize)}). Ничего не изменено`);
    return;
  }
  const command = oneCommand(drafts, `${label}: ${cellsText(cells)}`);
  if (command !== null) outbox.issue(command);
  if (skipped === 0) return;
  const why = reasons.slice(0, 3).join('; ');
  toasts.info(
    cells === 0
      ? `Ничего не изменено: ${why}`
      : `${done}: ${cellsText(cells)}, пропущено: ${cellsText(skipped)} (${why})`,
  );
};

export const clearBlock = (block: CellBlock<PlacementRow>, deps: BlockDeps, outbox: Pick<Outbox, 'issue'>): void =>
  issue(clearedBlock(block, deps), doings.clear, outbox);

export const fillBlock = (
  block: CellBlock<PlacementRow>,
  direction: FillDirection,
  deps: BlockDeps,
  outbox: Pick<Outbox, 'issue'>,
): void => issue(filledBlock(block, direction, deps), doings[direction], outbox);
