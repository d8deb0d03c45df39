import type { Locator } from '@playwright/test';

/** How far from the top of the window each text in there stands, in pixels, but for those that match; notes of reads that failed apart. */
export const topsIn = (place: Locator, but: RegExp | null = null): Promise<Readonly<Record<string, number>>> =>
  place.evaluate((root, source) => {
    const leftOut = source === null ? null : new RegExp(source, 'u');
    const found: Record<string, number> = {};
    for (const element of root.querySelectorAll('*')) {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === 3).map((node) => node.textContent);
      const text = own.join('').trim();
      const { top, height } = element.getBoundingClientRect();
      if (text === '' || height === 0 || element.closest('.z-older') !== null) continue;
      if (leftOut?.test(text) === true) continue;
      let key = text;
      for (let nth = 2; key in found; nth += 1) key = `${text} ${nth}`;
      found[key] = Math.round(top);
    }
    return found;
  }, but?.source ?? null);
