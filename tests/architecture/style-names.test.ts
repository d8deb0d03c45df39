import { describe, expect, test } from 'vitest';
import { repositoryFiles, textOf } from './repository-files.ts';

/** The classes that the rules of a style sheet begin with: `.z-card > li` begins with `z-card`. */
const beginnings = (css: string): ReadonlySet<string> => {
  const rules = css.replace(/\/\*.*?\*\//gsu, '').matchAll(/(?:^|[{};])\s*([^{};@]+)\{/gu);
  const selectors = [...rules].flatMap(([, list = '']) => list.split(','));
  return new Set(selectors.flatMap((selector) => /^\s*\.(z-[\w-]+)/u.exec(selector)?.[1] ?? []));
};

/** What is styled by more than one feature and by nothing shared, with who does it. */
const claimedTwice = (sheets: Readonly<Record<string, string>>): readonly string[] => {
  const shared = new Set<string>();
  const owners = new Map<string, Set<string>>();
  for (const [path, css] of Object.entries(sheets)) {
    const feature = /\/features\/([^/]+)\//u.exec(path)?.[1];
    for (const name of beginnings(css)) {
      if (feature === undefined) shared.add(name);
      else owners.set(name, (owners.get(name) ?? new Set()).add(feature));
    }
  }
  return [...owners]
    .filter(([name, features]) => features.size > 1 && !shared.has(name))
    .map(([name, features]) => `${name}: ${[...features].sort().join(', ')}`);
};

describe('names in style sheets', () => {
  test('ARCH-20 no two features style the same name: sheets stay in the page when their screen has gone', () => {
    const paths = repositoryFiles().filter((path) => /^web\/src\/.+\.css$/u.test(path));
    expect(paths.length).toBeGreaterThan(15);
    expect(claimedTwice(Object.fromEntries(paths.map((path) => [path, textOf(path)])))).toEqual([]);
  });

  test('ARCH-21 a name that two features style is found, also in a media query; one that is shared is not', () => {
    const sheets = {
      'web/src/features/a/a.css': '.z-list > li { top: 0 }\n.z-table td { top: 0 }',
      'web/src/features/b/b.css':
        '@media (width < 1px) {\n  .z-other,\n  .z-list {\n    top: 0;\n  }\n}\n.z-table th { top: 0 }',
      'web/src/shared/ui/ui.css': '.z-table { top: 0 }',
    };
    expect(claimedTwice(sheets)).toEqual(['z-list: a, b']);
  });
});
