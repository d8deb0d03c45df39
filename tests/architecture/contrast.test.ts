import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const source = fileURLToPath(new URL('../../web/src', import.meta.url));
const tokens = readFileSync(join(source, 'shared/theme/tokens.css'), 'utf8');

/** Colours of the first rule that begins with this selector, by their names without `--`. */
const coloursOf = (selector: string): Readonly<Record<string, string>> => {
  const rule = tokens.slice(tokens.indexOf(`${selector} {`)).split('}', 1)[0] ?? '';
  return Object.fromEntries(
    [...rule.matchAll(/--([\w-]+): (#[\da-f]{6});/gu)].map(([, name = '', value = '']) => [name, value]),
  );
};

/** Relative luminance of `#rrggbb` by WCAG 2.2. */
const luminance = (colour: string): number => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};

const contrast = (one: string, other: string): number => {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
};

const surfaces = ['app', 'side', 'card', 'raised', 'sunken', 'hover', 'accent-bg', 'past', 'past-card', 'past-hover'];
const judging = ['good-bg', 'mid-bg', 'bad-bg', 'flash'];
const light = coloursOf(':root');
const themes = { light, dark: { ...light, ...coloursOf(':root.bp6-dark') } } as const;

describe.each(Object.entries(themes))('colours of the %s theme', (_, colours) => {
  /** Pairs whose contrast is below the least. */
  const tooWeak = (marks: readonly string[], grounds: readonly string[], least: number): readonly string[] =>
    marks.flatMap((mark) =>
      grounds
        .map((ground) => [ground, contrast(colours[mark] ?? '', colours[ground] ?? '')] as const)
        .filter(([, found]) => !(found >= least))
        .map(([ground, found]) => `${mark} on ${ground}: ${found.toFixed(2)}`),
    );

  it('CNT-1 the ring around what has the focus differs by at least 3:1 from whatever it lies on', () => {
    expect(tooWeak(['accent-t'], [...surfaces, ...judging], 3)).toEqual([]);
  });

  it('CNT-2 the edge of a control and every mark of a picture differ by at least 3:1 from what they lie on', () => {
    expect(tooWeak(['ctl'], ['card', 'raised'], 3)).toEqual([]);
    expect(tooWeak(['c1', 'c2', 'c3', 'c4', 'c5', 'good-fill', 'mid-fill', 'bad-fill'], ['card'], 3)).toEqual([]);
  });

  it('CNT-3 text differs by at least 4.5:1 from what it lies on', () => {
    expect(tooWeak(['text', 'text-2', 'text-3', 'accent-t'], surfaces, 4.5)).toEqual([]);
    for (const tone of ['good', 'mid', 'bad']) expect(tooWeak([tone], ['card', 'app', `${tone}-bg`], 4.5)).toEqual([]);
    expect(tooWeak(['on-accent'], ['accent', 'accent-hover'], 4.5)).toEqual([]);
  });
});

/** Rules of all style sheets that are about the focus, as `selector { declarations }`. */
const focusRules = (): readonly { readonly selector: string; readonly text: string }[] =>
  readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.css'))
    .flatMap((path) => [
      ...readFileSync(join(source, path), 'utf8')
        .replaceAll(/\/\*[\s\S]*?\*\//gu, '')
        .matchAll(/([^{}]*:focus[^{}]*)\{([^{}]*)\}/gu),
    ])
    .map(([, selector = '', text = '']) => ({ selector: selector.trim().replaceAll(/\s+/gu, ' '), text }));

/** They have the focus on behalf of what they hold or lead to, or draw their own ring of the same colour. */
const ringless = /^(?:\.bp6-[\s\S]*|\.z-main:focus|:focus:not\(:focus-visible\))$/u;

it('CNT-4 no style sheet draws the ring in another colour, thinner, or not at all', () => {
  const rules = focusRules();
  expect(rules.length).toBeGreaterThan(8);
  const others = rules.filter(({ selector, text }) => {
    const outline = /outline: ([^;]+);/u.exec(text)?.[1];
    if (outline === undefined) return false;
    if (outline === 'none') return !ringless.test(selector);
    return !/^[12]px solid var\(--accent-t\)$/u.test(outline);
  });
  expect(others).toEqual([]);
});
