import { existsSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { arrowsOf } from '../../scripts/structure/arrows.ts';
import { circlesIn } from '../../scripts/structure/circles.ts';
import { sharedArrows } from '../../scripts/structure/layers-picture.ts';
import { sources as everySource } from '../../scripts/structure/sources.ts';
import { importFaults, importsOf, rooms, sharedFolderOf, sharedLayers, type Manifest } from './import-rules.ts';
import { repositoryFiles, repositoryRoot, textOf } from './repository-files.ts';

const read = (path: string): Manifest => JSON.parse(textOf(path)) as Manifest;
const root = read('package.json');
const manifests = new Map(
  Object.entries(rooms)
    .filter(([, { folder }]) => existsSync(`${repositoryRoot}/${folder}/package.json`))
    .map(([name, { folder }]): [string, Manifest] => [name, read(`${folder}/package.json`)]),
);
const everything: Manifest = {
  dependencies: Object.fromEntries(
    [root, ...manifests.values()].flatMap((manifest) =>
      Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }),
    ),
  ),
};
const manifestOf = (room: string): Manifest => manifests.get(room) ?? everything;
const faultsOf = (path: string, source: string) => importFaults(path, source, manifestOf, root);

describe('who may import whom', () => {
  const sources = repositoryFiles().filter((path) => /\.tsx?$/.test(path));

  test('ARCH-1 every file keeps to the table', () => {
    expect(sources.length).toBeGreaterThan(20);
    expect(sources.flatMap((path) => faultsOf(path, textOf(path)))).toEqual([]);
  });

  test('ARCH-2 every workspace has a row, named as its package.json', () => {
    for (const [name, manifest] of manifests) expect(manifest.name).toBe(name);
    const workspaces = (root as { workspaces?: readonly string[] }).workspaces ?? [];
    expect(Object.values(rooms).map(({ folder }) => folder)).toEqual(expect.arrayContaining([...workspaces]));
  });

  test.each([
    ['domain/src/money.ts', "import express from 'express';", 'express: not declared'],
    ['domain/src/money.ts', "import { readFile } from 'node:fs/promises';", 'runs in browsers'],
    ['domain/src/money.ts', "import type { A } from '@zakup/contracts/position';", 'may not import @zakup/contracts'],
    ['domain/src/money.ts', "import { test } from 'vitest';", 'vitest: not declared'],
    ['services/gateway/src/app.ts', "import { a } from '@zakup/command/app';", 'may not import @zakup/command'],
    ['services/projector/src/run.ts', "import { a } from '@zakup/credentials/credentials';", 'may not import'],
    ['services/command/src/app.ts', "export * from '../../gateway/src/app.ts';", 'leaves its room by a path'],
    [
      'services/command/src/app.ts',
      "const a = import('@zakup/event-store/sqlite/store');",
      'single process choose adapters',
    ],
    ['packages/event-store/src/in-memory.ts', "import type { A } from '@photostructure/sqlite';", 'only for files in'],
    ['packages/event-store/src/in-memory.ts', "import { a } from '@zakup/sqlite/engine';", 'only for files in'],
    ['packages/event-store/src/sqlite/a.ts', "import a from '@photostructure/sqlite';", 'not declared'],
    [
      'packages/read-store/src/sqlite/a.ts',
      "import { a } from '@zakup/event-store/sqlite/log-file';",
      'may not import',
    ],
    ['services/command/src/app.ts', "import { a } from '@zakup/sqlite/engine';", 'may not import @zakup/sqlite'],
    ['services/standalone/src/main.ts', "import a from 'left-pad';", 'left-pad: not declared'],
    ['services/standalone/src/main.ts', "import { demo } from '@zakup/demo/fill-demo';", 'may not import @zakup/demo'],
    ['web/src/features/a/x.tsx', "import { B } from '../b/b.tsx';", 'features never import each other'],
    ['web/src/features/a/x.tsx', "type B = import('../b/b.tsx').B;", 'features never import each other'],
    ['web/src/shared/ui/x.tsx', "import { B } from '../../features/b/b.tsx';", 'shared never imports a feature'],
    ['web/src/app/x.tsx', "import { a } from '@zakup/service-kit/log';", 'may not import @zakup/service-kit'],
    ['web/src/features/a/index.ts', 'export const a = 1;', 'index files are not wanted'],
    ['packages/unknown/src/a.ts', 'export const a = 1;', 'belongs to no room'],
    ['tests/integration/a.test.ts', "import { a } from '../../services/command/src/app.ts';", 'leaves its room'],
    [
      'services/command/src/pipeline/a.ts',
      "import type { A } from '../compensation/undo-rules.ts';",
      'nothing of the command service but itself',
    ],
    ['services/command/src/pipeline/a.ts', "type A = import('../deps.ts').CommandDeps;", 'but itself'],
    ['services/command/src/pipeline/a.ts', "import { a } from '../auth/cookies.ts';", 'but itself'],
    ['services/command/src/pipeline/a.ts', "export { a } from '../placement/a.ts';", 'but itself'],
  ])('ARCH-3 %s must not hold %s', (path, source, fault) => {
    expect(faultsOf(path, source)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    ['packages/credentials/src/sqlite/a.ts', "import { a } from '@zakup/sqlite/engine';"],
    ['domain/src/money.test.ts', "import { test } from 'vitest'; import { assert } from 'fast-check';"],
    ['packages/service-kit/src/stores/server-stores.ts', "import { a } from '@zakup/read-store/mongodb/store';"],
    ['web/src/features/a/x.tsx', "import { C } from './parts/c.tsx'; import '../../shared/ui/d.css';"],
    ['tests/integration/a.test.ts', "import { a } from '@zakup/command/app'; import { b } from '../support/b.ts';"],
    ['services/command/src/pipeline/a.test.ts', "import { a } from '../testing/given.ts'; import { b } from './b.ts';"],
    [
      'tests/architecture/a.test.ts',
      "import { a } from '../../scripts/lock/a.ts'; import { io } from 'socket.io-client';",
    ],
  ])('ARCH-4 %s may hold %s', (path, source) => {
    expect(faultsOf(path, source)).toEqual([]);
  });

  test.each([
    ['web/src/shared/ui/x.tsx', "import { A } from '../form/a.tsx';", 'form lies above ui'],
    ['web/src/shared/form/x.tsx', "type A = import('../live/a.ts').A;", 'live lies above form'],
    ['web/src/shared/live/x.tsx', "export { a } from '../charts/a.ts';", 'charts lies above live'],
    ['web/src/shared/new-folder/x.tsx', "import { A } from '../ui/a.tsx';", 'new-folder: has no layer'],
    ['web/src/shared/ui/x.tsx', "import { A } from '../testing/a.tsx';", 'testing: has no layer'],
    ['web/src/shared/ui/x.tsx', "import { A } from '../../app/a.tsx';", 'only what is shared'],
  ])('ARCH-2040 %s must not hold %s', (path, source, fault) => {
    expect(faultsOf(path, source)).toEqual([expect.stringContaining(fault)]);
  });

  test.each([
    [
      'web/src/shared/form/x.tsx',
      "import { A } from '../ui/a.tsx'; import { b } from '../day/b.ts'; import './x.css';",
    ],
    ['web/src/shared/ui/x.test.tsx', "import { A } from '../testing/a.tsx'; import { B } from '../live/b.tsx';"],
    ['web/src/app/x.tsx', "import { A } from '../shared/live/a.tsx';"],
  ])('ARCH-2041 %s may hold %s', (path, source) => {
    expect(faultsOf(path, source)).toEqual([]);
  });

  test('ARCH-2042 every folder of web/src/shared has one layer, and none reaches itself by others', () => {
    const production = everySource().filter(({ isTest }) => !isTest);
    const folders = new Set(production.flatMap(({ path }) => sharedFolderOf(path) ?? []));
    expect(sharedLayers.flatMap((layer) => layer.folders).toSorted()).toEqual([...folders].toSorted());
    const arrows = [...sharedArrows(arrowsOf(production))].map(([from, to]) => [from, [...to]] as const);
    expect(circlesIn(new Map(arrows))).toEqual([]);
  });

  test('ARCH-5 sees imports of every form, and none in texts and comments', () => {
    const source = [
      "import 'a';",
      "import type { B } from 'b';",
      "export { c } from 'c';",
      "export * as d from 'd';",
      "const e = await import('e');",
      "type F = import('f').F;",
      "// import 'x';",
      'const text = "import \'y\'";',
      "const G = () => <p>don't import 'z'</p>;",
    ].join('\n');
    expect([...importsOf('web/src/a.tsx', source)].sort()).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  test('TIM-2990 finds the same by the list of statements as by all nodes, and anew when the text of a file changes', () => {
    const path = 'web/src/b.ts';
    const statements = [
      "import { a, type B } from 'a';",
      "export * from 'b';",
      "export type { C } from 'c';",
      "import 'd';",
      "import e from 'a';",
    ].join('\n');
    expect(importsOf(path, statements)).toEqual(['a', 'b', 'c', 'd']);
    const others = ["export {} from 'e';", "declare module 'm' { import type { F } from 'f'; }", "import('g');"];
    for (const [number, other] of others.entries())
      expect(importsOf(path, `${statements}\n${other}`)).toEqual(['a', 'b', 'c', 'd', 'efg'[number]]);
    expect(importsOf(path, statements)).toEqual(['a', 'b', 'c', 'd']);
    expect(() => importsOf(path, 'import {')).toThrow('web/src/b.ts cannot be parsed');
  });
});
