import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { testStart } from '@zakup/service-kit/testing/started';
import { startStandalone } from '@zakup/standalone/standalone';
import { createServer } from 'vite';
import { adminLogin, adminPassword } from '../../tests/support/zakup-process.ts';
import { cellOf, editCell, settled } from '../../tests/e2e/support/screen.ts';
import { signedInStorage } from '../../tests/e2e/support/signed-in-storage.ts';
import { givenCampaign, givenTeam, type Team, type Who } from '../../tests/e2e/support/team.ts';
import { chromiumPath } from '../test-run/chromium.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
/** Milliseconds for what a busy machine may take; nothing is promised by it. */
const patience = 120_000;
/** Milliseconds in which nobody does anything: what runs then is no part of the way. */
const idle = 15_000;
const looks = expect.configure({ timeout: patience });

const ours = /^(?:domain|packages|services|web)\/(?!.*(?:node_modules|testing)\/).*\.tsx?$/;
const fileOf = (ranFunction: string): string => ranFunction.replace(/#.*$/, '');

/** As V8 tells it: how often each function of a script ran. */
interface RunScript {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number; readonly startOffset: number }[];
  }[];
}

/** Functions of ours that ran, as `path#offset`; a module's own body is none. */
const ran = (scripts: readonly RunScript[], pathOf: (url: string) => string | null): ReadonlySet<string> =>
  new Set(
    scripts.flatMap(({ url, functions }) => {
      const path = pathOf(url);
      if (path === null || !ours.test(path)) return [];
      return functions.flatMap(({ ranges: [whole] }) =>
        whole !== undefined && whole.count > 0 && whole.startOffset > 0 ? [`${path}#${whole.startOffset}`] : [],
      );
    }),
  );

const inRoot = (path: string): string | null => (path.startsWith(root) ? path.slice(root.length) : null);
const ofServer = (url: string): string | null =>
  url.startsWith('file://') ? inRoot(fileURLToPath(url.replace(/\?.*$/, ''))) : null;
const ofPage = (url: string): string | null => {
  const { pathname } = new URL(url);
  if (pathname.startsWith('/src/')) return `web${pathname}`;
  return pathname.startsWith('/@fs/') ? inRoot(decodeURIComponent(pathname.slice('/@fs'.length))) : null;
};

/** What has run since the last time, in this process and on the pages, whose counting ends. */
const taken = async (inspector: Session, pages: readonly Page[]): Promise<ReadonlySet<string>> => {
  const { result } = await inspector.post('Profiler.takePreciseCoverage');
  const seen = await Promise.all(pages.map((page) => page.coverage.stopJSCoverage()));
  return new Set([...ran(result, ofServer), ...seen.flatMap((scripts) => [...ran(scripts, ofPage)])]);
};

const signedIn = async (browser: Browser, address: string, team: Team, who: Who): Promise<Page> => {
  const stored = await signedInStorage(team, who);
  const storageState = { ...stored, origins: stored.origins.map((origin) => ({ ...origin, origin: address })) };
  const context = await browser.newContext({ storageState, locale: 'ru-RU', viewport: { width: 1440, height: 900 } });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  await page.goto(`${address}/dashboard`);
  await looks(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
  await settled(page);
  return page;
};

export interface PriceChange {
  /** Files of ours of which a function ran. */
  readonly files: readonly string[];
  readonly functions: number;
}

/**
 * What runs from the press that begins to edit a price in one browser until the new price stands in another one, in the single process
 * without the thread that writes the log, and in both browsers. The web app comes unbundled, so that each file counts for itself.
 */
export const priceChange = async (): Promise<PriceChange> => {
  const executablePath = chromiumPath(process.env, existsSync);
  if (executablePath === null) throw new Error('No Chromium was found: name one in CHROMIUM_PATH');
  const folder = await mkdtemp(join(tmpdir(), 'zakup-structure-'));
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Zakup</title>');
  await writeFile(join(folder, 'csp.json'), JSON.stringify({ scriptHashes: [] }));
  const zakup = await startStandalone({
    ...testStart({ DATA_DIR: join(folder, 'data'), ADMIN_LOGIN: adminLogin, ADMIN_PASSWORD: adminPassword }),
    webDist: folder,
  });
  await zakup.ready;
  process.env['API_URL'] = zakup.address;
  const vite = await createServer({
    configFile: join(root, 'web/vite.config.ts'),
    logLevel: 'error',
    server: { port: 0 },
  });
  await vite.listen();
  const address = vite.resolvedUrls?.local[0]?.replace(/\/$/, '') ?? '';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-background-networking'] });
  const inspector = new Session();
  inspector.connect();
  try {
    const team = await givenTeam(zakup.address, ['anna', 'ilya']);
    await givenCampaign(team);
    const buyer = await signedIn(browser, address, team, 'anna');
    const watcher = await signedIn(browser, address, team, 'owner');

    await inspector.post('Profiler.enable');
    await inspector.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    for (const page of [buyer, watcher]) await page.coverage.startJSCoverage({ resetOnNavigation: false });
    await setTimeout(idle);
    const ranIdle = await taken(inspector, [buyer, watcher]);
    for (const page of [buyer, watcher]) await page.coverage.startJSCoverage({ resetOnNavigation: false });
    await editCell(buyer, '@marina_pr', 'Цена', '3100');
    await looks(await cellOf(watcher, '@marina_pr', 'Цена')).toContainText('3 100 ₽');
    await settled(buyer);
    const all = await taken(inspector, [buyer, watcher]);
    const functions = [...all].filter((one) => !ranIdle.has(one));
    return { files: [...new Set(functions.map(fileOf))].toSorted(), functions: functions.length };
  } finally {
    inspector.disconnect();
    await browser.close();
    await vite.close();
    await zakup.shutdown.stop('done');
    await rm(folder, { recursive: true, force: true });
  }
};
