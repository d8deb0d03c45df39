import { shortFigure } from '@zakup/domain/short-figure';
import { useLayoutEffect, useRef } from 'react';
import './fitted.css';

const hidden = 'z-visually-hidden';
const shortened = 'z-fitted-short';

/** Of all that stands in it: what is aligned to the end leaves its place at the start, where no scroll width tells it. */
const widthWithin = (place: Element): number => {
  const all = document.createRange();
  all.selectNodeContents(place);
  return all.getBoundingClientRect().width;
};

const roomIn = (place: Element): number => {
  const { paddingLeft, paddingRight } = getComputedStyle(place);
  return place.clientWidth - Number.parseFloat(paddingLeft) - Number.parseFloat(paddingRight);
};

/**
 * A written figure, whole where its place has room for it, else shortened; whoever points at it or has it read gets the whole. Its place is
 * the nearest `.z-fits` around it, whose width must not follow from what is in it; without one it is always whole.
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
    const [outer, whole] = [figure.current, figure.current?.firstElementChild];
    const place = outer?.closest('.z-fits');
    if (!outer || !whole || !place || short === null) return undefined;
    const write = (isShort: boolean): void => {
      whole.classList.toggle(hidden, isShort);
      outer.classList.toggle(shortened, isShort);
      outer.title = isShort ? text : '';
    };
    const fit = (): void => {
      write(false);
      write(widthWithin(place) > roomIn(place) + 0.5);
    };
    fit();
    const watch = new ResizeObserver(fit);
    watch.observe(place);
    return () => watch.disconnect();
  }, [text, short]);

  return short === null ? (
    text
  ) : (
    <span ref={figure} className="z-fitted" data-short={short}>
      <span>{text}</span>
    </span>
  );
};
