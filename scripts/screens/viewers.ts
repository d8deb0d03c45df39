import type { Browser, BrowserContext, BrowserContextOptions, Page } from '@playwright/test';
import { demoPassword } from '@zakup/demo/logins';
import type { Scene, Viewer } from './scenes.ts';

interface Door {
  readonly path: string;
  readonly body: Readonly<Record<string, string>>;
}

export const doors: Readonly<Record<Exclude<Viewer, 'nobody'>, Door>> = {
  owner: { path: '/api/auth/ceo-login', body: { loginCode: 'DEMOVLADELEC', password: demoPassword } },
  buyer: { path: '/api/auth/employee-login', body: { authCode: 'DEMOMEDBUYER', password: demoPassword } },
  admin: { path: '/api/admin/login', body: { login: 'admin', password: demoPassword } },
};

interface Tokens {
  readonly token: string;
  readonly refreshToken?: string;
}

export const signIn = async (address: string, { path, body }: Door): Promise<Tokens> => {
  const answer = await fetch(`${address}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { data: Tokens }).data;
};

/** What the browser of somebody who signed in just now keeps. */
const storageOf = (address: string, { token, refreshToken = '' }: Tokens, now: number) => {
  const { sub } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: string };
  const record = JSON.stringify({ userId: sub, timestamp: now, lifetimeMinutes: 1440 });
  const items = { authToken: token, refreshToken, 'tg-analytics-session': record };
  const localStorage = Object.entries(items).map(([name, value]) => ({ name, value }));
  return { cookies: [], origins: [{ origin: address, localStorage }] };
};

/** A text, as whoever runs this may compile functions into something that a page does not understand. */
const shiftedClock = (ahead: number): string => `{
  const Real = Date;
  window.Date = new Proxy(Real, {
    construct: (target, given, made) => Reflect.construct(target, given.length === 0 ? [target.now() + ${ahead}] : given, made),
    get: (target, name) => (name === 'now' ? () => target.now() + ${ahead} : Reflect.get(target, name)),
  });
}`;

export interface View extends BrowserContextOptions {
  readonly address: string;
  readonly viewer: Viewer;
  /** How far the clock of the demo is ahead of the real one, in milliseconds. */
  readonly ahead: number;
  /** Makes the browser's context, in whose pages `script` runs before all others; `browser.newContext` unless said otherwise. */
  readonly newContext?: (options: BrowserContextOptions, script: string) => Promise<BrowserContext>;
}

/** A browser of somebody who has signed in, its clock beside that of the demo. */
export const openView = async (
  browser: Browser,
  { address, viewer, ahead, newContext, ...options }: View,
): Promise<BrowserContext> => {
  const own = async (all: BrowserContextOptions, script: string): Promise<BrowserContext> => {
    const context = await browser.newContext(all);
    await context.addInitScript({ content: script });
    return context;
  };
  const tokens = viewer === 'nobody' ? null : await signIn(address, doors[viewer]);
  const context = await (newContext ?? own)(
    {
      locale: 'ru-RU',
      reducedMotion: 'reduce',
      ...(tokens !== null && viewer !== 'admin' && { storageState: storageOf(address, tokens, Date.now() + ahead) }),
      ...options,
    },
    shiftedClock(ahead),
  );
  if (tokens !== null && viewer === 'admin')
    await context.addInitScript({
      content: `if (location.protocol === 'http:') sessionStorage.setItem('adminToken', ${JSON.stringify(tokens.token)})`,
    });
  return context;
};

/** Resolves once nothing is loading any more. */
export const settled = async (page: Page): Promise<void> => {
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.locator('.z-skeleton').first().waitFor({ state: 'detached' });
  await page.evaluate('document.fonts.ready.then(() => null)');
};

/**
 * Resolves once the frame, where there is one, has its campaigns, each with how much of its budget is used: they come later than a page of
 * few things stands.
 */
export const framed = async (page: Page): Promise<void> => {
  if ((await page.getByRole('navigation', { name: 'Разделы' }).count()) === 0) return;
  const campaigns = page.locator('.z-side-campaign');
  await campaigns.first().waitFor({ state: 'attached' });
  await campaigns
    .filter({ hasNot: page.locator('.z-figure') })
    .first()
    .waitFor({ state: 'detached' });
};

/** Goes to a scene's page and opens what it is about. */
export const goTo = async (page: Page, address: string, { path, open }: Scene): Promise<void> => {
  await page.goto(`${address}${path}`);
  await settled(page);
  await open?.(page);
};
