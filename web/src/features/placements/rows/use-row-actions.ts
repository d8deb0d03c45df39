import { useEffect } from 'react';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { useSession } from '../../../shared/session/session-context.tsx';
import { type BlockActions, rowsOf } from '../../../shared/table/grid-range.ts';
import { toasts } from '../../../shared/toasts/toasts.ts';
import type { PlacementRow } from './placement-row.ts';
import type { CampaignPlacements } from './use-campaign-placements.ts';

/** Not of the first load: it comes behind it, so that it is there when a line is lost. */
const rowCommands = () => import('./row-commands.ts');
type RowCommands = Awaited<ReturnType<typeof rowCommands>>;

/** What is done to whole rows of a block, each time as one command. */
export const useRowActions = (placements: CampaignPlacements): Pick<BlockActions<PlacementRow>, 'onDuplicate'> => {
  const outbox = useOutbox();
  const { person } = useSession();
  useEffect(() => void rowCommands().catch(() => undefined), []);
  const run = (act: (commands: RowCommands) => void): void =>
    void rowCommands().then(act, () => toasts.error('Не загрузилось, ничего не изменено. Попробуйте ещё раз'));
  return {
    onDuplicate: (block) =>
      run(({ duplicateRows }) => void duplicateRows(rowsOf(block), { outbox, placements, personId: person.id })),
  };
};
