import { useEffect, useState } from 'react';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';
import { type CellBlock, rowsOf } from '../../../shared/table/grid-range.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import type { PlacementRow } from './placement-row.ts';
import type { CampaignPlacements } from './use-campaign-placements.ts';

/** Not of the first load: it comes behind it, so that it is there when a line is lost. */
const rowCommands = () => import('./row-commands.ts');
type RowCommands = Awaited<ReturnType<typeof rowCommands>>;

type Block = CellBlock<PlacementRow>;

/** What is done to whole rows of a block, each time as one command, and the dialog that asks for it. */
export const useRowActions = (placements: CampaignPlacements) => {
  const outbox = useOutbox();
  const { person } = useSession();
  const [dialog, setDialog] = useState<{
    readonly kind: 'change' | 'remove';
    readonly rows: readonly PlacementRow[];
  } | null>(null);
  useEffect(() => void rowCommands().catch(() => undefined), []);
  const run = (act: (commands: RowCommands) => void): void =>
    void rowCommands().then(act, () => toasts.error('Не загрузилось, ничего не изменено. Попробуйте ещё раз'));
  const deps = { outbox, placements, personId: person.id };
  return {
    onDuplicate: (block: Block) => run(({ duplicateRows }) => void duplicateRows(rowsOf(block), deps)),
    /** The payment of all of them becomes what a press makes of the row's. */
    onPayRows: (block: Block, row: PlacementRow) => run(({ payRows }) => payRows(rowsOf(block), row, deps)),
    onChangeRows: (block: Block) => setDialog({ kind: 'change', rows: rowsOf(block) }),
    onRemoveRows: (block: Block) => setDialog({ kind: 'remove', rows: rowsOf(block) }),
    /** What the open dialog is given; `null` = none is open. */
    rowsDialog: dialog && {
      ...deps,
      ...dialog,
      onRemove: () => setDialog({ ...dialog, kind: 'remove' }),
      onClose: () => setDialog(null),
    },
  };
};
