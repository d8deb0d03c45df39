/**
 * Pictures of every screen for docs/screens.md: of a running demo, light and dark, wide and narrow.
 * `npm run screenshots -- http://127.0.0.1:3000 [folder]`; nothing is changed in the demo but who is signed in.
 */
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Browser, chromium, type Page } from '@playwright/test';
import { chromiumPath } from './test-run/chromium.ts';

const [address = 'http://127.0.0.1:3000', folder = 'docs/images/screens'] = process.argv.slice(2);
const executablePath = chromiumPath(process.env, existsSync);
if (executablePath === null) throw new Error('No Chromium was found: name one in CHROMIUM_PATH');

const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 390, height: 844 } } as const;
const themes = ['light', 'dark'] as const;

interface Screen {
  readonly name: string;
  readonly path: string;
  /** What is done once the page is there. */
  readonly open?: (page: Page) => Promise<void>;
}

const screens: readonly Screen[] = [
  { name: 'dashboard', path: '/dashboard' },
  { name: 'creatives', path: '/creatives' },
  { name: 'contractors', path: '/contractors' },
  {
    name: 'contractor',
    path: '/contractors',
    open: async (page) => {
      await page.getByRole('main').getByRole('button', { name: /@/u }).first().click();
      await page.getByRole('dialog').waitFor();
    },
  },
  { name: 'settings', path: '/settings' },
  { name: 'profile', path: '/profile' },
];

const signedIn = async (browser: Browser, size: keyof typeof sizes, theme: (typeof themes)[number]): Promise<Page> => {
  const context = await browser.newContext({
    viewport: sizes[size],
    colorScheme: theme,
    locale: 'ru-RU',
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  await page.goto(`${address}/login`);
  await page.getByRole('tab', { name: 'Владелец (CEO)' }).click();
  await page.getByLabel('Код входа').fill(process.env['DEMO_CODE'] ?? 'DEMOVLADELEC');
  await page.getByLabel('Пароль', { exact: true }).fill('zakup-demo');
  await page.getByRole('button', { name: 'Войти', exact: true }).click();
  await page.waitForURL(/\/dashboard/u);
  return page;
};

const quiet = async (page: Page): Promise<void> => {
  await page.locator('.z-skeleton').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => null)');
};

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
try {
  for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) {
    for (const theme of themes) {
      const page = await signedIn(browser, size, theme);
      for (const { name, path, open } of screens) {
        await page.goto(`${address}${path}`);
        await page.getByRole('heading', { level: 1 }).first().waitFor();
        await quiet(page);
        await open?.(page);
        await page.screenshot({ path: join(folder, `${name}-${size}-${theme}.png`) });
      }
      await page.context().close();
    }
  }
} finally {
  await browser.close();
}
