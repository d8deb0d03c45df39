import type { Page } from '@playwright/test';
import { type Scene, scenes, type Viewer, viewers } from '../../../scripts/screens/scenes.ts';
import { sizes } from '../../../scripts/screens/screens-page.ts';
import { framed } from '../../../scripts/screens/viewers.ts';
import { expect, sceneOf, test } from './demo.ts';
import { formsOf, opened } from './dialogs.ts';
import { sections } from './routes.ts';
import { cleared, popups, visits } from './visits.ts';

const focusedText = (page: Page): Promise<string> =>
  page.evaluate(
    '(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim()',
  );

/** Null when something in or around what has the focus looks otherwise than without it, else what it is. The focus stays where it was. */
const hiddenFocus = (page: Page): Promise<string | null> =>
  page.evaluate(`(() => {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    // A field may show it on what stands around it, a switch on what is painted in its stead.
    const around = [element, element.parentElement, element.nextElementSibling, ...element.querySelectorAll('*')];
    const look = () =>
      around.flatMap((one) => (one === null ? [] : ['', '::before', '::after'].map((part) => {
        const { outlineStyle, outlineWidth, outlineColor, boxShadow, borderColor } = getComputedStyle(one, part);
        const outline = outlineStyle === 'none' || Number.parseFloat(outlineWidth) === 0 ? 'none' : outlineWidth + outlineColor;
        return [outline, boxShadow, borderColor].join();
      }))).join(';');
    const focused = look();
    element.blur();
    const without = look();
    element.focus({ preventScroll: true, focusVisible: true });
    return focused === without ? element.outerHTML.slice(0, 160) : null;
  })()`);

test('QUAL-14 the first Tab leads past the frame; the palette leads to every section by keys alone', async ({
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

/** Texts, as the page runs them: how many elements may have the focus, and whether the one that has it had not yet. */
const focusableCount = `document.querySelectorAll('a[href], area, button, input, select, textarea, summary, iframe, [tabindex], [contenteditable]').length`;
const isNew = `(() => {
  const walked = (window.walked ??= new WeakSet());
  const now = document.activeElement;
  if (now === null || now === document.body || walked.has(now)) return false;
  walked.add(now);
  return true;
})()`;

/** Every page of its own, without what opens over it; the start is the dashboard once more. */
const pagesOf = (viewer: Viewer): readonly Scene[] =>
  scenes.filter(
    ({ as, name, open }) => as === viewer && name !== 'start' && (open === undefined || name === 'analytics'),
  );

for (const viewer of viewers)
  test(`QUAL-15 ${viewer}: whatever Tab reaches shows that it has the focus, on every page, until it comes round`, async ({
    viewOf,
  }) => {
    test.setTimeout(600_000);
    const { page, goTo } = await viewOf(viewer);
    const pages = pagesOf(viewer);
    expect(pages.length).toBeGreaterThan(0);
    for (const scene of pages) {
      await goTo(scene);
      await framed(page);
      const most = await page.evaluate<number>(focusableCount);
      let step = 0;
      for (await page.keyboard.press('Tab'); await page.evaluate<boolean>(isNew); await page.keyboard.press('Tab')) {
        step += 1;
        expect.soft(await hiddenFocus(page), `${scene.name}, Tab ${step}`).toBeNull();
        expect(step, `${scene.name} is walked through`).toBeLessThanOrEqual(most);
      }
      expect(step > 0, scene.name).toBe(most > 0);
    }
  });

/** What is typed into. */
const typed = 'input:not([type=radio], [type=checkbox], [type=search]), textarea';

const isInside = (page: Page): Promise<boolean> =>
  page.evaluate('document.activeElement?.closest("[role=dialog], [role=alertdialog], dialog, .bp6-portal") !== null');
const modal = '[role="dialog"][aria-modal="true"], [role="alertdialog"][aria-modal="true"], .z-dialog';

for (const [where, { viewer, narrow, all }] of Object.entries(opened))
  test(`QUAL-16 ${where} each dialog and popup opens by keys, keeps Tab and Shift+Tab inside, closes by Escape and gives the focus back`, async ({
    viewOf,
  }) => {
    test.setTimeout(300_000);
    const { page, goTo } = await viewOf(viewer, sizes[narrow ? 'narrow' : 'wide']);
    const visit = visits(page, goTo);
    let at = '';
    for (const { what, scene, before, opener, key = 'Enter', menu } of all)
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
          for (const tab of ['Tab', 'Shift+Tab'])
            for (let step = 0; step < 15; step += 1) {
              await page.keyboard.press(tab);
              expect.soft(await isInside(page), `${what}, ${tab} ${step + 1}`).toBe(true);
            }
        await page.keyboard.press('Escape');
        await expect.poll(() => page.locator(popups).count(), { message: what }).toBe(count);
        await expect.soft(target, `${what} gives the focus back`).toBeFocused();
      });
  });

for (const [where, { viewer, narrow, forms }] of Object.entries(formsOf))
  test(`QUAL-30 ${where} every form is sent by Enter in its first field, and shows by the focus what it lacks`, async ({
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
