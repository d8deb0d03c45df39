import type { Locator } from '@playwright/test';

/** How far from the top of the window each text in there stands, in pixels; notes of reads that failed apart. */
export const topsIn = (place: Locator): Promise<Readonly<Record<string, number>>> =>
  place.evaluate((root) => {
    const found: Record<string, number> = {};
    for (const element of root.querySelectorAll('*')) {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.textContent);
      const text = own.join('').trim();
      const { top, height } = element.getBoundingClientRect();
      if (text === '' || height === 0 || element.closest('.z-older') !== null) continue;
      let key = text;
      for (let nth = 2; key in found; nth += 1) key = `${text} ${nth}`;
      found[key] = Math.round(top);
    }
    return found;
  });
