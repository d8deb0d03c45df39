import type { Locator, Page } from '@playwright/test';
import { adminLogin, adminPassword } from '../../support/zakup-process.ts';
import { isDeep } from '../support/deep.ts';
import { expect, otherNamedEmail, test } from '../support/story.ts';
import { goToCell } from '../support/screen.ts';
import { givenCampaign, givenTeam, issuedLicence } from '../support/team.ts';
import { topsIn } from '../support/tops.ts';

/** Longer than an answer counts as new; milliseconds. */
const laterMs = 31_000;
const sizes = [...(isDeep ? ([{ width: 1280, height: 800 }] as const) : []), { width: 390, height: 844 }] as const;

const broken = {
  type: 'urn:zakup:problem:internal',
  title: 'INTERNAL',
  status: 500,
  detail: 'Сломалось.',
  instance: 'story',
  success: false,
  error: 'Сломалось.',
  code: 'INTERNAL',
};

interface Read {
  /** What the screen asks the server for. */
  readonly asked: RegExp;
  /** What may not move. */
  readonly place: Locator;
  /** Of that, what is there once it has been read. */
  readonly drawn: Locator;
  /** Texts that tell of this moment, so that where one stood another one may. */
  readonly ofNow?: RegExp;
}

/** The texts whose top has changed, of those that are there both times. */
const moved = async ({ place, ofNow }: Read, before: Readonly<Record<string, number>>): Promise<readonly string[]> => {
  const now = await topsIn(place, ofNow);
  const both = Object.entries(before).filter(([text]) => text in now);
  expect(both.length, 'texts that are there both times').toBeGreaterThan(3);
  return both.filter(([text, top]) => now[text] !== top).map(([text, top]) => `${text}: ${top} → ${now[text]}`);
};

/** Lets the read fail that is done anew when one comes back to the window, and then go well. */
const failsAndRecovers = async (page: Page, read: Read): Promise<void> => {
  const { asked, place, drawn } = read;
  await expect(drawn).toBeVisible();
  // Live, so that nothing else is read anew meanwhile; the line that says so stands under the wide workspace alone.
  const statusLine = page.locator('.z-status');
  if ((await statusLine.count()) > 0) await expect(statusLine.getByText('На связи', { exact: true })).toBeVisible();
  const before = await topsIn(place, read.ofNow);
  await page.route(asked, (route) =>
    route.request().method() === 'GET' ? route.fulfill({ status: 500, json: broken }) : route.fallback(),
  );
  // Of the page, where an earlier read has set it forward.
  await page.clock.setFixedTime((await page.evaluate<number>('Date.now()')) + laterMs);
  await page.evaluate(`window.dispatchEvent(new Event('visibilitychange'))`);
  const note = page.getByRole('alert').filter({ hasText: 'Не обновилось' });
  await expect(note).toBeInViewport({ ratio: 1 });
  expect(await moved(read, before)).toEqual([]);
  await page.unroute(asked);
  const retry = note.getByRole('button', { name: 'Повторить' });
  await retry.press('Enter');
  await expect(note).toHaveCount(0);
  expect(await moved(read, before)).toEqual([]);
  await expect(page.locator('body:focus')).toHaveCount(0);
};

test('E2E-1305 a read that fails and recovers moves nothing: journal, deleted, salary, own sessions, statement, a creative’s page and the licence', async ({
  address,
  as,
}) => {
  test.setTimeout(300_000);
  const team = await givenTeam(address, ['anna', 'ilya'], { ownerEmail: otherNamedEmail });
  const { placements, creatives } = await givenCampaign(team);
  await team.done('DELETE', `/placements/${placements['marina_pr']?.id ?? ''}`);
  const owner = await as(team, 'owner');
  const anna = await as(team, 'anna', '/profile');
  for (const { expectProblems } of [owner, anna]) expectProblems(/status of 500/u);
  const { page } = owner;
  const main = page.getByRole('main');
  for (const size of sizes)
    await test.step(`${size.width} px`, async () => {
      await page.setViewportSize(size);
      const screens = [
        { path: '/journal', asked: /\/api\/audit/u, drawn: main.locator('[data-event]').first() },
        { path: '/journal?tab=deleted', asked: /\/api\/audit/u, drawn: main.getByText('@marina_pr').first() },
        {
          path: '/journal?tab=salary',
          asked: /\/api\/reports\/salary/u,
          drawn: main.getByText('Анна Соколова').first(),
        },
        { path: '/profile', asked: /\/api\/auth\/sessions/u, drawn: main.getByText('Эта сессия') },
        {
          path: `/creatives/${creatives.recipe.id}`,
          asked: /\/api\/creatives\/[^/]+\/results/u,
          drawn: main.getByRole('table').first(),
        },
        { path: '/license-admin', asked: /\/api\/license(\?|$)/u, drawn: main.getByText('Эта сессия') },
      ];
      for (const { path, ...read } of screens)
        await test.step(path, async () => {
          await page.goto(address + path);
          await failsAndRecovers(page, { ...read, place: main });
        });
      await test.step('a statement, which an owner has none of', async () => {
        const own = anna.page.getByRole('main');
        await anna.page.setViewportSize(size);
        await failsAndRecovers(anna.page, {
          asked: /\/api\/profile\/statement/u,
          place: own,
          drawn: own.getByText('Бонус по отчёту о зарплате', { exact: true }),
        });
      });
    });
});

test('E2E-1306 in a dialog too a read that fails and recovers moves nothing: a placement’s history and the licence; nor on the operator’s page @deep', async ({
  address,
  as,
  newcomer,
}) => {
  test.setTimeout(300_000);
  const team = await givenTeam(address, ['anna', 'ilya']);
  await givenCampaign(team);
  const { page, expectProblems } = await as(team, 'owner');
  expectProblems(/status of 500/u);
  const dialog = page.getByRole('dialog');
  for (const size of sizes)
    await test.step(`${size.width} px`, async () => {
      await page.setViewportSize({ width: 1280, height: 800 });
      await page.goto(`${address}/dashboard`);
      await page.getByRole('button', { name: 'Лицензия', exact: true }).click();
      await page.setViewportSize(size);
      await failsAndRecovers(page, {
        asked: /\/api\/license(\?|$)/u,
        place: dialog,
        drawn: dialog.getByRole('heading', { name: 'Лицензия' }),
      });
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);

      if (size.width < 768)
        await page
          .getByRole('article')
          .filter({ hasText: '@marina_pr' })
          .getByRole('button', { name: 'История' })
          .click();
      else {
        await goToCell(page, '@marina_pr', 'Дата');
        await page.keyboard.press(' ');
      }
      await failsAndRecovers(page, {
        asked: /\/api\/placements\/[^/]+\/history/u,
        place: dialog,
        drawn: dialog.getByRole('listitem').last(),
      });
    });

  await test.step('the operator’s page, longer than the window', async () => {
    for (let nth = 0; nth < 20; nth += 1) await issuedLicence(address);
    const operator = await newcomer('/admin');
    operator.expectProblems(/status of 500/u);
    await operator.page.getByLabel('Логин').fill(adminLogin);
    await operator.page.getByLabel('Пароль', { exact: true }).fill(adminPassword);
    await operator.page.keyboard.press('Enter');
    const main = operator.page.getByRole('main');
    await failsAndRecovers(operator.page, {
      asked: /\/api\/admin\/licenses(\?|$)/u,
      place: main,
      drawn: main.getByRole('row').nth(1),
      ofNow: /\d|назад|сейчас/,
    });
  });
});
