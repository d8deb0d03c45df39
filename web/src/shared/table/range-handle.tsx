import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react';
import type { CellPlace } from './grid-navigation.ts';
import type { CellBlock } from './grid-range.ts';
import { scrollerOf } from '../ui/use-scroll-place.ts';
import { cellsInSight, touchedCell } from './touched-cell.ts';
import { useLongPress } from './use-long-press.ts';
import { heights } from './use-rows-in-sight.ts';
import './range-handle.css';

/** In px: how far the dot's centre is from the right and lower edge of the handle, how large that is, how far a finger goes before it draws. */
const dotInset = 10;
const size = 44;
const begun = 6;
/** So near to an edge the table scrolls, by at most so much a frame, in px. */
const edge = 40;
const fastest = 16;

/** How far to scroll this frame with the finger here, in px. */
const speedAt = (at: number, from: number, to: number): number => {
  if (at > to - edge) return Math.min(fastest, (fastest * (at - to + edge)) / edge);
  return at < from + edge ? -Math.min(fastest, (fastest * (from + edge - at)) / edge) : 0;
};

interface Draw {
  /** The corner that stays. */
  readonly from: CellPlace;
  readonly beginX: number;
  readonly beginY: number;
  x: number;
  y: number;
  /** The corner under the finger; null = it has not moved yet. */
  to: CellPlace | null;
}

/**
 * For fingers, at the lower right corner of what is selected, or of the active cell: drawn, it selects up to the cell under the finger, and
 * scrolls the table at its edges. A tap on it is one on the cell below it. Keys have Shift for that, so it is said to nobody.
 */
export const RangeHandle = ({
  scroller,
  block,
  rowCount,
  onDraw,
}: {
  readonly scroller: RefObject<HTMLElement | null>;
  /** What is selected, or the active cell. */
  readonly block: Pick<CellBlock<never>, 'top' | 'bottom' | 'left' | 'right'>;
  /** How many rows the table shows, lines of groups counted. */
  readonly rowCount: number;
  readonly onDraw: (from: CellPlace, to: CellPlace) => void;
}) => {
  const handle = useRef<HTMLDivElement>(null);
  useLongPress(scroller);

  const stand = useEffectEvent((): void => {
    const grid = scroller.current;
    const heads = grid?.querySelector('.z-grid-head');
    const head = heads?.querySelector(`[data-column="${block.right}"]`);
    if (!grid || !heads || !head || !handle.current) return;
    const origin = grid.getBoundingClientRect().left + grid.clientLeft - grid.scrollLeft;
    const { right } = head.getBoundingClientRect();
    // Within the table, which it would make larger.
    const x = Math.min(right, heads.getBoundingClientRect().right - dotInset) - origin;
    const y = heights.head + Math.min((block.bottom + 1) * heights.row, rowCount * heights.row - dotInset);
    handle.current.style.transform = `translate(${x + dotInset - size}px, ${y + dotInset - size}px)`;
    // A column that lies under those that are pinned has its corner there too.
    handle.current.hidden = right < cellsInSight(grid).left;
  });
  useLayoutEffect(() => stand());
  useEffect(() => {
    const listening = new AbortController();
    const on = { signal: listening.signal, passive: true };
    scroller.current?.addEventListener('scroll', () => stand(), on);
    window.addEventListener('resize', () => stand(), on);
    return () => listening.abort();
  }, [scroller]);

  const cornerNow = useEffectEvent((): CellPlace => ({ row: block.top, column: block.left }));
  const drawTo = useEffectEvent((draw: Draw): void => {
    const to = scroller.current && touchedCell(scroller.current, draw.x, draw.y, rowCount);
    if (!to || (to.row === draw.to?.row && to.column === draw.to.column)) return;
    draw.to = to;
    onDraw(draw.from, to);
  });

  useEffect(() => {
    const own = handle.current;
    const grid = scroller.current;
    if (!own || !grid) return undefined;
    const listening = new AbortController();
    const on = { signal: listening.signal };
    let draw: Draw | null = null;
    let frame = 0;

    const scroll = (): void => {
      if (draw === null) return;
      const { left, right, top, bottom } = cellsInSight(grid);
      const [across, down] = [speedAt(draw.x, left, right), speedAt(draw.y, top, bottom)];
      if (across !== 0 || down !== 0) {
        grid.scrollLeft += across;
        const before = grid.scrollTop;
        grid.scrollTop += down;
        // At its end the page goes on, below whose edge the table may lie.
        if (grid.scrollTop === before) scrollerOf(grid).scrollTop += down;
        drawTo(draw);
      }
      frame = requestAnimationFrame(scroll);
    };
    const end = (): void => {
      draw = null;
      cancelAnimationFrame(frame);
    };
    own.addEventListener(
      'pointerdown',
      ({ clientX: x, clientY: y, isPrimary }) => {
        if (isPrimary) draw = { from: cornerNow(), beginX: x, beginY: y, x, y, to: null };
      },
      on,
    );
    own.addEventListener(
      'pointermove',
      ({ clientX, clientY }) => {
        if (draw === null) return;
        draw.x = clientX;
        draw.y = clientY;
        if (draw.to === null) {
          if (Math.hypot(clientX - draw.beginX, clientY - draw.beginY) < begun) return;
          frame = requestAnimationFrame(scroll);
        }
        drawTo(draw);
      },
      on,
    );
    own.addEventListener('pointerup', end, on);
    own.addEventListener('pointercancel', end, on);

    // What a tap makes of itself goes to what lies below.
    for (const type of ['mousedown', 'click', 'dblclick', 'contextmenu'] as const)
      own.addEventListener(
        type,
        (event) => {
          event.preventDefault();
          event.stopPropagation();
          const { clientX, clientY, button, detail } = event;
          const below = document.elementsFromPoint(clientX, clientY).find((one) => one !== own);
          if (!below || !grid.contains(below)) return;
          below.dispatchEvent(
            new MouseEvent(type, { bubbles: true, cancelable: true, clientX, clientY, button, detail, view: window }),
          );
        },
        on,
      );
    return () => {
      listening.abort();
      end();
    };
  }, [scroller]);

  return <div ref={handle} className="z-range-handle" aria-hidden="true" />;
};
