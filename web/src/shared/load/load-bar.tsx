import type { LoadProgress } from '@zakup/contracts/socket';
import { formatNumber } from '@zakup/domain/russian';
import { LiveRegion } from '../toasts/live-region.tsx';
import './load-bar.css';

/** Over what a long load will take the place of: how far it is. A screen reader is told of each quarter, and finds the rest in the bar. */
export const LoadBar = ({ progress: { sent, total } }: { readonly progress: LoadProgress }) => {
  const words = `Загружено ${formatNumber(sent)} из ${formatNumber(total)}`;
  const quarters = Math.floor((4 * sent) / total);
  return (
    <div className="z-load-bar">
      <p>
        <progress aria-label="Загрузка" aria-valuetext={words} value={sent} max={total} />
        <span aria-hidden="true">{words}</span>
      </p>
      <LiveRegion className="z-visually-hidden">{quarters > 0 && `Загружено ${25 * quarters}%`}</LiveRegion>
    </div>
  );
};
