const hidden = 'z-visually-hidden';
const shortened = 'z-fitted-short';

/** Of all that stands in it: what is aligned to the end leaves its place at the start, where no scroll width tells it. */
export const widthWithin = (place: Element): number => {
  const all = document.createRange();
  all.selectNodeContents(place);
  return all.getBoundingClientRect().width;
};

/** How a figure stands: shortened it tells the whole to whoever points at it or has it read. */
export const writeFigure = (figure: HTMLElement, isShort: boolean): void => {
  const whole = figure.firstElementChild;
  if (whole === null) return;
  whole.classList.toggle(hidden, isShort);
  figure.classList.toggle(shortened, isShort);
  figure.title = isShort ? whole.textContent : '';
};
