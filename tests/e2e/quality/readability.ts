import type { Page } from '@playwright/test';
import { crowding } from '../support/crowding.ts';

/** A text, as the page runs it. Numbers of rows only count them, and are told by the row itself. */
const unalignedSource = `(() => {
  const number = /^[−+-]?\\d[\\d\\s]*(?:,\\d+)?(?:\\s(?:₽|%))?(?:\\s?[▼◆▲])?$/u;
  const found = [];
  for (const cell of document.querySelectorAll('td, [role=gridcell]')) {
    if (!cell.checkVisibility() || cell.ariaHidden === 'true' || !number.test(cell.innerText.trim())) continue;
    const { textAlign, justifyContent, fontVariantNumeric } = getComputedStyle(cell);
    const isRight = ['right', 'end'].includes(textAlign) || ['flex-end', 'end', 'right'].includes(justifyContent);
    if (!isRight || !fontVariantNumeric.includes('tabular-nums')) found.push(cell.className + ' «' + cell.innerText.trim() + '»');
  }
  return [...new Set(found)];
})()`;

/** Numbers in tables that do not stand below each other digit by digit; a line for each. */
export const unalignedNumbers = (page: Page): Promise<readonly string[]> => page.evaluate(unalignedSource);

/** The least distances that a reader may ask for and lose nothing (WCAG 2.2, 1.4.12), set as the page's own rules are. */
const spacing = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; } p { margin-bottom: 2em !important; }');
  document.adoptedStyleSheets.push(sheet);
})()`;

/** Chromium goes on telling the width that a page had before a popup on it moved, until something lies elsewhere. */
const laidOut = `(() => {
  const added = document.body.appendChild(document.createElement('div'));
  added.getBoundingClientRect();
  added.remove();
})()`;

/** What is cut, covered or pushed out once lines, words and letters stand farther apart; a line for each. The page stays as it was. */
export const lostToSpacing = async (page: Page): Promise<readonly string[]> => {
  const before = new Set(await crowding(page));
  await page.evaluate(spacing);
  let lost: readonly string[] = [];
  // What follows the size of its text does so in the frame after; a popup, a few frames later.
  for (let look = 0; look === 0 || (look < 10 && lost.length > 0); look += 1) {
    await page.evaluate('new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)))');
    await page.evaluate(laidOut);
    lost = (await crowding(page)).filter((line) => !before.has(line));
  }
  await page.evaluate('document.adoptedStyleSheets.pop(), undefined');
  return lost;
};

/** A text, as the page runs it. */
const headSource = `(() => {
  const grid = document.querySelector('.z-grid');
  if (grid === null) return [];
  const before = grid.scrollTop;
  grid.scrollTop = before + 300;
  const moved = grid.scrollTop - before;
  const off = grid.querySelector('[role=columnheader]').getBoundingClientRect().top - grid.getBoundingClientRect().top;
  grid.scrollTop = before;
  return [...(moved < 100 ? ['the table does not scroll'] : []), ...(Math.abs(off) > 4 ? ['its header is ' + off + ' px off'] : [])];
})()`;

/** What is wrong with the header of the table of placements while its rows scroll; a line for each, none where there is no table. */
export const headLeft = (page: Page): Promise<readonly string[]> => page.evaluate(headSource);
