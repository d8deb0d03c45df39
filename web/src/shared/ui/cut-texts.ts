/** How far above what is pointed at the element is that cuts it: a word within a cell within its box. */
const nearest = 4;

const isCut = (element: HTMLElement): boolean => {
  const { textOverflow, overflowX } = getComputedStyle(element);
  return textOverflow === 'ellipsis' && overflowX !== 'visible' && element.scrollWidth > element.clientWidth;
};

/**
 * A text that is cut with dots tells the whole of itself to whoever points at it: every one, wherever it stands, unless it has a title
 * already. Answers how to stop.
 */
export const tellCutTexts = (page: Document): (() => void) => {
  const told = new WeakSet<HTMLElement>();
  const onPointerOver = ({ target }: PointerEvent): void => {
    let at = target instanceof HTMLElement ? target : null;
    for (let step = 0; at !== null && step < nearest; step += 1, at = at.parentElement) {
      if (at.title !== '' && !told.has(at)) return;
      if (isCut(at)) {
        told.add(at);
        at.title = at.innerText.replace(/\s+/gu, ' ').trim();
        return;
      }
      if (told.has(at)) at.removeAttribute('title');
    }
  };
  page.addEventListener('pointerover', onPointerOver);
  return () => page.removeEventListener('pointerover', onPointerOver);
};
