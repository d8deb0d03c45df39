const hidden = 'z-visually-hidden';
const shortened = 'z-fitted-short';

/** How a figure stands: shortened it tells the whole to whoever points at it or has it read. */
export const writeFigure = (figure: HTMLElement, isShort: boolean): void => {
  const whole = figure.firstElementChild;
  if (whole === null) return;
  whole.classList.toggle(hidden, isShort);
  figure.classList.toggle(shortened, isShort);
  figure.title = isShort ? whole.textContent : '';
};
