import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from '@playwright/test';
import { type Theme, themes } from '../../../scripts/screens/screens-page.ts';
import { isDeep } from '../support/deep.ts';
import { expect } from './demo.ts';
import { repeatedSource } from './repeated.ts';

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const popup = '.bp6-overlay-open';
/** What may lie over a page, and the row of a table in which something is edited. */
const opened = [
  popup,
  '.bp6-portal',
  '.z-bell-panel',
  '[data-floating]',
  ...['dialog', 'alertdialog', 'listbox', 'menu'].map((role) => `[role=${role}]`),
  '[role=row]:focus-within',
].join();

/** `page`: everything it shows now; `popups`: what was opened over it, and all of the page where nothing lies over it. */
export type Judged = 'page' | 'popups';

/** A text, as the page runs it: serious and critical findings in these places, a line for each. */
const findingsSource = (where: string, options: object): string => `(async () => {
  const include = [...${where}];
  const isPartOfOne = (one) => include.some((place) => place !== one && place.contains(one)) && !include.some((place) => one.contains(place));
  const leftOut = new Set(${isDeep ? '[]' : repeatedSource}.filter(isPartOfOne));
  // Axe holds every element against each of these: what lies in another of them says nothing, and takes most of its time.
  const isIn = (one) => one !== null && (leftOut.has(one) || isIn(one.parentElement));
  const exclude = [...leftOut].filter((one) => !isIn(one.parentElement));
  const { violations } = await axe.run(
    exclude.length === 0 ? { include } : { include, exclude },
    ${JSON.stringify({ ...options, resultTypes: ['violations'], preload: false, selectors: false, elementRef: true })},
  );
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map(({ html, failureSummary }) => id + ': ' + html.slice(0, 160) + ': ' + failureSummary.split('\\n')[1]?.trim()));
})()`;

/** Serious and critical findings by WCAG 2.2 AA, a line for each; of what repeats itself two are judged, in a deep run all. */
export const seriousFindings = async (page: Page, judged: Judged): Promise<readonly string[]> => {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(source);
  const run = (where: string, options: object): Promise<readonly string[]> =>
    page.evaluate(findingsSource(where, options));
  const whole = '[document.documentElement]';
  if (judged === 'popups' && (await page.locator(opened).count()) > 0)
    return run(`document.querySelectorAll('${opened}')`, { runOnly: standards });
  if ((await page.locator(popup).count()) === 0) return run(whole, { runOnly: standards });
  // What lies under a popup is too small to be hit there and then, and nobody wants to.
  return [
    ...(await run(whole, { runOnly: standards, rules: { 'target-size': { enabled: false } } })),
    ...(await run(`document.querySelectorAll('${popup}')`, { runOnly: { type: 'rule', values: ['target-size'] } })),
  ];
};

/** Paints the page in this theme, as a system that changes its own does. */
export const paint = async (page: Page, theme: Theme): Promise<void> => {
  await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
  const isDark = (): Promise<boolean> => page.evaluate('document.documentElement.matches(".bp6-dark")');
  await expect.poll(isDark).toBe(theme === 'dark');
};

/** Axe finds nothing serious in what is there now, in the theme that it has; of a deep run in either, and the page stays in the one it had. */
export const judge = async (page: Page, what: string, judged: Judged = 'popups'): Promise<void> => {
  const isDark = await page.evaluate<boolean>('document.documentElement.matches(".bp6-dark")');
  const first: Theme = isDark ? 'dark' : 'light';
  expect.soft(await seriousFindings(page, judged), `${what}, ${first}`).toEqual([]);
  if (!isDeep) return;
  for (const theme of themes.filter((one) => one !== first)) {
    await paint(page, theme);
    expect.soft(await seriousFindings(page, judged), `${what}, ${theme}`).toEqual([]);
  }
  await paint(page, first);
};
