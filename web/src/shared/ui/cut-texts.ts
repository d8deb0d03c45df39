import './cut-texts.css';

/** How far above what is pointed at the element is that cuts it: a word within a cell within its box. */
const nearest = 4;

const isCut = (element: HTMLElement): boolean => {
  const { textOverflow, overflowX } = getComputedStyle(element);
  return textOverflow === 'ellipsis' && overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
};

const wholeText = (element: HTMLElement): string => element.innerText.replace(/\s+/gu, ' ').trim();

/** What has more in it than a row is a part of the screen, which nobody reads as one. */
const mostParts = 60;

/** What is cut in what has the focus, or cuts that, each text whole and once. */
const cutIn = (focused: HTMLElement): string => {
  const parts = [focused, ...focused.querySelectorAll<HTMLElement>('*')];
  if (parts.length > mostParts) return '';
  const found = parts.filter(isCut);
  let around = focused.parentElement;
  for (let step = 1; found.length === 0 && around !== null && step < nearest; step += 1) {
    if (isCut(around)) found.push(around);
    around = around.parentElement;
  }
  return [...new Set(found.map(wholeText))].join(' · ');
};

/** Between the tip and what it belongs to, and the edge of the window; pixels. */
const apart = 4;

/** Below what has the focus, above it where the window ends. */
const placeTip = (tip: HTMLElement, focused: HTMLElement): void => {
  const { left, top, bottom } = focused.getBoundingClientRect();
  const { offsetWidth, offsetHeight } = tip;
  const under = bottom + apart;
  tip.style.left = `${Math.max(apart, Math.min(left, innerWidth - offsetWidth - apart))}px`;
  tip.style.top = `${under + offsetHeight > innerHeight ? top - offsetHeight - apart : under}px`;
};

/**
 * For who works by keys: what is cut in the control or cell that has the focus is shown whole beside it, until the focus goes or Escape is
 * pressed. Its text is drawn, not written: for a screen reader it stands in full where it is cut. Answers how to stop.
 */
const showCutTexts = (page: Document): (() => void) => {
  const tip = page.createElement('div');
  tip.className = 'z-cut-tip';
  tip.setAttribute('aria-hidden', 'true');
  let focused: HTMLElement | null = null;
  let byKeys = false;
  let asked = 0;
  const show = (): void => {
    asked = 0;
    const text = byKeys && focused?.isConnected === true ? cutIn(focused) : '';
    if (text === '' || focused === null) return tip.remove();
    tip.dataset['text'] = text;
    if (!tip.isConnected) page.body.append(tip);
    placeTip(tip, focused);
  };
  const ask = (): void => {
    if (asked === 0) asked = requestAnimationFrame(show);
  };
  const onFocusIn = ({ target }: FocusEvent): void => {
    focused = target instanceof HTMLElement && !target.matches('input, textarea, select') ? target : null;
    ask();
  };
  const leave = (): void => {
    focused = null;
    tip.remove();
  };
  const onPointerDown = (): void => {
    byKeys = false;
    leave();
  };
  const onKeyDown = ({ key }: KeyboardEvent): void => {
    byKeys = true;
    if (key === 'Escape') leave();
  };
  const onScroll = (): void => {
    if (tip.isConnected) ask();
  };
  page.addEventListener('focusin', onFocusIn);
  page.addEventListener('focusout', leave);
  page.addEventListener('pointerdown', onPointerDown, { capture: true });
  page.addEventListener('keydown', onKeyDown, { capture: true });
  page.addEventListener('scroll', onScroll, { capture: true, passive: true });
  return () => {
    leave();
    cancelAnimationFrame(asked);
    page.removeEventListener('focusin', onFocusIn);
    page.removeEventListener('focusout', leave);
    page.removeEventListener('pointerdown', onPointerDown, { capture: true });
    page.removeEventListener('keydown', onKeyDown, { capture: true });
    page.removeEventListener('scroll', onScroll, { capture: true });
  };
};

/**
 * A text that is cut with dots tells the whole of itself to whoever points at it or comes to it by keys: every one, wherever it stands;
 * to the pointer its own title does so where it has one. So does what has a `data-hint`, which becomes its title only then: a title that
 * changes has the browser ask for the style of its element anew, which is a good part of a fast scroll where it stands in every row. Answers
 * how to stop.
 */
export const tellCutTexts = (page: Document): (() => void) => {
  const told = new WeakSet<HTMLElement>();
  /** What has its hint as its title for now. */
  let hinted: HTMLElement | null = null;
  const onPointerOver = ({ target }: PointerEvent): void => {
    hinted?.removeAttribute('title');
    hinted = null;
    let at = target instanceof HTMLElement ? target : null;
    for (let step = 0; at !== null && step < nearest; step += 1, at = at.parentElement) {
      const { hint } = at.dataset;
      if (hint !== undefined) {
        hinted = at;
        at.title = hint;
        return;
      }
      if (at.title !== '' && !told.has(at)) return;
      if (isCut(at)) {
        told.add(at);
        at.title = wholeText(at);
        return;
      }
      if (told.has(at)) at.removeAttribute('title');
    }
  };
  page.addEventListener('pointerover', onPointerOver);
  const hide = showCutTexts(page);
  return () => {
    hide();
    page.removeEventListener('pointerover', onPointerOver);
  };
};
