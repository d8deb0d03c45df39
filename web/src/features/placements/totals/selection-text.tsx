import { useEffect } from 'react';
import type { CellBlock } from '../../../shared/table/grid-range.ts';
import { announce } from '../../../shared/toasts/toasts.ts';
import { Fitted } from '../../../shared/ui/fitted.tsx';
import type { PlacementRow } from '../rows/placement-row.ts';
import { describeSelection } from './describe-selection.ts';
import './selection-text.css';

/** How long a selection stays as it is before it is said: a held key does not say every step. */
const settledMillis = 500;

/** What a block comes to; said politely once it stays. */
export const SelectionText = ({
  block,
  onChange,
}: {
  readonly block: CellBlock<PlacementRow>;
  readonly onChange: ((block: CellBlock<PlacementRow>) => void) | null;
}) => {
  const { whole: text, short } = describeSelection(block);
  useEffect(() => {
    const timer = setTimeout(() => announce(text), settledMillis);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div className="z-selection z-fits">
      <span className="z-selection-status" title={text}>
        <Fitted short={short}>{text}</Fitted>
      </span>
      {onChange && (
        <button type="button" className="z-link" onClick={() => onChange(block)}>
          Изменить…
        </button>
      )}
    </div>
  );
};
