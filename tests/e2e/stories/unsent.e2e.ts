import type { Page } from '@playwright/test';
import { call } from '../../support/api.ts';
import { cellOf, editCell, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { type Campaign, givenCampaign, givenTeam, signIn, type Team, type Who } from '../support/team.ts';
import { toldAt } from '../support/told-at.ts';

interface HistoryEntry {
  readonly position: number;
  readonly actor: { readonly userId: string };
  readonly commandId: string;
  readonly changes: readonly { readonly field: string; readonly from: unknown; readonly to: unknown }[];
}

interface Asked {
  readonly who?: Who;
  /** A position of the log up to which the answer is complete. */
  readonly after?: number;
}

/** What one person changed of the placement of a nick, oldest first. */
const changesOf = async (
  team: Team,
  { placements }: Campaign,
  nick: string,
  { who = 'anna', after = 0 }: Asked = {},
) => {
  const path = `/placements/${placements[nick]?.id}/history?after=${after}`;
  const { entries } = await team.done<{ entries: readonly HistoryEntry[] }>('GET', path);
  return entries.filter(({ actor }) => actor.userId === team.member(who).id);
};
const valuesOf = (entries: readonly HistoryEntry[]): readonly (readonly [string, unknown])[] =>
  entries.flatMap(({ changes }) => changes.map(({ field, to }) => [field, to] as const));

/** Where in the log the last placement lies that this page has changed from now on. */
const lastSaved = (page: Page): (() => Promise<number>) => {
  let last = Promise.resolve(0);
  page.on('response', (response) => {
    if (!response.ok() || response.request().method() !== 'PUT' || !response.url().includes('/api/placements/')) return;
    const position = async (): Promise<number> => ((await response.json()) as { position: number }).position;
    last = Promise.all([last, position()]).then((both) => Math.max(...both));
  });
  return () => last;
};

/** A switch between the page and the calls and the socket of the server; the page itself can always be loaded. */
const lineOf = async (page: Page) => {
  let reachable = true;
  await page.routeWebSocket(/.*/u, (socket) => {
    if (reachable) socket.connectToServer();
    else void socket.close({ code: 1012 });
  });
  await page.route('**/api/**', (route) => (reachable ? route.fallback() : route.abort('connectionrefused')));
  return {
    cut: () => {
      reachable = false;
    },
    mend: () => {
      reachable = true;
    },
  };
};

const signInOnPage = async (page: Page, team: Team, who: Who): Promise<void> => {
  const { code, password } = team.member(who);
  await page.getByLabel('Код доступа').fill(code);
  await page.getByLabel('Пароль', { exact: true }).fill(password);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/dashboard$/u);
};

test('E2E-126 a lost line is told of within three seconds, and no more once it is back @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  expectProblems(/ERR_INTERNET_DISCONNECTED|WebSocket connection/u);
  const told = await toldAt(page, 'Нет связи');
  const lostAt = await page.evaluate<number>('Date.now()');
  await page.context().setOffline(true);
  expect((await told()) - lostAt, 'milliseconds from the loss to the words').toBeLessThan(3_000);
  await expect(page.getByText('Нет связи, изменения будут отправлены.')).toBeVisible();
  await page.context().setOffline(false);
  await settled(page);
  await expect(page.getByText('Нет связи')).toHaveCount(0);
});

