import { Tick } from '@blueprintjs/icons';
import { type ReactNode, useCallback, useRef } from 'react';
import type { PlacementRow } from '../rows/placement-row.ts';
import { useOutbox } from '../../../shared/outbox/outbox-context.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import { failedDialog } from '../../../shared/ui/failed-dialog.tsx';
import { lazyPart } from '../../../shared/ui/lazy-part.tsx';
import { LeadsEntryButton } from '../leads-entry/leads-entry-button.tsx';
import type { CampaignPlacements } from '../rows/use-campaign-placements.ts';
import { useRowActions } from '../rows/use-row-actions.ts';
import { CardTicksBar } from './card-ticks-bar.tsx';
import { PlacementCards, type PlacementCardsProps } from './placement-cards.tsx';
import { SwipeHint, useSwipeHint } from './swipe-hint.tsx';
import { useTickedCards } from './use-ticked-cards.ts';
import './cards.css';

const RowsDialogs = lazyPart(async () => (await import('../dialogs/rows-dialogs.tsx')).RowsDialogs, {
  failed: failedDialog,
});

/** The placements of a campaign on a narrow screen: as cards, with what is done to many of them at once. */
export const CardList = ({
  placements,
  rows,
  colleagues,
  empty,
}: Pick<PlacementCardsProps, 'rows' | 'colleagues'> & {
  readonly placements: CampaignPlacements;
  /** What stands where no card does. */
  readonly empty: ReactNode;
}) => {
  const { revealed, names, rights, actions, openers, columns, preview } = placements;
  const outbox = useOutbox();
  const ticks = useTickedCards(rows, columns);
  const { rowsDialog, onChangeRows, onRemoveRows } = useRowActions(placements);
  const ticking = useRef<HTMLButtonElement>(null);
  const [hinted, learnSwipe] = useSwipeHint();
  const { pay } = actions;
  const onPay = useCallback((row: PlacementRow) => void pay(row), [pay]);
  const onSwipe = useCallback(
    (row: PlacementRow) => {
      learnSwipe();
      onPay(row);
    },
    [learnSwipe, onPay],
  );
  const isTicking = ticks.ids !== null;
  const mayHint = !hinted && !isTicking && rows.some(rights.editable);
  return (
    <>
      {preview === null && placements.rows.length > 0 && (
        <div className="z-card-tools">
          {!rights.readOnly && <LeadsEntryButton placements={placements} />}
          {(rows.length > 0 || isTicking) && (
            <Button
              ref={ticking}
              icon={<Tick size={14} />}
              aria-pressed={isTicking}
              onClick={isTicking ? ticks.end : ticks.begin}
            >
              Отметить
            </Button>
          )}
        </div>
      )}
      {mayHint && <SwipeHint onClose={learnSwipe} />}
      {rows.length === 0 ? (
        empty
      ) : (
        <PlacementCards
          rows={rows}
          revealed={revealed}
          colleagues={colleagues}
          names={names}
          outbox={outbox}
          ticked={ticks.ids}
          editable={rights.editable}
          onTick={ticks.tick}
          onPay={onPay}
          onSwipe={onSwipe}
          onOpenContractor={openers.onOpenContractor}
          onEdit={openers.onEdit}
          onHistory={openers.onHistory}
          onWhy={openers.onWhy}
          onRemove={openers.onRemove}
        />
      )}
      {isTicking && (
        <CardTicksBar
          ticks={ticks}
          onChange={rights.readOnly ? null : onChangeRows}
          onRemove={rights.readOnly ? null : onRemoveRows}
          onEnd={() => {
            ticks.end();
            ticking.current?.focus({ preventScroll: true });
          }}
        />
      )}
      {rowsDialog && <RowsDialogs {...rowsDialog} />}
    </>
  );
};
