import type { EventEmitter } from 'node:events';
import type { BrowserContext, BrowserContextOptions, CDPSession, Page } from '@playwright/test';
import { onCall } from './on-call.ts';

/** A page that is kept open from story to story. */
export interface PooledPage {
  readonly page: Page;
  /** Leaves nothing of its story in it; false = that cannot be done, so that the page is of no use any more. */
  empty(): Promise<boolean>;
  /** Puts into the emptied page what its next story stores before; false = it is in a file, or of another server than the page was. */
  fill(state: NonNullable<BrowserContextOptions['storageState']>): Promise<boolean>;
}

/** What changes a page for its life. Its storage, routes, size and history are put back, its listeners are counted. */
const changes = {
  page: [
    'addInitScript',
    'emulateMedia',
    'exposeBinding',
    'exposeFunction',
    'routeWebSocket',
    'setDefaultNavigationTimeout',
    'setDefaultTimeout',
    'setExtraHTTPHeaders',
  ],
  keyboard: ['down'],
  mouse: ['down'],
} as const;

/** Something of every server that runs nothing. */
const nothingRuns = '/favicon.svg';

const isOfServer = (url: string): boolean => /^https?:/u.test(url);

const listenersOf = (page: Page): number => {
  const emitter = page as unknown as EventEmitter;
  return emitter.eventNames().reduce((sum, name) => sum + emitter.listenerCount(name), 0);
};

/** A new page of this context, to be lent together with it. */
export const pooledPage = async (context: BrowserContext): Promise<PooledPage> => {
  const page = await context.newPage();
  const session: CDPSession = await context.newCDPSession(page);
  const viewport = page.viewportSize();
  /** Of all that it showed. */
  const origins = new Set<string>();
  let isAsMade = true;
  const changed = (): void => {
    isAsMade = false;
  };
  page.on('framenavigated', (frame) => {
    if (isOfServer(frame.url())) origins.add(new URL(frame.url()).origin);
  });
  page.once('close', changed);
  onCall(page, changes.page, changed);
  onCall(page.keyboard, changes.keyboard, changed);
  onCall(page.mouse, changes.mouse, changed);
  // A session may slow the line or the processor down.
  onCall(context, ['newCDPSession'], changed);
  const listeners = listenersOf(page);

  return {
    page,
    empty: async () => {
      const [origin, other] = origins;
      if (!isAsMade || listenersOf(page) !== listeners || other !== undefined || page.isClosed()) return false;
      await page.unrouteAll();
      if (origin === undefined) return true;
      const loaded = await page.goto(origin + nothingRuns);
      if (loaded?.ok() !== true) return false;
      await page.evaluate(`sessionStorage.clear(); localStorage.clear(); window.name = ''`);
      await session.send('Storage.clearDataForOrigin', { origin, storageTypes: 'all' });
      await context.clearCookies();
      await page.mouse.move(0, 0);
      if (viewport !== null) await page.setViewportSize(viewport);
      await session.send('Page.resetNavigationHistory');
      return true;
    },
    fill: async (state) => {
      if (typeof state === 'string') return false;
      const { cookies, origins: stored } = state;
      const [own, other] = stored;
      if (other !== undefined || (own !== undefined && !origins.has(own.origin))) return false;
      if (cookies.length > 0) await context.addCookies(cookies);
      if (own !== undefined) {
        const items = JSON.stringify(own.localStorage);
        await page.evaluate(`for (const { name, value } of ${items}) localStorage.setItem(name, value)`);
      }
      return true;
    },
  };
};
