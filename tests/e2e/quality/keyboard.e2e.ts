import type { Page } from '@playwright/test';
import { sizes } from '../../../scripts/screens/screens-page.ts';
import { deepWhen, isDeep } from '../support/deep.ts';
import { cleared, popups } from '../support/popups.ts';
import { expect, sceneOf, test } from './demo.ts';
import { formsOf, type Opened, opened } from './dialogs.ts';
import { sections } from './routes.ts';
import { insideSource, outsideByTab } from './tab-walk.ts';
import { visits } from './visits.ts';

const focusedText = (page: Page): Promise<string> =>
  page.evaluate(
    '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim()',
  );

test('QUAL-14 the first Tab leads past the frame; the palette leads to every section by keys alone @deep', async ({
  viewOf,
}) => {
  const { page, goTo } = await viewOf('owner');
  await goTo(sceneOf('dashboard'));
  await page.keyboard.press('Tab');
  expect(await focusedText(page)).toBe('К содержимому');
  await page.keyboard.press('Enter');
  await expect(page.locator('main')).toBeFocused();

  for (const { name, path } of sections().filter(({ key }) => key !== 'licenceAdmin')) {
    await page.keyboard.press('Control+KeyK');
    const field = page.getByRole('combobox', { name: 'Поиск и команды' });
    await expect(field).toBeFocused();
    await field.pressSequentially(name);
    await page.getByRole('option', { name }).first().waitFor();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(new RegExp(`${path}(\\?|$)`, 'u'));
    await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
  }
});

/** What is typed into. */
const typed = 'input:not([type=radio], [type=checkbox], [type=search]), textarea';

/** What the dashboard opens is of every kind that there is: dialogs over a page and over each other, drawers, lists, menus and questions. */
const isLookedAt = ({ scene }: Opened): boolean => isDeep || scene === 'dashboard';

const isInside = (page: Page): Promise<boolean> => page.evaluate(insideSource);
const modal = '[role="dialog"][aria-modal="true"], [role="alertdialog"][aria-modal="true"], .z-dialog';

for (const [where, { viewer, narrow, all }] of Object.entries(opened))
  test(`QUAL-16 ${where} each dialog and popup opens by keys, keeps Tab and Shift+Tab inside, closes by Escape and gives the focus back${deepWhen(where !== 'on a desk')}`, async ({
    viewOf,
  }) => {
    test.setTimeout(300_000);
    const { page, goTo } = await viewOf(viewer, sizes[narrow ? 'narrow' : 'wide']);
    const visit = visits(page, goTo);
    let at = '';
    for (const { what, scene, before, opener, key = 'Enter', menu } of all.filter(isLookedAt))
      await test.step(what, async () => {
        if (scene !== at || !(await cleared(page))) await visit(sceneOf(scene));
        at = scene;
        await before?.(page);
        const target = await opener(page);
        await target.focus();
        const count = await page.locator(popups).count();
        await page.keyboard.press(key);
        if (menu !== undefined) {
          await page.getByRole('menuitem', { name: menu }).focus();
          await page.keyboard.press('Enter');
          await page.locator(modal).last().waitFor();
          await expect(page.getByRole('menuitem')).toHaveCount(0);
        }
        await expect.poll(() => page.locator(popups).count(), { message: what }).toBeGreaterThan(count);
        await expect.poll(() => isInside(page), { message: what }).toBe(true);
        if ((await page.locator(modal).count()) > 0)
          for (const back of [false, true])
            expect.soft(await outsideByTab(page, 15, back), `${what}, ${back ? 'Shift+Tab' : 'Tab'}`).toEqual([]);
        await page.keyboard.press('Escape');
        await expect.poll(() => page.locator(popups).count(), { message: what }).toBe(count);
        await expect.soft(target, `${what} gives the focus back`).toBeFocused();
      });
  });

for (const [where, { viewer, narrow, forms }] of Object.entries(formsOf))
  test(`QUAL-30 ${where} every form is sent by Enter in its first field, and shows by the focus what it lacks @deep`, async ({
    viewOf,
  }) => {
    test.setTimeout(300_000);
    const { page, goTo } = await viewOf(viewer, sizes[narrow ? 'narrow' : 'wide']);
    const visit = visits(page, goTo);
    for (const { scene, form, field = typed, wrong = '' } of forms)
      await test.step(scene, async () => {
        await visit(sceneOf(scene));
        const sent = form?.(page) ?? page.getByRole('dialog').last();
        const first = sent.locator(field).first();
        await first.fill(wrong);
        await first.press('Enter');
        await expect.soft(sent.locator('[aria-invalid="true"]:focus'), scene).toHaveCount(1);
      });
  });