test('E2E-122 what could not be sent says so at its cell, and goes once, when asked or when refused with its reason @deep', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const given = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  expectProblems(/Failed to load resource/u);
  // Nothing gets through before «Повторить» was pressed, so that what is tried without it does not take its place.
  await page.evaluate(
    'addEventListener("click", ({ target }) => { window.asked ||= target.textContent === "Повторить" }, true)',
  );
  await page.route('**/api/placements/*', async (route) =>
    (await page.evaluate('window.asked === true')) ? route.fallback() : route.abort('connectionrefused'),
  );

  await editCell(page, '@marina_pr', 'Цена', '3900');
  const price = await cellOf(page, '@marina_pr', 'Цена');
  await expect(price).toContainText('3 900 ₽');
  await expect(price.getByText('не сохранено')).toBeVisible();
  // Enter went down; what is said of a cell stands below it while one is in it.
  await goToCell(page, '@marina_pr', 'Цена');
  await expect(page.getByText('Не сохранено: Цена: 3 900 ₽. Отправим сами')).toBeVisible();
  await expect(page.getByText('Не отправлено: 1')).toBeVisible();
  const saved = lastSaved(page);
  await page.getByRole('button', { name: 'Повторить', exact: true }).click();
  await expect(page.getByText(/не сохранено/iu)).toHaveCount(0);
  await settled(page);
  expect(valuesOf(await changesOf(team, given, 'marina_pr', { after: await saved() }))).toEqual([['price', 3900]]);

  await page.evaluate('window.asked = false');
  await editCell(page, '@marina_pr', 'Цена', '4100');
  await expect(price.getByText('не сохранено')).toBeVisible();
  await goToCell(page, '@marina_pr', 'Цена');
  await team.done('POST', `/campaigns/${given.campaign.id}/complete`);
  await page.getByRole('button', { name: 'Повторить', exact: true }).click();
  await expect(price.getByText('отклонено', { exact: true })).toBeVisible();
  await expect(page.getByText('Отклонено: Цена: 4 100 ₽. Кампания завершена')).toBeVisible();
  await expect(price).toContainText('3 900 ₽');
});

test('E2E-123 several changes made without a line outlive a reload, an ended session and another person, and go once, in order', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const given = await givenCampaign(team);
  const rows = ['marina_pr', 'kitchen_ads', 'food_daily'];
  const changes = (after = 0) => Promise.all(rows.map((nick) => changesOf(team, given, nick, { after })));
  const { page, expectProblems } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  expectProblems(/Failed to load resource|WebSocket connection|WebSocket is closed/u);
  const line = await lineOf(page);
  // The page's own line was made before the switch was there.
  await page.reload();
  await settled(page);

  line.cut();
  await editCell(page, '@marina_pr', 'Цена', '3100');
  await editCell(page, '@kitchen_ads', 'Приход', '51');
  await editCell(page, '@marina_pr', 'Цена', '3200');
  await editCell(page, '@food_daily', 'Цена', '8100');
  await editCell(page, '@marina_pr', 'Приход', '61');
  await expect(page.getByText('Не отправлено: 5').first()).toBeVisible();
  await page.reload();
  await expect(page.getByText('Не отправлено: 5').first()).toBeVisible();
  expect((await changes()).flat()).toEqual([]);

  // Meanwhile all sessions of Anna are ended.
  const elsewhere = await signIn(address, team.member('anna'));
  await call(address, 'DELETE', '/auth/sessions', undefined, { token: elsewhere.token });
  // The page is left before the line is there again: it would hear of the end by itself, and the reload would take its word away.
  await page.goto('about:blank');
  line.mend();
  await page.goto(`${address}/dashboard`);
  await expect(page.getByText('Session expired. Please login again.')).toBeVisible();

  await signInOnPage(page, team, 'ilya');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  await expect(await cellOf(page, '@marina_pr', 'Цена')).toContainText('3 000 ₽');
  for (const nick of rows)
    expect(
      [...(await changesOf(team, given, nick)), ...(await changesOf(team, given, nick, { who: 'ilya' }))],
      'another person sends none of it',
    ).toEqual([]);
  await page.getByRole('button', { name: /^Меню: /u }).click();
  await page.getByRole('menuitem', { name: 'Выйти' }).click();

  const saved = lastSaved(page);
  await signInOnPage(page, team, 'anna');
  await expect(await cellOf(page, '@marina_pr', 'Приход')).toContainText('61');
  await settled(page);
  const sent = await changes(await saved());
  expect(sent.map(valuesOf), 'each once, in the order of its row').toEqual([
    [
      ['price', 3100],
      ['price', 3200],
      ['leads', 61],
    ],
    [['leads', 51]],
    [['price', 8100]],
  ]);
  expect(new Set(sent.flat().map(({ commandId }) => commandId)).size).toBe(5);
});

