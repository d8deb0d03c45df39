import { formatNumber } from '@zakup/domain/russian';
import { Button } from './button.tsx';

/** The way to the rows that are not shown yet. */
export const LoadMore = ({
  rest,
  among = 'rows',
  small = false,
  look,
  busy = false,
  onMore,
}: {
  /** How many there still are; absent = not known. */
  readonly rest?: number;
  /** Below a table or a list, or below the lines that explain a figure. */
  readonly among?: 'rows' | 'lines';
  readonly small?: boolean;
  readonly look?: 'plain';
  /** True while more are on their way. */
  readonly busy?: boolean;
  readonly onMore: () => void;
}) => (
  <Button
    small={small || among === 'lines'}
    {...((look === 'plain' || among === 'lines') && { look: 'plain' as const })}
    disabled={busy}
    onClick={onMore}
  >
    {busy && among === 'lines'
      ? 'Загрузка…'
      : rest === undefined
        ? 'Показать ещё'
        : `Показать ещё${among === 'lines' ? ', осталось' : ':'} ${formatNumber(rest)}`}
  </Button>
);
