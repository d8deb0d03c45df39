import type { Scene } from './scenes.ts';

export const themes = ['light', 'dark'] as const;
export type Theme = (typeof themes)[number];
export const sizes = {
  wide: { viewport: { width: 1440, height: 900 } },
  narrow: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
} as const;
export type Size = keyof typeof sizes;
/** How many pixels of a picture's width are kept. */
export const pictureWidths: Readonly<Record<Size, number>> = { wide: 1152, narrow: 390 };

/** What a dialog or a popup looks like in the other theme is plain from the screens: it is light where it is wide and dark on a phone. */
const themesOf = ({ open, whole }: Scene, size: Size): readonly Theme[] =>
  open === undefined || whole === true ? themes : size === 'wide' ? ['light'] : ['dark'];

/** Scenes that have a picture of this size, in this theme. */
export const picturedOn = (scenes: readonly Scene[], size: Size, theme: Theme): readonly Scene[] =>
  scenes.filter(
    (scene) =>
      scene.unpictured !== true &&
      (scene.only === undefined || scene.only === size) &&
      themesOf(scene, size).includes(theme),
  );

export const pictureName = (scene: Scene, size: Size, theme: Theme): string => `${scene.name}-${size}-${theme}.webp`;

/** `docs/screens.md`: every pictured scene with its pictures. */
export const screensPage = (scenes: readonly Scene[]): string => {
  const shown = (scene: Scene): string => {
    const pictures = (Object.keys(sizes) as Size[]).flatMap((size) =>
      themes
        .filter((theme) => picturedOn([scene], size, theme).length > 0)
        .map((theme) => {
          const file = `screens/${pictureName(scene, size, theme)}`;
          const width = size === 'wide' ? 420 : 150;
          return `<a href="${file}"><img src="${file}" alt="${scene.title}, ${size}, ${theme}" width="${width}"></a>`;
        }),
    );
    return `## ${scene.title}\n\n\`${scene.path}\`\n\n${pictures.join('\n')}`;
  };
  return [
    '# Screens',
    'Every screen, light and dark, 1440 × 900 and 390 × 844, and what opens on them, as `npm run screenshots` takes them: of sixty days of the demo team, at a fixed moment, so that a picture changes only when its screen does. What each of them can do is in [the rules](spec.md).',
    ...scenes.filter(({ unpictured }) => unpictured !== true).map(shown),
    '',
  ]
    .join('\n\n')
    .trimEnd()
    .concat('\n');
};
