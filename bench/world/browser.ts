import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from '@playwright/test';
import { chromiumPath } from '../../scripts/test-run/chromium.ts';

/** Path of the Chromium that pages are measured in; null = there is none. */
export const foundChromium = (): string | null => chromiumPath(process.env, existsSync);

/** The Chromium that pages are measured in, without what would make it ask for something itself. Throws when there is none. */
export const startBrowser = async (): Promise<Browser> => {
  const executablePath = foundChromium();
  if (executablePath === null) throw new Error('There is no Chromium: CHROMIUM_PATH names one');
  return chromium.launch({
    executablePath,
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
};

/** As large as a page is shown. */
const viewport = { width: 1440, height: 900 };

/**
 * The window is larger than its page, whose lower rows else lie outside of it: what changes there alone is never presented, and an input that
 * changed it counts until something else is.
 */
const widened = async (page: Page): Promise<Page> => {
  const session = await page.context().newCDPSession(page);
  const { windowId } = await session.send('Browser.getWindowForTarget');
  const bounds = { width: viewport.width + 160, height: viewport.height + 300 };
  await session.send('Browser.setWindowBounds', { windowId, bounds });
  await session.detach();
  return page;
};

/** Opens a page in a browser context of its own, does something in it, and closes both. `scripts`: sources that stand before the page's own. */
export const inFreshPage = async <Value>(
  browser: Browser,
  {
    storage,
    scripts,
  }: { readonly storage?: BrowserContextOptions['storageState']; readonly scripts: readonly string[] },
  act: (page: Page) => Promise<Value>,
): Promise<Value> => {
  const context = await browser.newContext({
    viewport,
    locale: 'ru-RU',
    ...(storage !== undefined && { storageState: storage }),
  });
  try {
    for (const content of scripts) await context.addInitScript({ content });
    return await act(await widened(await context.newPage()));
  } finally {
    await context.close();
  }
};

/** Milliseconds between two looks at a page that is waited for. */
const look = 50;

/** Waits until an expression holds in a page; resolves with the milliseconds since its navigation began. Rejects after five minutes. */
export const untilHolds = async (page: Page, expression: string): Promise<number> => {
  for (let count = 0; count < 300_000 / look; count += 1) {
    // Not by a function that waits in the page: its policy forbids to make one from a text.
    const at = await page.evaluate<number | null>(`(${expression}) ? performance.now() : null`);
    if (at !== null) return at;
    await page.waitForTimeout(look);
  }
  throw new Error(`It never came to hold: ${expression}`);
};
