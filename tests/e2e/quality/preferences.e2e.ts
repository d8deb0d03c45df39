import { expect, sceneOf, test } from './demo.ts';
import { isDeep } from '../support/deep.ts';
import { formsOf } from './dialogs.ts';
import { visits } from './visits.ts';

test('QUAL-10 who asks for less motion gets none: nothing on the screen is animated or takes time to change', async ({
  viewOf,
}) => {
  const { page, goTo } = await viewOf('owner', { reducedMotion: 'reduce' });
  const visit = visits(page, goTo);
  for (const name of ['analytics', 'dashboard', 'add-placement', 'bell']) {
    await visit(sceneOf(name));
    const moving = await page.evaluate<readonly string[]>(`[...document.querySelectorAll('*')].filter((element) => {
      const style = getComputedStyle(element);
      const seconds = (text) => Math.max(...text.split(',').map((part) => Number.parseFloat(part)));
      return seconds(style.transitionDuration) > 0.001 || (style.animationName !== 'none' && seconds(style.animationDuration) > 0.001);
    }).map((element) => element.tagName + '.' + String(element.className?.baseVal ?? element.className))`);
    expect.soft([...new Set(moving)], name).toEqual([]);
  }
});

test('QUAL-11 without a choice the theme follows the system, without a flash; a choice is kept', async ({ viewOf }) => {
  const { page, goTo } = await viewOf('owner', { colorScheme: 'dark' });
  await page.addInitScript({
    content: `new MutationObserver(() => {
      if (document.body && !window.firstTheme) window.firstTheme = document.documentElement.className;
    }).observe(document, { childList: true, subtree: true })`,
  });
  await goTo(sceneOf('profile'));
  expect(await page.evaluate('window.firstTheme')).toContain('bp6-dark');
  await page.getByRole('button', { name: 'Светлая тема' }).click();
  await page.reload();
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.evaluate('window.firstTheme')).not.toContain('bp6-dark');
});

/** Forms that have every kind of field and button among them. */
const ofAllKinds: ReadonlySet<string> = new Set(['add-placement', 'campaign']);

test('QUAL-12 in forced colours the open section is told, what has the focus has an outline, and fields and buttons of forms have an edge', async ({
  viewOf,
}) => {
  const { page, goTo } = await viewOf('owner', { forcedColors: 'active' });
  await goTo(sceneOf('dashboard'));
  await expect(page.getByRole('link', { name: 'Дашборд' }).first()).toHaveAttribute('aria-current', 'page');
  for (let step = 1; step <= 20; step += 1) {
    await page.keyboard.press('Tab');
    const outline = await page.evaluate<string>('getComputedStyle(document.activeElement).outlineStyle');
    expect.soft(outline, `Tab ${step}`).not.toBe('none');
  }
  const visit = visits(page, goTo);
  const forms = (formsOf['on a desk']?.forms ?? []).filter(({ scene }) => isDeep || ofAllKinds.has(scene));
  expect(forms.length).toBeGreaterThanOrEqual(ofAllKinds.size);
  for (const { scene } of forms) {
    await visit(sceneOf(scene));
    // Radio buttons and check boxes are left to the system, which draws them itself.
    const edgeless = await page.evaluate<readonly string[]>(`
      [...[...document.querySelectorAll('[role=dialog]')].at(-1).querySelectorAll('input:not([type=radio], [type=checkbox]), textarea, select, button:not(.z-figure, .z-link)')]
        .filter((one) => {
          const { borderStyle, borderWidth } = getComputedStyle(one);
          return one.checkVisibility() && (borderStyle === 'none' || Number.parseFloat(borderWidth) === 0);
        })
        .map((one) => one.outerHTML.slice(0, 120))`);
    expect.soft(edgeless, scene).toEqual([]);
  }
});

test('QUAL-13 on paper there are no sidebar and bars, every placement is there, black on white, whatever the theme', async ({
  viewOf,
}) => {
  const { page, goTo } = await viewOf('owner', { colorScheme: 'dark' });
  await goTo(sceneOf('dashboard'));
  const count = Number(
    (await page.locator('.z-metric', { hasText: 'Размещения' }).locator('.z-figure').first().innerText()).replaceAll(
      /\D/gu,
      '',
    ),
  );
  await page.evaluate(`window.dispatchEvent(new Event('beforeprint'))`);
  await page.emulateMedia({ media: 'print' });
  for (const gone of ['.z-side', '.z-top', '.z-status', '.z-tabs']) await expect(page.locator(gone)).toBeHidden();
  const rows = page.locator('table:visible tbody tr');
  await expect.poll(() => rows.count()).toBeGreaterThanOrEqual(count);
  const sheet = page.locator('.z-print');
  // What a browser prints anew at the head of each sheet.
  await expect(sheet.locator('thead')).toHaveCSS('display', 'table-header-group');
  await expect(sheet).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(sheet).toHaveCSS('color', 'rgb(0, 0, 0)');
});
