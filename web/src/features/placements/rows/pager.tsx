import { LiveRegion } from '../../../shared/toasts/live-region.tsx';
import { ChevronLeft, ChevronRight } from '@blueprintjs/icons';
import { formatNumber } from '@zakup/domain/russian';
import { Button } from '../../../shared/ui/button.tsx';
import { pageSize } from '../filters/table-state.ts';

export const pagesOf = (count: number): number => Math.max(1, Math.ceil(count / pageSize));

/** Which rows are shown, the ways to the others, and all in one list; only where there are more than one page holds. */
export const Pager = ({
  count,
  page,
  whole,
  onPage,
  onWhole,
}: {
  readonly count: number;
  readonly page: number;
  readonly whole: boolean;
  readonly onPage: (page: number) => void;
  readonly onWhole: (whole: boolean) => void;
}) => {
  if (count <= pageSize) return null;
  const last = pagesOf(count);
  return (
    <nav className="z-pager" aria-label="Страницы размещений">
      {!whole && (
        <>
          <Button
            look="plain"
            small
            icon={<ChevronLeft size={14} />}
            aria-label="Предыдущая страница"
            disabled={page <= 1}
            onClick={() => onPage(page - 1)}
          />
          <LiveRegion later>
            {formatNumber((page - 1) * pageSize + 1)}–{formatNumber(Math.min(count, page * pageSize))} из{' '}
            {formatNumber(count)}
          </LiveRegion>
          <Button
            look="plain"
            small
            icon={<ChevronRight size={14} />}
            aria-label="Следующая страница"
            disabled={page >= last}
            onClick={() => onPage(page + 1)}
          />
        </>
      )}
      <span className="z-pager-sizes">
        Показывать:
        <Button look="plain" small aria-pressed={!whole} onClick={() => onWhole(false)}>
          {pageSize}
        </Button>
        <Button look="plain" small aria-pressed={whole} onClick={() => onWhole(true)}>
          все
        </Button>
      </span>
    </nav>
  );
};
