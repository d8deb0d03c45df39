import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { scenes } from '../../scripts/screens/scenes.ts';
import { pictureName, picturedOn, screensPage, type Size, sizes, themes } from '../../scripts/screens/screens-page.ts';
import { routePaths } from '../e2e/quality/routes.ts';

const docs = fileURLToPath(new URL('../../docs/', import.meta.url));
const page = readFileSync(`${docs}screens.md`, 'utf8');
const files = readdirSync(`${docs}screens`);

/** `/` leads to another route; `/test-auth` shows ids and times of one sign-in, of which no two pictures are alike. */
const unpictured = ['/', '/test-auth'];

const picturesOf = (list: typeof scenes): readonly string[] =>
  (Object.keys(sizes) as Size[]).flatMap((size) =>
    themes.flatMap((theme) => picturedOn(list, size, theme).map((scene) => pictureName(scene, size, theme))),
  );

describe('docs/screens.md', () => {
  it('SCR-1 shows the scenes that the script takes, no other and none less', () => {
    expect(page).toBe(screensPage(scenes));
  });

  it('SCR-2 every picture that it shows is there, and there is none that it does not show', () => {
    const shown = [...page.matchAll(/src="screens\/([^"]+)"/gu)].map(([, name = '']) => name);
    expect(shown.length).toBeGreaterThan(100);
    expect(files.toSorted()).toEqual([...new Set(shown)].toSorted());
    expect(picturesOf(scenes).toSorted()).toEqual(shown.toSorted());
    for (const name of shown) {
      const head = readFileSync(`${docs}screens/${name}`).subarray(0, 12).toString('latin1');
      expect([name, head.slice(0, 4), head.slice(8)]).toEqual([name, 'RIFF', 'WEBP']);
    }
  });

  it('SCR-3 every route has a picture of itself, light and dark, wide and narrow', () => {
    const four = (path: string): boolean =>
      scenes.some((scene) => scene.path === path && scene.open === undefined && picturesOf([scene]).length === 4) ||
      // The report is chosen first.
      scenes.some((scene) => scene.path === path && scene.whole === true && picturesOf([scene]).length === 4);
    expect(routePaths().filter((path) => !four(path))).toEqual(unpictured);
  });
});
