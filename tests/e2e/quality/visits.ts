import type { Page } from '@playwright/test';
import type { Scene } from '../../../scripts/screens/scenes.ts';
import { cleared } from '../support/popups.ts';

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
