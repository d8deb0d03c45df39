import { Button } from '../../../shared/ui/button.tsx';
import { anyStatus } from '@zakup/domain/views/view-parameters';
import type { TableActions } from './use-placement-table.ts';

/** Why no placement is shown, and what leads to one. */
export const PlacementsEmpty = ({
  actions,
  filtered,
  hasRows,
  mayAdd,
}: {
  readonly actions: TableActions;
  readonly filtered: boolean;
  /** There are some, out of sight. */
  readonly hasRows: boolean;
  readonly mayAdd: boolean;
}) => {
  if (!hasRows)
    return (
      <p className="z-placements-empty">
        Размещений ещё нет.
        {mayAdd && (
          <>
            {' '}
            Добавьте первое<span className="z-key-hint">: Ctrl ↵</span>
          </>
        )}
      </p>
    );
  return (
    <div className="z-placements-empty">
      <p>Ничего не найдено</p>
      <Button onClick={filtered ? actions.reset : () => actions.setFilters({ status: [anyStatus] })}>
        {filtered ? 'Сбросить фильтры' : 'Показать снятые раньше срока'}
      </Button>
    </div>
  );
};
