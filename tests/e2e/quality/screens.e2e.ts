import type { Page } from '@playwright/test';
import { type Scene, scenes, type Viewer, viewers } from '../../../scripts/screens/scenes.ts';
import { framed } from '../../../scripts/screens/viewers.ts';
import { type Judged, judge } from './axe.ts';
import { deepWhen, isDeep } from '../support/deep.ts';
import { expect, sceneOf, test, type View } from './demo.ts';
import { type WatchedLoading, watchedLoading } from './loading.ts';
import { frameProblems, liveRegionsTooMany, pageTitles, titleOf } from './page-frame.ts';
import { routePaths } from './routes.ts';
import { byPage, visits } from './visits.ts';
import { headLeft, lostToSpacing, unalignedNumbers } from './readability.ts';
import { walkByTab } from './tab-walk.ts';
import { beyondTheEdge, tooLowForFingers, tooNarrowForFingers } from './widths.ts';

// Each viewer and size is looked at in pages of its own. What is light on a desk and dark on a phone is the other way round in a deep run too.
test.describe.configure({ mode: 'parallel' });

/** Many pages load, and each is looked at in several ways. */
const long = 900_000;

/** Other parts of pages that are looked at as a whole: pictures need them, nothing here does. */
const scrolled: readonly string[] = ['placements', 'analytics-charts'];

const seenBy = (viewer: Viewer, size: 'wide' | 'narrow'): readonly Scene[] =>
  byPage(
    scenes.filter(
      ({ as, only, name }) =>
        as === viewer &&
        (only === undefined || only === size) &&
        !scrolled.includes(name) &&
        (isDeep || name !== 'dashboard-buyer'),
    ),
  );
/** The start is the dashboard once more: how it loads and is named is its own, what it shows is not. */
const isSeenElsewhere = ({ name }: Scene): boolean => name === 'start' && !isDeep;

/** The calendar of a form, on a phone. */
const calendar = sceneOf('edit-date');

const pathOf = ({ path }: Scene): string => path.split('?')[0] ?? path;

test('QUAL-4 every route of the table is looked at, and each is known by a name of its own', () => {
  const pages = scenes.filter(({ open }) => open === undefined);
  const seen = new Set(pages.map(pathOf));
  expect(routePaths().filter((path) => !seen.has(path))).toEqual([]);
  const named = new Set(pages.filter(({ name }) => pageTitles[name] !== undefined).map(pathOf));
  expect(routePaths().filter((path) => path !== '/' && !named.has(path))).toEqual([]);
  expect(new Set(Object.values(pageTitles)).size).toBe(Object.keys(pageTitles).length);
  expect(seenBy('owner', 'narrow')).toContain(calendar);
});

/** The page under a popup is judged as a scene of its own. */
const judgedOf = ({ open, whole }: Scene): Judged => (open === undefined || whole === true ? 'page' : 'popups');

/** What a phone alone has, and the page that has its cards and its frame: all else is of the elements that are judged on a desk. */
const isPhones = ({ name, only }: Scene): boolean => name === 'dashboard' || only === 'narrow';

/** A popup follows its window a moment later. */
const settledAt = expect.configure({ soft: true, timeout: 3_000 });

/** One scene that does not open does not keep the others from being looked at. */
const isThere = (scene: Scene, visit: View['goTo']): Promise<boolean> =>
  visit(scene).then(
    () => true,
    (error: unknown) => {
      expect.soft(String(error), scene.name).toBe('');
      return false;
    },
  );

/** Two that speak at once are heard by nobody. */
const hearFromOnePlace = async (page: Page, scene: Scene): Promise<void> =>
  test.step('QUAL-29 one polite live region, and at most one that interrupts', async () => {
    expect.soft(await liveRegionsTooMany(page), scene.name).toEqual([]);
  });

/** Nothing jumps while a page loads. */
const holdStill = async (scene: Scene, loading: WatchedLoading): Promise<void> =>
  test.step('QUAL-17 while it loaded the layout shifted by less than 0.05', async () => {
    const { shift, shifts } = await loading.shifted();
    expect.soft(shift, `${scene.name}: ${shifts}`).toBeLessThan(0.05);
  });

/** Pages of their own, without what opens over them; a buyer's are the owner's, with less on them. */
const isWalkedByTab = ({ as, name, open }: Scene): boolean =>
  (isDeep || as !== 'buyer') && (open === undefined || name === 'analytics');

/** From the top of the page, where nothing has had the focus yet. */
const walkRound = async (page: Page, { name }: Scene): Promise<void> =>
  test.step('QUAL-15 whatever Tab reaches shows that it has the focus, until it comes round', async () => {
    await framed(page);
    const { steps, most, isRound, hidden } = await walkByTab(page);
    expect.soft(hidden, name).toEqual([]);
    expect.soft(isRound, `${name} is walked through`).toBe(true);
    expect.soft(steps, name).toBeLessThanOrEqual(most);
    expect.soft(steps > 0, name).toBe(most > 0);
  });

/** On the narrowest phone. */
const everyDayIsHit = async (page: Page): Promise<void> =>
  test.step('QUAL-36 a finger hits every day of the calendar of a form', async () => {
    const days = page.locator('.z-calendar .rdp-day');
    await expect.soft(days).toHaveCount(42);
    const boxes = await Promise.all((await days.all()).map((day) => day.boundingBox()));
    expect.soft(Math.min(...boxes.map((box) => box?.width ?? 0))).toBeGreaterThanOrEqual(44);
    expect.soft(Math.min(...boxes.map((box) => box?.height ?? 0))).toBeGreaterThanOrEqual(44);
  });

