/**
 * Pictures of every screen and the page that shows them, docs/screens.md: of the demo at a fixed moment, light and dark, wide and narrow.
 * `npm run screenshots -- dashboard why` takes the named ones only.
 */
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium } from '@playwright/test';
import { startDemo } from './screens/demo-process.ts';
import { webpOf } from './screens/picture.ts';
import { scenes, viewers } from './screens/scenes.ts';
import {
  picturedOn,
  pictureName,
  pictureWidths,
  type Size,
  screensPage,
  sizes,
  type Theme,
  themes,
} from './screens/screens-page.ts';
import { framed, goTo, openView } from './screens/viewers.ts';
import { chromiumPath } from './test-run/chromium.ts';

/** 14:36 in Moscow. */
const moment = Date.parse('2026-11-21T11:36:00Z');
/** Milliseconds that a busy machine may take for one step. */
const patience = 120_000;
const docs = fileURLToPath(new URL('../docs/', import.meta.url));

const executablePath = chromiumPath(process.env, existsSync);
if (executablePath === null) throw new Error('No Chromium was found: name one in CHROMIUM_PATH');
const names = process.argv.slice(2);
const unknown = names.filter((name) => !scenes.some((scene) => scene.name === name));
if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}`);
const wanted = scenes.filter(({ name }) => names.length === 0 || names.includes(name));

const take = async (browser: Browser, address: string, ahead: number, size: Size, theme: Theme): Promise<void> => {
  const packer = await browser.newPage();
  for (const viewer of viewers) {
    const seen = picturedOn(wanted, size, theme).filter(({ as }) => as === viewer);
    if (seen.length === 0) continue;
    const context = await openView(browser, { address, ahead, viewer, colorScheme: theme, ...sizes[size] });
    const page = await context.newPage();
    page.setDefaultTimeout(patience);
    for (const scene of seen) {
      await goTo(page, address, scene);
      await framed(page);
      await writeFile(
        `${docs}screens/${pictureName(scene, size, theme)}`,
        await webpOf(packer, page, pictureWidths[size]),
      );
      console.log(pictureName(scene, size, theme));
    }
    await context.close();
  }
  await packer.close();
};

const ahead = moment - Date.now();
const demo = await startDemo({
  scale: 'small',
  ahead,
  dataDir: process.env['DATA_DIR'],
  webDist: process.env['WEB_DIST'],
});
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
try {
  await mkdir(`${docs}screens`, { recursive: true });
  for (const size of Object.keys(sizes) as Size[])
    for (const theme of themes) await take(browser, demo.address, ahead, size, theme);
  await writeFile(`${docs}screens.md`, screensPage(scenes));
} finally {
  await browser.close();
  await demo.stop();
}
