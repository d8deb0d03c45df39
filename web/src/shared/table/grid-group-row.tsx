import { ChevronDown, ChevronRight } from '@blueprintjs/icons';
import { memo } from 'react';
import type { GroupLine } from './grid-groups.ts';
import { asCell, asRow } from './roles.ts';

interface GridGroupRowProps {
  readonly line: GroupLine;
  /** Its place among all lines, from 0. */
  readonly index: number;
  readonly top: number;
  readonly columnCount: number;
  /** Index of the active column when the active cell is in this line, which is one cell; the keyboard keeps its column on the way through. */
  readonly active: number | null;
}

/** The line of a group: one cell, which opens and closes the group. */
export const GridGroupRow = memo(({ line, index, top, columnCount, active }: GridGroupRowProps) => (
  <tr
    {...asRow}
    aria-rowindex={index + 2}
    aria-level={1}
    aria-expanded={line.isOpen}
    data-row={line.id}
    data-group=""
    data-first={index === 0 || undefined}
    className={active === null ? 'z-grid-row' : 'z-grid-row z-grid-row-active'}
    style={{ transform: `translateY(${top}px)` }}
  >
    <td className="z-grid-number" aria-hidden="true" />
    <td
      {...asCell}
      aria-colindex={1}
      aria-colspan={columnCount}
      tabIndex={active === null ? -1 : 0}
      data-column={active ?? 0}
      className="z-grid-cell z-grid-group"
    >
      {line.isOpen ? <ChevronDown size={14} /> : <ChevronRight size={14} />}
      <b>{line.label}</b>
      <span className="z-secondary">{line.said}</span>
    </td>
  </tr>
));
