import { expect, test } from 'vitest';
import { arrowsOf } from './arrows.ts';
import { circlesIn } from './circles.ts';
import { functionsIn } from './functions.ts';
import { linesOf, sources } from './sources.ts';

const circlesOf = (arrows: Readonly<Record<string, readonly string[]>>) => circlesIn(new Map(Object.entries(arrows)));

test('STR-1 finds circles, however long, and none where files only share what they import', () => {
  expect(circlesOf({ a: ['b'], b: ['c'], c: ['a'], d: ['a'], e: ['e'] })).toEqual([['a', 'b', 'c'], ['e']]);
  expect(circlesOf({ a: ['b', 'c'], b: ['d'], c: ['d'], d: [] })).toEqual([]);
});

test('STR-2 an arrow of types counts like any other, by path and by the name of a workspace', () => {
  const file = (path: string, text: string) => ({ path, text, isTest: false });
  const arrows = arrowsOf([
    file('domain/src/money.ts', 'export const a = 1;'),
    file('services/command/src/app.ts', "import type { B } from './b.ts'; import { a } from '@zakup/domain/money';"),
    file('services/command/src/b.ts', "export type B = import('./app.ts').C; import z from 'zod';"),
  ]);
  expect(arrows.get('services/command/src/app.ts')).toEqual(['services/command/src/b.ts', 'domain/src/money.ts']);
  expect(circlesIn(arrows)).toEqual([['services/command/src/app.ts', 'services/command/src/b.ts']]);
});

test('STR-3 counts the lines of each function, those inside others too, under the name that it is known by', () => {
  const text =
    'const outer = () => {\n  return {\n    inner() {\n      return 1;\n    },\n  };\n};\nfunction named() {}\n';
  expect(functionsIn('a.ts', text).map(({ name, line, lines }) => [name, line, lines])).toEqual([
    ['outer', 1, 7],
    ['inner', 3, 3],
    ['named', 8, 1],
  ]);
});

test('STR-4 tells tests from production, and counts no blank lines', () => {
  const all = sources();
  const kinds = new Map(all.map(({ path, isTest }) => [path, isTest]));
  expect(kinds.get('scripts/structure/circles.ts')).toBe(false);
  expect(kinds.get('scripts/structure/structure.test.ts')).toBe(true);
  expect(kinds.get('packages/read-store/src/contract-suite.ts')).toBe(true);
  expect(linesOf({ text: 'a\n\n  \nb\n' })).toBe(2);
});
