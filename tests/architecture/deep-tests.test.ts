import { describe, expect, test } from 'vitest';
import { deepFiles, notDeep } from '../../scripts/test-run/deep.ts';
import { repositoryFiles, textOf } from './repository-files.ts';

const page = 'docs/reference/tests.md';
/** An id with the title behind it, as a call of `test` or `it` begins. */
const titled = /(?:\b(?:test|it)\(|\)\()\s*(['`])([A-Z][A-Z0-9]*-\d+)\b ([^\n]*)/gu;

const isBrowserTest = (path: string): boolean => path.startsWith('tests/e2e/') && path.endsWith('.e2e.ts');
const tests = repositoryFiles()
  .filter((path) => /\.(?:test\.tsx?|e2e\.ts)$|-suite\.ts$/u.test(path))
  .flatMap((path) =>
    [...textOf(path).matchAll(titled)].map(([, , id = '', title = '']) => ({
      id,
      isDeep: deepFiles.includes(path) || !notDeep.test(title),
      isSometimesDeep: isBrowserTest(path) && title.includes('deepWhen('),
    })),
  );
const idsOf = (which: (one: (typeof tests)[number]) => boolean): ReadonlySet<string> =>
  new Set(tests.filter(which).map(({ id }) => id));
const deep = idsOf(({ isDeep }) => isDeep);
const sometimes = idsOf(({ isSometimesDeep }) => isSometimesDeep);
const inGate = idsOf(({ isDeep }) => !isDeep);

const idsIn = (cell: string): readonly string[] => cell.match(/\b[A-Z][A-Z0-9]*-\d+\b/gu) ?? [];

/** Rows of the tables of what is only deep: ids, and those of what fails in the gate instead. */
const rows = (textOf(page).split('## Only in a deep run')[1] ?? '')
  .split('### The table, point by point')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', , instead = '']) => ({ what: idsIn(what), instead: idsIn(instead) }));

describe('tests of a deep run', () => {
  test('RUN-3511 the files that it alone has are there', () => {
    const known = new Set(repositoryFiles());
    expect(deepFiles.filter((path) => !known.has(path))).toEqual([]);
  });

  test('RUN-3512 no rule of the specification is held by them alone', () => {
    const rules = Object.entries(JSON.parse(textOf('docs/rule-tests.json')) as Readonly<Record<string, string>>);
    expect(rules.length).toBeGreaterThan(100);
    expect(rules.filter(([, held]) => !idsIn(held).some((id) => inGate.has(id)))).toEqual([]);
  });

  test('E2E-3100 each is told with what stands for it in the gate, and that is there and not deep itself', () => {
    expect(deep.size).toBeGreaterThan(50);
    const told = new Map(rows?.flatMap(({ what, instead }) => what.map((id) => [id, instead] as const)));
    expect([...deep, ...sometimes].filter((id) => (told.get(id)?.length ?? 0) === 0)).toEqual([]);
    const stands = new Set([...told].filter(([id]) => deep.has(id)).flatMap(([, instead]) => instead));
    expect([...stands].filter((id) => !inGate.has(id))).toEqual([]);
    expect([...stands].filter((id) => deep.has(id))).toEqual([]);
  });
});
