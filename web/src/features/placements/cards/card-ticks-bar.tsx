import type { CellBlock } from '../../../shared/table/grid-range.ts';
import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { Button } from '../../../shared/ui/button.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import { describeSelection } from '../totals/describe-selection.ts';
import type { TickedCards } from './use-ticked-cards.ts';

type Act = (block: CellBlock<PlacementRow>) => void;

/** What the ticked cards come to and what may be done to them, at the foot of the screen while cards are ticked. */
export const CardTicksBar = ({
  ticks: { block, areAll, tickAll },
  onChange,
  onRemove,
  onEnd,
}: {
  readonly ticks: TickedCards;
  /** Both null = nothing of the campaign may be changed. */
  readonly onChange: Act | null;
  readonly onRemove: Act | null;
  readonly onEnd: () => void;
}) => (
  <section className="z-card-ticks" aria-label="Отмеченные размещения">
    <LiveRegion later className="z-card-ticks-text">
      {block === null ? 'Отметьте карточки' : describeSelection(block).short}
    </LiveRegion>
    <div className="z-card-ticks-buttons">
      <Button onClick={() => tickAll(!areAll)}>{areAll ? 'Снять все' : 'Все'}</Button>
      {onChange && (
        <Button disabled={block === null} onClick={() => block && onChange(block)}>
          Изменить…
        </Button>
      )}
      {onRemove && (
        <Button disabled={block === null} onClick={() => block && onRemove(block)}>
          Удалить…
        </Button>
      )}
      <Button look="primary" onClick={onEnd}>
        Готово
      </Button>
    </div>
  </section>
);
