import { MenuDivider, MenuItem } from '@blueprintjs/core';
import { formatNumber } from '@zakup/domain/russian';
import { announce } from '../toasts/toasts.ts';
import { ContextMenu } from '../ui/context-menu.tsx';
import { type ColumnArrangement, usualArrangement } from './arranged-columns.ts';
import { isMovable, isUsual, stayingWidth, widthWithin, withPin, withPlace, withWidth } from './column-changes.ts';
import { fittingWidth } from './fitting-width.ts';
import type { GridColumn } from './grid-column.ts';

/** By how much «Шире» and «Уже» change a width, in px. */
const widthStep = 16;
/** So much of the window over the table may stay in sight. */
const stayingPart = 0.6;

export interface ColumnMenuRequest {
  readonly columnId: string;
  /** Where it is to open, in px of the window. */
  readonly left: number;
  readonly top: number;
}

interface ColumnMenuProps {
  readonly request: ColumnMenuRequest;
  readonly grid: HTMLElement;
  /** Shown or not, in the usual order. */
  readonly all: readonly GridColumn<never>[];
  /** As they are shown. */
  readonly columns: readonly GridColumn<never>[];
  readonly arrangement: ColumnArrangement;
  readonly onArrange: (arrangement: ColumnArrangement) => void;
  readonly onClose: () => void;
}

/** What may be done to a column; it stays open, so that a key does the same again. What is done is told. */
export const ColumnMenu = ({
  request: { columnId, left, top },
  grid,
  all,
  columns,
  arrangement,
  onArrange,
  onClose,
}: ColumnMenuProps) => {
  const at = columns.findIndex(({ id }) => id === columnId);
  const column = columns[at];
  if (!column) return null;
  const { header } = column;
  const width = (): number => grid.querySelector(`th[data-column="${at}"]`)?.getBoundingClientRect().width ?? 0;
  const resize = (wanted: number): void => {
    onArrange(withWidth(arrangement, column, wanted));
    announce(`${header}: ширина ${widthWithin(column, wanted)}`);
  };
  const step = (by: 1 | -1): (() => void) | null => {
    const target = columns[at + by];
    const next = target ? withPlace(arrangement, all, column, target) : null;
    return (
      next &&
      (() => {
        onArrange(next);
        announce(`${header}: место ${at + by + 1} из ${formatNumber(columns.length)}`);
      })
    );
  };
  const isPinned = arrangement.pinned.includes(columnId);
  const hasRoom = stayingWidth(columns) + width() <= grid.clientWidth * stayingPart;
  const pin = (): void => {
    onArrange(withPin(arrangement, column));
    announce(isPinned ? `${header}: столбец откреплён` : `${header}: столбец закреплён слева`);
  };
  const reset = (): void => {
    onArrange(usualArrangement);
    announce('Столбцы стоят как были');
  };
  const item = (text: string, act: (() => void) | null, label = '') => (
    <MenuItem text={text} label={label} disabled={act === null} shouldDismissPopover={false} onClick={() => act?.()} />
  );
  // Not the heading itself: an item that moves the column would take the menu from under the pointer.
  const head = (column.pinned !== true && grid.querySelector('.z-grid-head')) || grid;
  return (
    <ContextMenu
      label={`Столбец «${header}»`}
      about={head}
      {...(column.pinned !== true && !isPinned && { over: '.z-grid-number, .z-grid-pinned' })}
      left={left}
      top={top}
      onClose={onClose}
    >
      {item('Шире', () => resize(width() + widthStep))}
      {item('Уже', () => resize(width() - widthStep))}
      {item('По содержимому', () => resize(fittingWidth(grid, at)))}
      {isMovable(column, arrangement) && (
        <>
          <MenuDivider />
          {item('Левее', step(-1))}
          {item('Правее', step(1))}
          {isPinned
            ? item('Открепить', pin)
            : item('Закрепить слева', hasRoom ? pin : null, hasRoom ? '' : 'нет места')}
        </>
      )}
      <MenuDivider />
      {item('Как было', isUsual(arrangement) ? null : reset, 'все столбцы')}
    </ContextMenu>
  );
};
