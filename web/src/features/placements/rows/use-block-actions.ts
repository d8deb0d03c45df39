import { useEffect, useMemo } from 'react';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import type { BlockActions } from '../../../shared/table/grid-range.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import type { PlacementRow } from './placement-row.ts';
import type { CampaignPlacements } from './use-campaign-placements.ts';

/** Not of the first load: it comes behind it, so that it is there when a line is lost. */
const blockCommands = () => import('./block-commands.ts');

/** Fills and clears blocks of cells, each as one command; what of it is left out is said. */
export const useBlockActions = ({
  names,
  rights: { editable },
}: CampaignPlacements): Pick<BlockActions<PlacementRow>, 'onClear' | 'onFill'> => {
  const outbox = useOutbox();
  useEffect(() => void blockCommands().catch(() => undefined), []);
  return useMemo(() => {
    const deps = { names, editable };
    const run = (act: (commands: Awaited<ReturnType<typeof blockCommands>>) => void): void =>
      void blockCommands().then(act, () => toasts.error('Не загрузилось, ничего не изменено. Попробуйте ещё раз'));
    return {
      onClear: (block) => run(({ clearBlock }) => clearBlock(block, deps, outbox)),
      onFill: (block, direction) => run(({ fillBlock }) => fillBlock(block, direction, deps, outbox)),
    };
  }, [outbox, names, editable]);
};
