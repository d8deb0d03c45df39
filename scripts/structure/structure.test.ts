import { expect, test } from 'vitest';
import { textOf } from '../../tests/architecture/repository-files.ts';
import { arrowsOf } from './arrows.ts';
import { circlesIn } from './circles.ts';
import { withoutImplied, withPicture } from './flowchart.ts';
import { functionsIn } from './functions.ts';
import { layersPicture } from './layers-picture.ts';
import { roomArrows, roomsPicture } from './rooms-picture.ts';
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

test('DOC-24 an arrow leads to the file that a package exports under another name', () => {
  const file = (path: string, text: string) => ({ path, text, isTest: false });
  const patched = 'packages/driver-patches/src/mongodb/patched-connection.ts';
  const arrows = arrowsOf([
    file(patched, 'export const a = 1;'),
    file('packages/mongodb/src/connection.ts', "import '@zakup/driver-patches/mongodb';"),
  ]);
  expect(arrows.get('packages/mongodb/src/connection.ts')).toEqual([patched]);
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

test('DOC-22 the picture of the rooms has their arrows, without those that others imply', () => {
  const arrows = new Map([
    ['web/src/a.ts', ['web/src/b.ts', 'domain/src/a.ts', 'packages/contracts/src/a.ts']],
    ['packages/contracts/src/a.ts', ['domain/src/a.ts']],
    ['scripts/a.ts', ['web/src/a.ts']],
  ]);
  expect(roomArrows(arrows).get('web')).toEqual(new Set(['domain', 'packages/contracts']));
  expect(withoutImplied(roomArrows(arrows)).get('web')).toEqual(new Set(['packages/contracts']));
  const drawn = roomsPicture(arrows).split('\n');
  expect(drawn.filter((line) => line.includes('-->'))).toEqual([
    '  packages_contracts --> domain',
    '  web --> packages_contracts',
  ]);
});

test('DOC-23 docs/structure.md shows the rooms as they are (npm run structure -- --picture)', () => {
  const page = textOf('docs/structure.md');
  const production = sources().filter(({ isTest }) => !isTest);
  expect(page).toContain('```mermaid\nflowchart TB\n');
  expect(page).toBe(withPicture(page, 'The rooms', roomsPicture(arrowsOf(production))));
});

test('ARCH-2043 the picture of the layers has the folders of web/src/shared and their arrows, without those that others imply', () => {
  const shared = (path: string) => `web/src/shared/${path}`;
  const drawn = layersPicture(
    new Map([
      [shared('live/a.ts'), [shared('ui/a.ts'), shared('api/a.ts'), shared('live/b.ts')]],
      [shared('ui/a.ts'), [shared('api/a.ts'), 'domain/src/a.ts']],
      ['web/src/app/a.ts', [shared('live/a.ts')]],
    ]),
  ).split('\n');
  expect(drawn.indexOf('    live["live"]')).toBeGreaterThan(drawn.indexOf('  subgraph connection'));
  expect(drawn.indexOf('    ui["ui"]')).toBeGreaterThan(drawn.indexOf('  subgraph elements'));
  expect(drawn.filter((line) => line.includes('-->'))).toEqual(['  live --> ui', '  ui --> api']);
});

test('ARCH-2044 docs/structure.md shows the layers as they are (npm run structure -- --picture)', () => {
  const page = textOf('docs/structure.md');
  const production = sources().filter(({ isTest }) => !isTest);
  const picture = layersPicture(arrowsOf(production));
  expect(page).toContain(picture);
  expect(page).toBe(withPicture(page, 'The layers of web/src/shared', picture));
});
