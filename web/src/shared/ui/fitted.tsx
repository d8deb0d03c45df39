import { shortFigure } from '@zakup/domain/short-figure';
import { useLayoutEffect, useRef } from 'react';
import { widthWithin, writeFigure } from './fitted-figure.ts';
import { fitInTable } from './fitted-table.ts';
import './fitted.css';

const roomIn = (place: Element): number => {
  const { paddingLeft, paddingRight } = getComputedStyle(place);
  return place.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
};

/**
 * A written figure, whole where its place has room for it, else shortened; whoever points at it or has it read gets the whole. Its place is
 * the nearest `.z-fits` around it, whose width must not follow from what is in it, or the place its table scrolls in: there a column gives way
 * as a whole. Without one it is always whole.
 */
export const Fitted = ({
  children: text,
  short: given = shortFigure(text),
}: {
  readonly children: string;
  /** What stands for it where it has no room; null = it is always whole. */
  readonly short?: string | null;
}) => {
  const figure = useRef<HTMLSpanElement>(null);
  const short = given === text ? null : given;

  useLayoutEffect(() => {
    const outer = figure.current;
    const place = outer?.closest('.z-fits, .z-table-scroll');
    if (!outer || !place || given === null || given === text) return undefined;
    if (!place.matches('.z-fits')) return fitInTable(place, outer);
    const fit = (): void => {
      writeFigure(outer, false);
      writeFigure(outer, widthWithin(place) > roomIn(place) + 0.5);
    };
    fit();
    const watch = new ResizeObserver(fit);
    watch.observe(place);
    return () => watch.disconnect();
  }, [text, given]);

  return short === null ? (
    text
  ) : (
    <span ref={figure} className="z-fitted" data-short={short}>
      <span>{text}</span>
    </span>
  );
};
