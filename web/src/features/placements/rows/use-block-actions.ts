import { formatNumber, plural } from '@zakup/domain/russian';
import { useEffect, useMemo } from 'react';
import { maxBatchSize } from '../../../shared/outbox/batch.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import type { BlockActions } from '../../../shared/table/grid-range.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import type { BlockChange } from './block-changes.ts';
import type { PlacementRow } from './placement-row.ts';
import type { CampaignPlacements } from './use-campaign-placements.ts';

const cellsText = (count: number): string => `${formatNumber(count)} ${plural(count, 'ячейка', 'ячейки', 'ячеек')}`;

/** Not of the first load: it comes behind it, so that it is there when a line is lost. */
const blockChanges = () => import('./block-changes.ts');
type BlockChanges = Awaited<ReturnType<typeof blockChanges>>;

interface Doing {
  readonly label: string;
  readonly done: string;
}

const doings = {
  clear: { label: 'Очистка', done: 'Очищено' },
  down: { label: 'Заполнение вниз', done: 'Заполнено' },
  right: { label: 'Заполнение вправо', done: 'Заполнено' },
} as const satisfies Readonly<Record<string, Doing>>;

/** Fills and clears blocks of cells, each as one command; what of it is left out is said. */
export const useBlockActions = ({
  names,
  rights: { editable },
}: CampaignPlacements): Pick<BlockActions<PlacementRow>, 'onClear' | 'onFill'> => {
  const outbox = useOutbox();
  useEffect(() => void blockChanges().catch(() => undefined), []);
  return useMemo(() => {
    const deps = { names, editable };
    const issue = (
      { drafts, cells, skipped, reasons }: BlockChange,
      { label, done }: Doing,
      oneCommand: BlockChanges['oneCommand'],
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
    const change = (doing: Doing, changeOf: (changes: BlockChanges) => BlockChange): void =>
      void blockChanges().then(
        (changes) => issue(changeOf(changes), doing, changes.oneCommand),
        () => toasts.error('Не загрузилось, ничего не изменено. Попробуйте ещё раз'),
      );
    return {
      onClear: (block) => change(doings.clear, ({ clearedBlock }) => clearedBlock(block, deps)),
      onFill: (block, direction) => change(doings[direction], ({ filledBlock }) => filledBlock(block, direction, deps)),
    };
  }, [outbox, names, editable]);
};
