import type { Page } from '@playwright/test';
import { cellOf, goToCell, rowOf, settled } from '../support/screen.ts';
import { expect, test } from '../support/story.ts';
import { givenCampaign, givenTeam } from '../support/team.ts';

/** Two frames later, when whoever gives the focus back has begun to: has something on the page that can be used the focus? */
const isKept = (page: Page): Promise<boolean> =>
  page.evaluate(`new Promise((told) => requestAnimationFrame(() => requestAnimationFrame(() => {
    const { activeElement, body } = document;
    told(activeElement !== null && activeElement !== body && activeElement.getClientRects().length > 0);
  })))`);

/** Presses something by Enter; what it closes is gone then, and the focus is not. */
const closes = async (page: Page, what: string, closer: string | RegExp, gone: string): Promise<void> => {
  const button = page.getByRole('button', { name: closer }).last();
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.locator(gone), what).toHaveCount(0);
  await expect.poll(() => isKept(page), what).toBe(true);
};

const modal = '[role="dialog"][aria-modal="true"], [role="alertdialog"][aria-modal="true"], .z-dialog';

test('E2E-1308 whatever is closed by its ✕ or goes with its row leaves the focus on something that can be used: dashboard, contractors, a creative’s page, settings, salary report, journal @deep', async ({
  address,
  as,
}) => {
  test.setTimeout(120_000);
  const team = await givenTeam(address, ['anna', 'ilya']);
  const { creatives } = await givenCampaign(team);
  const { page } = await as(team, 'owner');
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(rowOf(page, '@kitchen_ads')).toBeVisible();
  await settled(page);

  await test.step('a chip of a filter, and all of them', async () => {
    const chip = page.getByRole('button', { name: /^Убрать: / });
    for (const closer of [/^Убрать: /u, 'Сбросить фильтры']) {
      await page.getByRole('button', { name: 'Найти' }).focus();
      await page.keyboard.press('Enter');
      await page.keyboard.type('kitchen');
      await expect(chip).toBeVisible();
      const button = page.getByRole('button', { name: closer }).first();
      await button.focus();
      await page.keyboard.press('Enter');
      await expect(chip).toHaveCount(0);
      await expect.poll(() => isKept(page), String(closer)).toBe(true);
    }
  });

  await test.step('the history of a placement, and its deletion', async () => {
    await goToCell(page, '@kitchen_ads', 'Дата');
    await page.keyboard.press(' ');
    await page.getByRole('dialog', { name: 'История: @kitchen_ads' }).waitFor();
    await closes(page, 'history', 'Закрыть', modal);
    await goToCell(page, '@new_place', 'Дата');
    await page.keyboard.press('End');
    await expect(await cellOf(page, '@new_place', 'Удаление')).toBeFocused();
    await page.keyboard.press('Enter');
    await page.locator(modal).waitFor();
    await closes(page, 'deletion', /^Удалить/u, modal);
    await expect(rowOf(page, '@new_place')).toHaveCount(0);
    await expect.poll(() => isKept(page), 'the row is gone').toBe(true);
  });

  await test.step('a contractor', async () => {
    await page.goto(`${address}/contractors`);
    await page.getByRole('main').getByRole('button', { name: '@kitchen_ads', exact: true }).first().press('Enter');
    await page.getByRole('dialog', { name: '@kitchen_ads' }).waitFor();
    await closes(page, 'contractor', 'Закрыть', modal);
  });

  await test.step('the page of a creative', async () => {
    await page.goto(`${address}/creatives/${creatives.recipe.id}`);
    await page.getByRole('button', { name: 'Изменить', exact: true }).press('Enter');
    await page.locator(modal).waitFor();
    await closes(page, 'creative', 'Закрыть', modal);
    await page.getByRole('button', { name: 'Отключить', exact: true }).press('Enter');
    await expect(page.getByRole('button', { name: 'Включить', exact: true })).toBeEnabled();
    await expect.poll(() => isKept(page)).toBe(true);
  });

  await test.step('a person of the settings, with their panel', async () => {
    await page.goto(`${address}/settings?tab=employees`);
    await page.getByRole('tabpanel').getByRole('button', { name: /Илья/u }).first().press('Enter');
    await page.getByText('Права').first().waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => isKept(page), 'panel, Escape').toBe(true);
  });

  await test.step('the filters of the salary report', async () => {
    await page.goto(`${address}/journal?tab=salary`);
    await page.getByRole('main').getByRole('combobox', { name: 'Кампания' }).selectOption({ index: 1 });
    const reset = page.getByRole('button', { name: 'Сбросить фильтры' });
    await reset.press('Enter');
    await expect(reset).toHaveCount(0);
    await expect.poll(() => isKept(page), 'salary').toBe(true);
  });

  await test.step('an event of the journal', async () => {
    await page.goto(`${address}/journal`);
    const panel = page.getByRole('complementary', { name: 'Событие' });
    const row = page.locator('.z-journal-row').first();
    await row.press('Enter');
    await expect(panel).toBeVisible();
    await panel.getByRole('button', { name: 'Закрыть событие' }).press('Enter');
    await expect(panel).toHaveCount(0);
    await expect.poll(() => isKept(page), 'panel').toBe(true);
  });
});
