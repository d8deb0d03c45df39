import type { BrowserContext, Page } from '@playwright/test';
import { deepWhen } from './deep.ts';
import { expect, test } from './story.ts';

/** A text, as the page runs it: what is stored for it. */
const stored = `indexedDB.databases().then((databases) => [
  document.cookie, ...Object.keys(localStorage), ...Object.keys(sessionStorage), ...databases.map(({ name }) => name), window.name,
].filter((name) => name !== ''))`;

const storeEverywhere = `new Promise((done) => {
  document.cookie = 'kept=1';
  localStorage.setItem('kept', '1');
  sessionStorage.setItem('kept', '1');
  window.name = 'kept';
  indexedDB.open('kept').onsuccess = done;
}).then(() => null)`;

test('E2E-1740 a context that is lent again, page and all, holds what its next story stores before, and nothing of the last', async ({
  address,
  contexts,
}) => {
  const options = { locale: 'ru-RU' };
  const first = await contexts.take(options);
  await first.page.goto(`${address}/livez`);
  const steps = await first.page.evaluate('history.length');
  await first.page.goto(`${address}/readyz`);
  await first.page.setViewportSize({ width: 400, height: 300 });
  await first.page.route('**/*', (route) => route.abort());
  await first.page.evaluate(storeEverywhere);
  expect(await first.page.evaluate(stored)).toEqual(['kept=1', 'kept', 'kept', 'kept', 'kept']);
  await contexts.giveBack(first.context);

  const localStorage = [{ name: 'signed-in', value: '1' }];
  const second = await contexts.take({
    ...options,
    storageState: { cookies: [], origins: [{ origin: address, localStorage }] },
  });
  expect([second.context === first.context, second.page === first.page]).toEqual([true, true]);
  expect(second.context.pages()).toEqual([second.page]);
  await second.page.goto(`${address}/livez`);
  expect(await second.page.evaluate(stored)).toEqual(['signed-in']);
  expect(await second.page.evaluate('history.length')).toBe(steps);
  expect(second.page.viewportSize()).toEqual({ width: 1440, height: 900 });
  await second.context.newPage();
  await contexts.giveBack(second.context);

  const third = await contexts.take(options);
  expect(third.context === first.context).toBe(true);
  expect(third.context.pages()).toEqual([third.page]);
  await third.page.goto(`${address}/livez`);
  expect(await third.page.evaluate(stored)).toEqual([]);
  await contexts.giveBack(third.context);
});

for (const [what, change] of [
  ['line', (context: BrowserContext) => context.setOffline(true)],
  ['clock', (context: BrowserContext) => context.clock.install()],
  ['scripts', (context: BrowserContext) => context.addInitScript({ content: 'window.added = true' })],
  ['sockets', (context: BrowserContext) => context.routeWebSocket(/.*/u, (socket) => void socket.close())],
  ['permissions', (context: BrowserContext) => context.grantPermissions(['clipboard-read'])],
] as const)
  test(`E2E-1741 a context whose ${what} a story changed is not lent again${deepWhen(what !== 'line')}`, async ({
    contexts,
  }) => {
    const options = { locale: 'ru-RU', userAgent: what };
    const changed = await contexts.take(options);
    await change(changed.context);
    await contexts.giveBack(changed.context);
    const next = await contexts.take(options);
    expect(next.context === changed.context).toBe(false);
    await contexts.giveBack(next.context);
  });

for (const [what, change] of [
  ['scripts', (page: Page) => page.addInitScript({ content: 'window.added = true' })],
  ['colours', (page: Page) => page.emulateMedia({ colorScheme: 'dark' })],
  ['sockets', (page: Page) => page.routeWebSocket(/.*/u, (socket) => void socket.close())],
  ['held keys', (page: Page) => page.keyboard.down('Shift')],
  ['listeners', async (page: Page) => page.on('dialog', (dialog) => dialog.accept())],
  ['session of a debugger', (page: Page) => page.context().newCDPSession(page)],
] as const)
  test(`E2E-1742 a page whose ${what} a story changed is not lent again, its context is${deepWhen(what !== 'scripts')}`, async ({
    address,
    contexts,
  }) => {
    const options = { locale: 'ru-RU', userAgent: what };
    const changed = await contexts.take(options);
    await changed.page.goto(`${address}/livez`);
    await changed.page.evaluate(storeEverywhere);
    await change(changed.page);
    await contexts.giveBack(changed.context);
    const next = await contexts.take(options);
    expect([next.context === changed.context, next.page === changed.page]).toEqual([true, false]);
    await next.page.goto(`${address}/livez`);
    expect(await next.page.evaluate(stored)).toEqual([]);
    await contexts.giveBack(next.context);
  });

test('E2E-1743 a context that was at two servers holds nothing of either when it is lent again @deep', async ({
  address,
  contexts,
}) => {
  const options = { locale: 'ru-RU', userAgent: 'two servers' };
  const other = address.replace('127.0.0.1', 'localhost');
  const first = await contexts.take(options);
  for (const server of [address, other]) {
    await first.page.goto(`${server}/livez`);
    await first.page.evaluate(storeEverywhere);
  }
  await contexts.giveBack(first.context);
  const next = await contexts.take(options);
  expect(next.context === first.context).toBe(true);
  for (const server of [address, other]) {
    await next.page.goto(`${server}/livez`);
    expect(await next.page.evaluate(stored)).toEqual([]);
  }
  await contexts.giveBack(next.context);
});
