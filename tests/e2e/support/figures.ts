import type { Page } from '@playwright/test';

/** A figure that stands shortened. */
export interface Shortened {
  /** As it is drawn, in quotes. */
  readonly shown: string;
  /** As it is read, and as it is told to whoever points at it. */
  readonly whole: string;
  readonly told: string;
  /** Pixels by which it leaves its place. */
  readonly beyond: number;
}

/** It is drawn by the style, where no text of the page tells it. */
export const shortened = (page: Page): Promise<readonly Shortened[]> =>
  page.evaluate<Shortened[]>(`[...document.querySelectorAll('.z-fitted-short')].map((figure) => {
    const place = figure.closest('.z-fits, td, th').getBoundingClientRect();
    const { left, right } = figure.getBoundingClientRect();
    return {
      shown: getComputedStyle(figure, '::after').content,
      whole: figure.textContent,
      told: figure.title,
      beyond: Math.max(place.left - left, right - place.right),
    };
  })`);

/** A text, as the page runs it. What lies under a dialog or a popup is not looked at. */
const cutSource = `(() => {
  const popups = [...document.querySelectorAll('[role=dialog], [role=alertdialog], .bp6-popover')];
  const root = popups.at(-1) ?? document.body;
  const found = [];
  const figures = /\\d{1,3}(?:\\s\\d{3})+(?!\\d)(?:,\\d+)?(?:\\s₽)?|\\d[\\d,]*\\s(?:₽|%|тыс\\.|млн|млрд)/gu;
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.parentElement;
    if (element.closest('option, select, textarea, svg, style, .z-visually-hidden')) continue;
    if (!element.checkVisibility({ visibilityProperty: true })) continue;
    const range = document.createRange();
    for (const figure of node.data.matchAll(figures)) {
    range.setStart(node, figure.index);
    range.setEnd(node, figure.index + figure[0].length);
    const box = range.getBoundingClientRect();
    for (let at = element; at !== null && at !== root.parentElement; at = at.parentElement) {
      const { overflowX } = getComputedStyle(at);
      const { left, right } = at.getBoundingClientRect();
      // What scrolls is told of by the place that scrolls.
      if (overflowX === 'auto' || overflowX === 'scroll') break;
      if (overflowX !== 'visible' && (box.right > right + 1 || box.left < left - 1)) {
        found.push('a figure is cut: «' + figure[0] + '» in ' + (at.className || at.tagName));
        break;
      }
    }
    }
  }
  for (const picture of root.querySelectorAll('svg.recharts-surface')) {
    const edge = picture.getBoundingClientRect();
    const texts = [...picture.querySelectorAll('text')].map((element) => ({ text: element.textContent, box: element.getBoundingClientRect() }));
    texts.forEach(({ text, box }, index) => {
      if (box.width === 0) return;
      if (box.left < edge.left - 1 || box.right > edge.right + 1) found.push('a text of a picture is cut: «' + text + '»');
      for (const other of texts.slice(index + 1)) {
        const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const high = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (wide > 2 && high > 6) found.push('in a picture «' + text + '» lies on «' + other.text + '»');
      }
    });
  }
  if (innerWidth >= 1280)
    for (const place of root.querySelectorAll('.z-table-scroll, .z-grid, .z-why-lines'))
      if (place.scrollWidth > place.clientWidth + 1) {
        const table = place.querySelector('table');
        const name = table?.getAttribute('aria-label') ?? table?.caption?.textContent ?? place.previousElementSibling?.textContent ?? place.className;
        found.push('«' + name + '» hides ' + (place.scrollWidth - place.clientWidth) + ' px behind a scroll');
      }
  return [...new Set(found)];
})()`;

/** Figures that are cut, were it with dots, texts of pictures that are cut or lie on each other, and on a desktop tables that scroll sideways; a line for each. */
export const cutFigures = (page: Page): Promise<readonly string[]> => page.evaluate(cutSource);

/** Figures of rows of a table that are shortened though they have room whole, a line for each. */
export const needlesslyShort = (page: Page): Promise<readonly string[]> =>
  page.evaluate<string[]>(`[...document.querySelectorAll('.z-grid-row .z-grid-end')].flatMap((cell) => {
    const told = /\\d[\\d\\s]*(?:,\\d+)?(?:\\s₽)?/u.exec(cell.querySelector('[title]')?.title ?? '')?.[0];
    const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
    let drawn = null;
    for (let node = walker.nextNode(); node !== null && drawn === null; node = walker.nextNode())
      if (/млн|млрд|тыс\\./u.test(node.data)) drawn = node;
    if (told === undefined || drawn === null) return [];
    const box = () => {
      const range = document.createRange();
      range.selectNodeContents(cell);
      return range.getBoundingClientRect().width;
    };
    const short = drawn.data;
    const { paddingLeft, paddingRight } = getComputedStyle(cell);
    const room = cell.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    drawn.data = told;
    const whole = box();
    drawn.data = short;
    return whole <= room - 1 ? [short + ' for ' + told + ', which has ' + room + ' px and needs ' + whole] : [];
  })`);