/** How many frames are painted from the next Enter on until the elements of these selectors hold these texts, the one that shows them included. */
const framesToShow = async (page: Page, wanted: Readonly<Record<string, string>>): Promise<() => Promise<number>> => {
  await page.evaluate(`window.framesToShow = new Promise((shown) => {
    const wanted = Object.entries(${JSON.stringify(wanted)});
    const stands = ([selector, text]) =>
      [...document.querySelectorAll(selector)].some((one) => one.textContent.replaceAll('\\u00a0', ' ').includes(text));
    const begin = (event) => {
      if (event.key !== 'Enter') return;
      removeEventListener('keydown', begin, true);
      let frames = 0;
      const look = () => {
        frames += 1;
        if (wanted.every(stands)) shown(frames);
        else requestAnimationFrame(look);
      };
      requestAnimationFrame(look);
    };
    addEventListener('keydown', begin, true);
  }); undefined`);
  return () => page.evaluate<number>('window.framesToShow');
};

test('E2E-141 what was typed stands in its cell, in the cost per lead and in the totals with the first frame after Enter', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { placements } = await givenCampaign(team);
  const placed = placements['marina_pr'];
  const { page } = await as(team, 'owner');
  const totals = page.getByRole('grid').getByRole('row').filter({ hasText: 'Итого' });
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  await expect(totals).toContainText('21 600,50 ₽');

  let answer = (): void => undefined;
  const asked = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route('**/api/placements/*', async (route) => {
    await asked;
    await route.fallback();
  });
  await goToCell(page, '@marina_pr', 'Цена');
  await page.keyboard.press('F2');
  await page.keyboard.type('6300');
  const row = `[data-row="${placed?.id}"]`;
  const frames = await framesToShow(page, {
    [`${row} .z-grid-price`]: '6 300 ₽',
    [`${row} .z-grid-cpl`]: '105,00 ₽',
    '[role="grid"] tr': '24 900,50 ₽',
  });
  await page.keyboard.press('Enter');
  expect(await frames()).toBe(1);
  const predicted = await totals.innerText();

  answer();
  await settled(page);
  expect(await totals.innerText(), 'the server says the same').toBe(predicted);
  await expect(await cellOf(page, '@marina_pr', 'CPL')).toContainText('105,00 ₽');
});

test('E2E-142 a change outlives a tab that dies in the moment of Enter, and is sent by the next one', async ({
  address,
  as,
}) => {
  const team = await givenTeam(address, ['anna', 'ilya']);
  const given = await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'anna');
  await expect(rowOf(page, '@marina_pr')).toBeVisible();
  await settled(page);
  expectProblems(/Failed to load resource|WebSocket connection|WebSocket is closed/u);
  const line = await lineOf(page);
  line.cut();
  await goToCell(page, '@marina_pr', 'Приход');
  await page.keyboard.press('F2');
  await page.keyboard.type('61');
  // From Enter on the page comes to nothing else, until it is gone.
  await page.evaluate(`addEventListener('keydown', () => setTimeout(() => { for (;;); }), true); undefined`);
  const tab = await page.context().newCDPSession(page);
  await page.keyboard.down('Enter');
  const died = page.waitForEvent('crash');
  tab.send('Page.crash').catch(() => undefined);
  await died;
  expect(await changesOf(team, given, 'marina_pr')).toEqual([]);

  const next = await page.context().newPage();
  const saved = lastSaved(next);
  await next.goto(`${address}/dashboard`);
  await expect(await cellOf(next, '@marina_pr', 'Приход')).toContainText('61');
  await settled(next);
  expect(valuesOf(await changesOf(team, given, 'marina_pr', { after: await saved() }))).toEqual([['leads', 61]]);
});
