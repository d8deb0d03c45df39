import { describe, expect, test } from 'vitest';
import { missingOptionalDependencies, type Lock, type LockEntry } from '../../scripts/lock/optional-dependencies.ts';
import { textOf } from './repository-files.ts';

type Dependencies = Readonly<Record<string, string>>;
type Entry = LockEntry & { readonly dependencies?: Dependencies; readonly devDependencies?: Dependencies };

const lock = JSON.parse(textOf('package-lock.json')) as Lock;
const root = JSON.parse(textOf('package.json')) as Entry & { readonly workspaces: readonly string[] };
const manifests = ['', ...root.workspaces].map((folder): [string, Entry] => [
  folder,
  JSON.parse(textOf(folder === '' ? 'package.json' : `${folder}/package.json`)) as Entry,
]);

describe('package-lock.json', () => {
  test('LOCK-6 has an entry for every optional dependency, or npm ci stops on other platforms (npm run lock:complete)', () => {
    expect(missingOptionalDependencies(lock)).toEqual([]);
  });

  test('LOCK-7 shows a lock without one entry as incomplete', () => {
    const name = '@node-rs/argon2-darwin-arm64';
    const { [`node_modules/${name}`]: left, ...packages } = lock.packages;
    expect(left).toBeDefined();
    expect(missingOptionalDependencies({ packages }).map((missing) => missing.name)).toEqual([name]);
  });

  test('LOCK-8 names no download address', () => {
    expect(textOf('package-lock.json')).not.toMatch(/"resolved": "[a-z+]+:/);
  });

  test('LOCK-9 agrees with every package.json, or npm ci stops', () => {
    for (const [folder, { dependencies, devDependencies }] of manifests) {
      const locked: Entry | undefined = lock.packages[folder];
      expect({ folder, of: locked?.dependencies, dev: locked?.devDependencies }).toEqual({
        folder,
        of: dependencies,
        dev: devDependencies,
      });
    }
  });

  test('LOCK-10 every version asked for is exact', () => {
    const asked = manifests.flatMap(([, { dependencies, devDependencies }]) =>
      Object.entries({ ...dependencies, ...devDependencies }),
    );
    expect(asked.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))).toEqual([]);
  });
});
