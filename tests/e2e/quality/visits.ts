import type { Page } from '@playwright/test';
import type { Scene } from '../../../scripts/screens/scenes.ts';

/** Whatever lies over a page. */
export const popups = '.bp6-overlay-open, [role="dialog"], [role="alertdialog"], [data-floating], .bp6-popover';

/** Closes whatever lies over the page as a person would; false when something stays. */
export const cleared = async (page: Page): Promise<boolean> => {
  for (let step = 0; step < 4 && (await page.locator(popups).count()) > 0; step += 1) {
    const question = page.getByRole('alertdialog', { name: 'Закрыть без сохранения?' });
    if (await question.isVisible()) await question.getByRole('button', { name: 'Закрыть' }).click();
    else await page.keyboard.press('Escape');
    const gone = page.locator(popups).last();
    await gone.waitFor({ state: 'detached', timeout: 1_000 }).catch(() => undefined);
  }
  return (await page.locator(popups).count()) === 0;
};

/** Goes from scene to scene, and loads a page once for all that opens over it. */
export const visits = (page: Page, goTo: (scene: Scene) => Promise<void>): ((scene: Scene) => Promise<void>) => {
  /** The page that is there, as it was loaded; null = something was done to it. */
  let there: { readonly path: string; readonly url: string } | null = null;
  return async (scene) => {
    const { path, open, whole } = scene;
    const again = open !== undefined && there?.path === path && (await cleared(page)) && page.url() === there.url;
    if (again) await open(page);
    else await goTo(scene);
    // A screen of its own may be left in another state than it was found.
    if (whole === true) there = null;
    else if (!again) there = { path, url: page.url() };
  };
};

/** Each page first, then what opens over it. */
export const byPage = (scenes: readonly Scene[]): readonly Scene[] => {
  const pages = [...new Set(scenes.map(({ path }) => path))];
  return pages.flatMap((path) => {
    const own = scenes.filter((scene) => scene.path === path);
    const isPage = ({ open }: Scene): boolean => open === undefined;
    return [
      ...own.filter(isPage),
      ...own.filter(({ open, whole }) => open && !whole),
      ...own.filter((one) => !isPage(one) && one.whole),
    ];
  });
};
