import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { onCall } from './on-call.ts';
import { type PooledPage, pooledPage } from './pooled-page.ts';

interface Pooled {
  readonly context: BrowserContext;
  /** Absent = what it had was changed, and it was closed. */
  kept?: PooledPage | undefined;
  /** Of the options and the script that a context keeps for its life. */
  readonly key: string;
  isAsMade: boolean;
}

/** What changes a context for good, or until it is changed back. */
const changes = {
  context: [
    'addInitScript',
    'exposeBinding',
    'exposeFunction',
    'grantPermissions',
    'routeWebSocket',
    'setExtraHTTPHeaders',
    'setGeolocation',
    'setOffline',
  ],
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
} as const;

const nothingStored = { cookies: [], origins: [] };

/** A browser of one person, for one story. */
export interface Lent {
  readonly context: BrowserContext;
  /** The one page of it, which nothing was done with yet. */
  readonly page: Page;
}

export interface ContextPool {
  /**
   * A context that holds what `options.storageState` says and nothing else; only its HTTP cache may be of a story before. `script` runs in
   * each of its pages before all others.
   */
  take(options: BrowserContextOptions, script?: string): Promise<Lent>;
  /**
   * Lends it again, and its first page too, unless a story changed more of them than storage, routes, size and history: then the page is
   * closed, or all of it.
   */
  giveBack(context: BrowserContext): Promise<void>;
}

/**
 * Contexts of a browser, lent one after another: a new one costs a second of a core, for its window and for everything that the app loads
 * into an empty cache; a new page of it half of that, for its process and for the scripts that it reads anew.
 */
export const contextPool = (browser: Browser): ContextPool => {
  const idle: Pooled[] = [];
  const lent = new Map<BrowserContext, Pooled>();

  const made = async (options: BrowserContextOptions, script: string, key: string): Promise<Pooled> => {
    const context = await browser.newContext(options);
    if (script !== '') await context.addInitScript({ content: script });
    const pooled: Pooled = { context, key, isAsMade: true };
    const changed = (): void => {
      pooled.isAsMade = false;
    };
    onCall(context, changes.context, changed);
    onCall(context.clock, changes.clock, changed);
    context.once('close', changed);
    return pooled;
  };

  const closePage = async (pooled: Pooled): Promise<void> => {
    await pooled.kept?.page.close();
    pooled.kept = undefined;
  };

  return {
    take: async ({ storageState = nothingStored, ...options }, script = '') => {
      const key = JSON.stringify([options, script]);
      const at = idle.findIndex((one) => one.key === key);
      const [again] = at === -1 ? [] : idle.splice(at, 1);
      const pooled = again ?? (await made({ ...options, storageState }, script, key));
      if (again !== undefined && (await again.kept?.fill(storageState)) !== true) {
        await closePage(again);
        await again.context.setStorageState(storageState);
      }
      pooled.kept ??= await pooledPage(pooled.context);
      lent.set(pooled.context, pooled);
      return { context: pooled.context, page: pooled.kept.page };
    },
    giveBack: async (context) => {
      const pooled = lent.get(context);
      lent.delete(context);
      if (pooled?.isAsMade !== true) {
        await context.close();
        return;
      }
      const others = context.pages().filter((page) => page !== pooled.kept?.page);
      await Promise.all(others.map((page) => page.close()));
      await context.unrouteAll();
      const isEmpty = await pooled.kept?.empty().catch(() => false);
      if (isEmpty !== true) await closePage(pooled);
      idle.push(pooled);
    },
  };
};
