import { useEffect } from 'react';
import type { CellBlock } from '../../../shared/table/grid-range.ts';
import { announce } from '../../../shared/toasts/toasts.ts';
import type { PlacementRow } from '../rows/placement-row.ts';
import { selectionText } from './selection-sums.ts';

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
  const text = selectionText(block);
  useEffect(() => {
    const timer = setTimeout(() => announce(text), settledMillis);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <>
      <span className="z-status-text z-selection-status" title={text}>
        {text}
      </span>
      {onChange && (
        <button type="button" className="z-link" onClick={() => onChange(block)}>
          Изменить…
        </button>
      )}
    </>
  );
};
