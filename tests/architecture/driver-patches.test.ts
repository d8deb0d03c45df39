import { describe, expect, test } from 'vitest';
import { repositoryFiles, textOf } from './repository-files.ts';

const page = textOf('packages/driver-patches/README.md');
const lock = JSON.parse(textOf('package-lock.json')) as {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
};
const manifest = JSON.parse(textOf('packages/driver-patches/package.json')) as {
  readonly dependencies: Readonly<Record<string, string>>;
};

/** Ids in front of the links to the tests that hold a patch, each with the file it is looked for in. */
const testsNamed = (): readonly { readonly id: string; readonly file: string }[] =>
  [...page.matchAll(/\[([A-Z]{3}-\d+(?:, [A-Z]{3}-\d+)*)\]\(\.\.\/\.\.\/([^)]+)\)/g)].flatMap(
    ([, ids = '', file = '']) => ids.split(', ').map((id) => ({ id, file })),
  );

describe('driver patches', () => {
  test('DPN-1790 the page names each patched driver with the version that is installed, so that a raised one is looked at', () => {
    const versions = Object.fromEntries(
      [...page.matchAll(/^\| `([^`]+)` \| (\d[\d.]*) \|$/gm)].map(([, name = '', version = '']) => [name, version]),
    );
    expect(versions).toEqual(manifest.dependencies);
    for (const [name, version] of Object.entries(versions))
      expect({ name, version }).toEqual({ name, version: lock.packages[`node_modules/${name}`]?.version });
  });

  test('DPN-1791 every patch names tests that are there', () => {
    expect(testsNamed().length).toBeGreaterThan(9);
    for (const { id, file } of testsNamed())
      expect({ id, in: textOf(file).includes(`${id} `) }).toEqual({ id, in: true });
  });

  test('DPN-1792 each file of the folder is on the page', () => {
    const patches = repositoryFiles().filter((path) => /^packages\/driver-patches\/src\/.*(?<!\.d)\.ts$/.test(path));
    expect(patches.length).toBeGreaterThan(1);
    for (const path of patches) expect(page).toContain(path.replace('packages/driver-patches/', ']('));
  });
});
