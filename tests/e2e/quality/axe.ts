import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import type { Page } from '@playwright/test';
import { type Theme, themes } from '../../../scripts/screens/screens-page.ts';
import { isDeep } from '../support/deep.ts';
import { expect } from './demo.ts';

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

interface Violation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary: string }[];
}

/** `page`: everything it shows now; `popups`: what was opened over it, and all of the page where nothing lies over it. */
export type Judged = 'page' | 'popups';

/** Serious and critical findings by WCAG 2.2 AA, a line for each. */
export const seriousFindings = async (page: Page, judged: Judged): Promise<readonly string[]> => {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(source);
  const run = async (where: string, options: object): Promise<readonly Violation[]> => {
    const text = JSON.stringify({ ...options, resultTypes: ['violations'], preload: false });
    return (await page.evaluate<{ violations: readonly Violation[] }>(`axe.run(${where}, ${text})`)).violations;
  };
  const inPopups = `{ include: ['${popup}'] }`;
  const findings = async (): Promise<readonly Violation[]> => {
    if (judged === 'popups' && (await page.locator(opened).count()) > 0)
      return run(`document.querySelectorAll('${opened}')`, { runOnly: standards });
    if ((await page.locator(popup).count()) === 0) return run('document', { runOnly: standards });
    // What lies under a popup is too small to be hit there and then, and nobody wants to.
    const rest = await run('document', { runOnly: standards, rules: { 'target-size': { enabled: false } } });
    return [...rest, ...(await run(inPopups, { runOnly: { type: 'rule', values: ['target-size'] } }))];
  };
  return (await findings())
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')}: ${failureSummary.split('\n')[1]?.trim()}`),
    );
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