for (const viewer of viewers) {
  test(`QUAL-5 ${viewer}, wide: axe finds nothing serious on any screen, dialog or popup, ${isDeep ? 'light and dark' : 'light'}; from 1440 to 1024 px no page scrolls sideways; nothing jumps while a screen loads; the keyboard sees where it is`, async ({
    viewOf,
  }) => {
    test.setTimeout(long);
    const { page, goTo } = await viewOf(viewer, { colorScheme: 'light' });
    const loading = await watchedLoading(page);
    const visit = visits(page, goTo);
    for (const scene of seenBy(viewer, 'wide')) {
      await test.step(scene.name, async () => {
        if (!(await isThere(scene, visit))) return;
        if (scene.open === undefined) await holdStill(scene, loading);
        if (scene.open === undefined)
          await test.step('QUAL-20 one h1, one main, Russian, a name of its own', async () => {
            expect.soft(await frameProblems(page), scene.name).toEqual([]);
            const name = pageTitles[scene.name];
            if (name !== undefined) expect.soft(await titleOf(page), scene.name).toContain(name);
          });
        if (isSeenElsewhere(scene)) return;
        await hearFromOnePlace(page, scene);
        await judge(page, scene.name, judgedOf(scene));
        expect.soft(await beyondTheEdge(page), `${scene.name}, 1440 px`).toEqual([]);
        await test.step('QUAL-26 with more space between lines and letters nothing is lost; numbers stand below each other, and their header above them', async () => {
          // A dialog that a phone has, too, has less room for the same there.
          if (isDeep || scene.open === undefined || scene.only === 'wide')
            expect.soft(await lostToSpacing(page), scene.name).toEqual([]);
          if (scene.open !== undefined) return;
          expect.soft(await unalignedNumbers(page), scene.name).toEqual([]);
          expect.soft(await headLeft(page), scene.name).toEqual([]);
        });
        if (isWalkedByTab(scene)) await walkRound(page, scene);
        if (scene.open !== undefined) return;
        await page.setViewportSize({ width: 1024, height: 768 });
        expect.soft(await beyondTheEdge(page), `${scene.name}, 1024 px`).toEqual([]);
        await page.setViewportSize({ width: 1440, height: 900 });
      });
    }
    expect.soft(loading.iconsByName, 'icons asked for by name').toEqual([]);
  });

  test(`QUAL-6 ${viewer}, on a phone: axe finds nothing serious ${isDeep ? 'on any screen, dialog or popup, dark and light' : 'in the cards, the frame and what a phone alone has, dark'}; nothing is beyond the edge at 390 and 320 px nor at a zoom of 200 %; fingers hit every control${deepWhen(viewer === 'buyer')}`, async ({
    viewOf,
  }) => {
    test.setTimeout(long);
    const phone = { width: 390, height: 844 };
    const { page, goTo } = await viewOf(viewer, {
      viewport: phone,
      hasTouch: true,
      isMobile: true,
      colorScheme: 'dark',
    });
    const loading = await watchedLoading(page);
    const visit = visits(page, goTo);
    for (const scene of seenBy(viewer, 'narrow')) {
      await test.step(scene.name, async () => {
        if (!(await isThere(scene, visit))) return;
        if (scene.open === undefined) await holdStill(scene, loading);
        if (isSeenElsewhere(scene)) return;
        await hearFromOnePlace(page, scene);
        if (isDeep || isPhones(scene)) await judge(page, scene.name, judgedOf(scene));
        expect.soft(await tooLowForFingers(page), `${scene.name}, targets`).toEqual([]);
        expect.soft(await tooNarrowForFingers(page), `${scene.name}, targets`).toEqual([]);
        // 640 px are what a screen of 1280 px leaves at 200 %.
        for (const [width, height] of [
          [390, 844],
          [320, 640],
          [640, 400],
        ] as const) {
          await page.setViewportSize({ width, height });
          await settledAt.poll(() => beyondTheEdge(page), { message: `${scene.name}, ${width} px` }).toEqual([]);
          if (scene === calendar && width === 320) await everyDayIsHit(page);
          if (isDeep ? width < 640 : width === 320)
            await test.step('with more space between lines and letters nothing is lost', async () => {
              expect.soft(await lostToSpacing(page), `${scene.name}, ${width} px`).toEqual([]);
            });
        }
        await page.setViewportSize(phone);
      });
    }
  });
}

test('QUAL-37 on a phone filters that are on lie under the ways to change them, not over them', async ({ viewOf }) => {
  const { page, goTo } = await viewOf('owner', {
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
  });
  await goTo(sceneOf('dashboard'));
  await page.getByRole('button', { name: /^Фильтр/u }).click();
  const dialog = page.getByRole('dialog', { name: 'Порядок и фильтр' });
  await dialog.getByLabel('Цена от').fill('1');
  await dialog.getByLabel('Дата с').fill('01.01.2020');
  await dialog.getByRole('button', { name: 'Формат' }).click();
  await dialog.getByRole('checkbox', { name: '1/24' }).check();
  await dialog.getByRole('button', { name: 'Показать' }).click();
  await expect(page.locator('.z-filter-chips')).toContainText('Формат: 1/24');
  const chips = await page.locator('.z-filter-chips').boundingBox();
  for (const name of [/^Фильтр/u, 'Ещё: скачать, печать']) {
    const way = await page.getByRole('button', { name }).boundingBox();
    expect((way?.y ?? 0) + (way?.height ?? 0), String(name)).toBeLessThanOrEqual(chips?.y ?? 0);
  }
});
