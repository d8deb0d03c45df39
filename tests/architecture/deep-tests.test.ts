import { describe, expect, test } from 'vitest';
import { deepFiles, notDeep } from '../../scripts/test-run/deep.ts';
import { repositoryFiles, textOf } from './repository-files.ts';

const page = 'docs/reference/tests.md';
const self = 'tests/architecture/deep-tests.test.ts';
/** An id with the title behind it, as a call of `test` or `it` begins. */
const titled = /(?:\b(?:test|it)\(|\)\()\s*(['`])([A-Z][A-Z0-9]*-\d+)\b ([^\n]*)/gu;

/** The same where it is the first member of a row, in a file whose rows are titles. */
const titledRow = /\[\s*(['`])([A-Z][A-Z0-9]*-\d+)\b ([^\n]*)/gu;
const titlesOf = (text: string) => [
  ...text.matchAll(titled),
  ...(/\)\(\s*(['`])%s/u.test(text) ? text.matchAll(titledRow) : []),
];

const isBrowserTest = (path: string): boolean => path.startsWith('tests/e2e/') && path.endsWith('.e2e.ts');
const files = repositoryFiles().filter((path) => /\.(?:test\.tsx?|e2e\.ts)$|-suite\.ts$/u.test(path));
const tests = files.flatMap((path) =>
  titlesOf(textOf(path)).map(([, , id = '', title = '']) => ({
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

/** As `idsIn`, and what lies between the ends of a range, as from HOLD-1 to HOLD-26. */
const idsUpTo = (cell: string): readonly string[] => [
  ...idsIn(cell),
  ...[...cell.matchAll(/\b([A-Z][A-Z0-9]*)-(\d+) to \1-(\d+)\b/gu)].flatMap(([, kind = '', first, last]) =>
    Array.from({ length: Number(last) - Number(first) + 1 }, (_, index) => `${kind}-${Number(first) + index}`),
  ),
];

/** Rows of the tables of what is only deep: ids, and those of what fails in the gate instead. */
const rows = (textOf(page).split('## Only in a deep run')[1] ?? '')
  .split('### The table, point by point')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| '))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, what = '', , instead = '']) => ({ what: idsUpTo(what), instead: idsIn(instead) }));

describe('tests of a deep run', () => {
  test('RUN-3511 the files that it alone has are there', () => {
    const known = new Set(repositoryFiles());
    expect(deepFiles.filter((path) => !known.has(path))).toEqual([]);
  });

  test('RUN-3723 no block of tests is marked as a whole, as its tests could not be told one by one', () => {
    const marked = /\bdescribe\b(?:\.\w+(?:\([^\n]*\))?)*\(\s*(['`])[^\n]*@deep\b/u;
    expect(marked.test("describe('what is slow @deep', () => {")).toBe(true);
    expect(files.filter((path) => path !== self && marked.test(textOf(path)))).toEqual([]);
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
    const stands = new Set(
      [...told].filter(([id]) => deep.has(id) || sometimes.has(id)).flatMap(([, instead]) => instead),
    );
    expect([...stands].filter((id) => !inGate.has(id))).toEqual([]);
    expect([...stands].filter((id) => deep.has(id))).toEqual([]);
  });
});
