import type { BrowserContext, Page } from '@playwright/test';
import { expect, test } from './watched-context.ts';

const origin = 'http://127.0.0.1:9';

/** A page of an app without a server. */
const pageIn = async (context: BrowserContext): Promise<Page> => {
  const page = await context.newPage();
  await page.route(`${origin}/**`, (route) => route.fulfill({ body: '<title>App</title>', contentType: 'text/html' }));
  await page.goto(origin);
  return page;
};

/** A text, as the page runs it: what is stored for it. */
const stored = `indexedDB.databases().then((databases) => [
  document.cookie, ...Object.keys(localStorage), ...Object.keys(sessionStorage), ...databases.map(({ name }) => name),
].filter((name) => name !== ''))`;

test('E2E-1740 a context that is lent again holds what its next story stores before, and nothing of the last', async ({
  contexts,
}) => {
  const options = { locale: 'ru-RU' };
  const first = await contexts.take(options);
  const page = await pageIn(first);
  await page.evaluate(`new Promise((done) => {
    document.cookie = 'kept=1';
    localStorage.setItem('kept', '1');
    sessionStorage.setItem('kept', '1');
    indexedDB.open('kept').onsuccess = done;
  }).then(() => null)`);
  expect(await page.evaluate(stored)).toEqual(['kept=1', 'kept', 'kept', 'kept']);
  await contexts.giveBack(first);

  const localStorage = [{ name: 'signed-in', value: '1' }];
  const second = await contexts.take({
    ...options,
    storageState: { cookies: [], origins: [{ origin, localStorage }] },
  });
  expect(second === first).toBe(true);
  expect(second.pages()).toHaveLength(0);
  expect(await (await pageIn(second)).evaluate(stored)).toEqual(['signed-in']);
  await contexts.giveBack(second);
  const third = await contexts.take(options);
  expect(third === first).toBe(true);
  expect(await (await pageIn(third)).evaluate(stored)).toEqual([]);
  await contexts.giveBack(third);
});

for (const [what, change] of [
  ['line', (context: BrowserContext) => context.setOffline(true)],
  ['clock', (context: BrowserContext) => context.clock.install()],
  ['scripts', (context: BrowserContext) => context.addInitScript({ content: 'window.added = true' })],
  ['permissions', (context: BrowserContext) => context.grantPermissions(['clipboard-read'])],
] as const)
  test(`E2E-1741 a context whose ${what} a story changed is not lent again`, async ({ contexts }) => {
    const options = { locale: 'ru-RU', userAgent: what };
    const changed = await contexts.take(options);
    await change(changed);
    await contexts.giveBack(changed);
    const next = await contexts.take(options);
    expect(next === changed).toBe(false);
    await contexts.giveBack(next);
    await changed.close();
  });
