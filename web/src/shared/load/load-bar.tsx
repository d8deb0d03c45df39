import type { LoadProgress } from '@zakup/contracts/socket';
import { formatNumber } from '@zakup/domain/russian';
import { LiveRegion } from '../toasts/live-region.tsx';
import './load-bar.css';

/** Over what a long load will take the place of, or in a line beside what of it is there: how far it is. A screen reader is told of each quarter, and finds the rest in the bar. */
export const LoadBar = ({
  progress: { sent, total },
  isInLine = false,
}: {
  readonly progress: LoadProgress;
  readonly isInLine?: boolean;
}) => {
  const words = `Загружено ${formatNumber(sent)} из ${formatNumber(total)}`;
  const quarters = Math.floor((4 * sent) / total);
  return (
    <div className={isInLine ? 'z-load-line' : 'z-load-bar'}>
      <p>
        <progress aria-label="Загрузка" aria-valuetext={words} value={sent} max={total} />
        <span aria-hidden="true">{words}</span>
      </p>
      <LiveRegion className="z-visually-hidden">{quarters > 0 && `Загружено ${25 * quarters}%`}</LiveRegion>
    </div>
  );
};
