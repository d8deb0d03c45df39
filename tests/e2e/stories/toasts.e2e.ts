import type { Page } from '@playwright/test';
import { deepWhen } from '../support/deep.ts';
import { settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

const said = (page: Page, text: RegExp) => page.locator('.z-toast').filter({ hasText: text });

/** What toasts last is far longer here, so that there is time to look at where they lie. */
const lastingToasts = `{
  const set = window.setTimeout;
  const lasting = [3000, 4000, 5000];
  window.setTimeout = (run, after, ...more) => set(run, lasting.includes(after) ? 600000 : after, ...more);
}`;

/**
 * What one presses next: of a dialog all it has; else the frame's bars, the campaign's heading and main buttons. Names of those that a
 * toast lies on.
 */
const underToasts = (page: Page): Promise<readonly string[]> =>
  page.evaluate<readonly string[]>(`(() => {
    const toasts = [...document.querySelectorAll('.z-toast')].map((toast) => toast.getBoundingClientRect());
    if (toasts.length === 0) return ['no toast is there'];
    const dialog = [...document.querySelectorAll('[role=dialog], [role=alertdialog]')].at(-1);
    const places = dialog === undefined ? [...document.querySelectorAll('.z-top, .z-tabs, .z-campaign-head')] : [dialog];
    const mains = dialog === undefined ? [...document.querySelectorAll('main .z-button-primary')] : [];
    const pressed = [...places.flatMap((place) => [...place.querySelectorAll('button, a')]), ...mains];
    return pressed
      .filter((one) => one.checkVisibility({ visibilityProperty: true }))
      .filter((one) => {
        const at = one.getBoundingClientRect();
        const lies = ({ left, right, top, bottom }) => left < at.right && right > at.left && top < at.bottom && bottom > at.top;
        return at.width > 0 && toasts.some(lies);
      })
      .map((one) => one.getAttribute('aria-label') ?? one.textContent.trim());
  })()`);

const liesOnNothing = async (page: Page, text: RegExp): Promise<void> => {
  await expect(said(page, text)).toBeVisible();
  await expect.poll(() => underToasts(page)).toEqual([]);
};

for (const [width, height] of [
  [1280, 800],
  [390, 844],
] as const)
  test(`E2E-3321 at ${width} px what is said of a placement added, one refused and one deleted lies on no button of the frame, the heading or a dialog${deepWhen(width >= 768)}`, async ({
    address,
    as,
  }) => {
    const team = await givenTeam(address, ['anna', 'ilya']);
    await givenCampaign(team);
    const { page, expectProblems } = await as(team, 'anna', '/profile', { viewport: { width, height } });
    await page.addInitScript({ content: lastingToasts });
    const isPhone = width < 768;
    const shown = (nick: string) =>
      isPhone ? page.getByRole('article').filter({ hasText: nick }) : page.getByRole('row').filter({ hasText: nick });
    const begin = async (): Promise<void> => {
      await page.goto(`${address}/dashboard`);
      await expect(shown('@kitchen_ads')).toBeVisible();
      await settled(page);
    };
    const dialog = page.getByRole('dialog', { name: 'Добавить размещение' });
    const open = async (): Promise<void> => {
      await page.keyboard.press('Control+Enter');
      await expect(dialog).toBeVisible();
    };
    const add = async (nick: string): Promise<void> => {
      await open();
      await dialog.getByLabel('Ник контрагента').fill(nick);
      await dialog.getByLabel('Тематика').fill('Кулинария');
      await page.getByRole('option', { name: 'Кулинария' }).click();
      await dialog.getByRole('button', { name: 'Добавить размещение' }).click();
      await expect(dialog).toHaveCount(0);
    };
    const holds = async (text: RegExp): Promise<void> => {
      await liesOnNothing(page, text);
      await open();
      await liesOnNothing(page, text);
      await page.keyboard.press('Escape');
      await expect(dialog).toHaveCount(0);
    };

    await test.step('added', async () => {
      await begin();
      await add('brand_new');
      await holds(/Размещение добавлено/u);
    });
    await test.step('deleted', async () => {
      await begin();
      await shown('@marina_pr').hover();
      await shown('@marina_pr')
        .getByRole('button', { name: /^Удалить/u })
        .click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Удалить' }).click();
      await expect(shown('@marina_pr')).toHaveCount(0);
      await holds(/Удалено: @marina_pr/u);
    });
    await test.step('refused', async () => {
      await begin();
      expectProblems(/422/u);
      await page.route('**/api/placements', (route) =>
        route.fulfill({
          status: 422,
          json: { success: false, code: 'VALIDATION_FAILED', error: 'Некорректная цена', correlationId: 'a' },
        }),
      );
      await add('other_new');
      await holds(/Ошибка при добавлении размещения/u);
      await page.unroute('**/api/placements');
    });
  });
