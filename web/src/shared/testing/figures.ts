const value = /^[−+-]?\d[\d\s\u00a0]*(?:,\d+)?(?:\s?[₽%])?(?:\s?[▼◆▲])?(?:\s?(?:перерасход|разм\.|лид|лида|лидов))?$/u;

/**
 * Where a number is no figure: what was typed into a row and the row's own number, names of dates, counts in headings, axes of pictures,
 * words.
 */
const exempt =
  'h1, h2, h3, .z-grid-price, .z-grid-leads, .z-grid-number, [data-slot], svg, time, [role="tab"], .z-calendar, .z-choice-list';

/**
 * Texts below the element that are a figure (a number, a sum, a percentage, with or without its sign) and do not
 * explain themselves, or tell their calculation and nothing of what stands behind it.
 */
export const unexplained = (root: ParentNode): readonly string[] => {
  const texts: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    if (element.closest(exempt) !== null && element.closest('.z-grid-foot') === null) continue;
    for (const node of element.childNodes) {
      const text = node.nodeType === 3 ? (node.textContent ?? '').trim() : '';
      if (value.test(text) && element.closest('[data-figure="lines"]') === null) texts.push(text);
    }
  }
  return texts;
};

/** Beside that: what a row shows of itself, with its own marks; words of a scheme; what may be typed. */
const quiet = `${exempt}, [data-row]:not([data-mark]), .z-employee-head small, option, .z-kind-note`;

/** Figures below the element that do not say of which kind they are. */
export const unkinded = (root: ParentNode): readonly string[] => {
  const texts: string[] = [];
  for (const element of root.querySelectorAll('*')) {
    const isTotal = element.closest('.z-grid-foot') !== null;
    if (!isTotal && element.closest(quiet) !== null) continue;
    for (const node of element.childNodes) {
      const text = node.nodeType === 3 ? (node.textContent ?? '').trim() : '';
      const isFigure = value.test(text) || /\d[\d\s,]*\s?[₽%]/u.test(text);
      if (isFigure && element.closest('[data-kind]') === null) texts.push(text);
    }
  }
  return texts;
};
