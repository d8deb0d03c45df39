import type { Page } from '@playwright/test';

/** What a page shows beyond the edges of its window, or too small for a finger; a line for each. Texts, as the page runs them. */
const beyondSource = `(() => {
  const root = document.documentElement;
  const found = [];
  if (root.scrollWidth > root.clientWidth) found.push('the page is ' + (root.scrollWidth - root.clientWidth) + ' px too wide');
  const scrolls = (element) => {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at);
      if ((overflowX === 'auto' || overflowX === 'scroll') && at.scrollWidth > at.clientWidth) return true;
    }
    return false;
  };
  const name = (element) => {
    const label = (element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40);
    return element.tagName.toLowerCase() + '.' + String(element.className?.baseVal ?? element.className).split(' ')[0] + ' «' + label + '»';
  };
  for (const element of document.querySelectorAll('button, a[href], input, select, textarea, h1, h2, h3, [role=tab]')) {
    if (!element.checkVisibility({ visibilityProperty: true, opacityProperty: false })) continue;
    const box = element.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    if (element.closest('.z-visually-hidden, .z-skip')) continue;
    if ((box.right > root.clientWidth + 1 || box.left < -1) && !scrolls(element)) found.push('beyond the edge: ' + name(element));
  }
  return found;
})()`;

/** Controls that a finger may miss for their height or width (`side`): below 44 px one way, unless in a running text, with a label around it that is large enough, or standing for its whole row. */
const smallSource = (side: 'height' | 'width'): string => `(() => {
  const found = [];
  for (const element of document.querySelectorAll('button, a[href], input, select, textarea, [role=tab], [role=menuitem]')) {
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    if (element.closest('.z-visually-hidden, .z-skip, .z-figure-place, .z-link, .z-contractors-open, .z-creative-open')) continue;
    const target = element.closest('label') ?? element;
    const box = target.getBoundingClientRect();
    if (box.width <= 1 || box.height <= 1) continue;
    if (box.${side} < 43.5) {
      const label = (element.getAttribute('aria-label') ?? element.textContent ?? element.getAttribute('name') ?? '').trim().slice(0, 40);
      found.push(element.tagName.toLowerCase() + '.' + String(element.className).split(' ').slice(0, 3).join('.') + ' «' + label + '» ' + Math.round(box.width) + ' × ' + Math.round(box.height));
    }
  }
  return [...new Set(found)];
})()`;

export const beyondTheEdge = (page: Page): Promise<readonly string[]> => page.evaluate(beyondSource);
export const tooLowForFingers = (page: Page): Promise<readonly string[]> => page.evaluate(smallSource('height'));
export const tooNarrowForFingers = (page: Page): Promise<readonly string[]> => page.evaluate(smallSource('width'));
