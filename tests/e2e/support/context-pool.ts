import type { Browser, BrowserContext, BrowserContextOptions } from '@playwright/test';

interface Pooled {
  readonly context: BrowserContext;
  /** Of the options that a context keeps for its life. */
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
    'setExtraHTTPHeaders',
    'setOffline',
  ],
  clock: ['install', 'pauseAt', 'setFixedTime', 'setSystemTime'],
} as const;

const onCall = (object: object, names: readonly string[], then: () => void): void => {
  for (const name of names) {
    const own = Reflect.get(object, name) as (...given: unknown[]) => unknown;
    Reflect.set(object, name, (...given: unknown[]) => {
      then();
      return Reflect.apply(own, object, given);
    });
  }
};

export interface ContextPool {
  /** A context without pages that holds what `options.storageState` says and nothing else; only its HTTP cache may be of a story before. */
  take(options: BrowserContextOptions): Promise<BrowserContext>;
  /** Closes its pages and lends it again, unless a story changed more of it than storage and routes: then it is closed. */
  giveBack(context: BrowserContext): Promise<void>;
}

/**
 * Contexts of a browser, lent one after another: a new one costs a second of a core, for its window and for everything that the app loads
 * into an empty cache.
 */
export const contextPool = (browser: Browser): ContextPool => {
  const idle: Pooled[] = [];
  const lent = new Map<BrowserContext, Pooled>();

  const made = async (options: BrowserContextOptions, key: string): Promise<Pooled> => {
    const context = await browser.newContext(options);
    const pooled: Pooled = { context, key, isAsMade: true };
    const changed = (): void => {
      pooled.isAsMade = false;
    };
    onCall(context, changes.context, changed);
    onCall(context.clock, changes.clock, changed);
    context.once('close', changed);
    return pooled;
  };

  return {
    take: async ({ storageState, ...options }) => {
      const key = JSON.stringify(options);
      const at = idle.findIndex((pooled) => pooled.key === key);
      const [kept] = at === -1 ? [] : idle.splice(at, 1);
      await kept?.context.setStorageState(storageState ?? { cookies: [], origins: [] });
      const pooled = kept ?? (await made({ ...options, ...(storageState !== undefined && { storageState }) }, key));
      lent.set(pooled.context, pooled);
      return pooled.context;
    },
    giveBack: async (context) => {
      const pooled = lent.get(context);
      lent.delete(context);
      if (pooled?.isAsMade !== true) {
        await context.close();
        return;
      }
      await Promise.all(context.pages().map((page) => page.close()));
      await context.unrouteAll();
      idle.push(pooled);
    },
  };
};
