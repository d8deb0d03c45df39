import { describe, expect, test } from 'vitest';
import { completedLock, missingOptionalDependencies, platformOf, type Lock } from './optional-dependencies.ts';

const lock: Lock = {
  packages: {
    '': {},
    'node_modules/b': {
      version: '1.0.0',
      dev: true,
      optionalDependencies: { '@b/linux-x64': '1.0.0', '@b/win32-x64': '1.0.0', c: '2.0.0' },
    },
    'node_modules/b/node_modules/c': { version: '2.0.0', dev: true, optional: true },
    'node_modules/@b/linux-x64': { version: '1.0.0', dev: true, optional: true, os: ['linux'], cpu: ['x64'] },
  },
};

describe('lock completion', () => {
  test('LOCK-1 finds what is missing, not what a parent folder or the root provides', () => {
    expect(missingOptionalDependencies(lock)).toEqual([
      { parent: 'node_modules/b', name: '@b/win32-x64', wanted: '1.0.0', dev: true },
    ]);
  });

  test('LOCK-2 adds version, platform and dev, sorted, and is then complete', () => {
    const completed = completedLock(lock);
    expect(completed.packages['node_modules/@b/win32-x64']).toEqual({
      version: '1.0.0',
      dev: true,
      cpu: ['x64'],
      os: ['win32'],
      optional: true,
    });
    expect(Object.keys(completed.packages)).toEqual(
      Object.keys(completed.packages).sort((a, b) => a.localeCompare(b, 'en')),
    );
    expect(missingOptionalDependencies(completed)).toEqual([]);
    expect(completedLock(completed)).toEqual(completed);
  });

  test('LOCK-3 is wanted by a package that ships too: not dev', () => {
    const shared = completedLock<Lock>({
      packages: {
        'node_modules/a': { optionalDependencies: { 'x-darwin-arm64': '1.0.0' } },
        'node_modules/b': { dev: true, optionalDependencies: { 'x-darwin-arm64': '1.0.0' } },
      },
    });
    expect(shared.packages['node_modules/x-darwin-arm64']).not.toHaveProperty('dev');
  });

  test.each([
    ['@oxlint/binding-linux-x64-musl', { cpu: ['x64'], libc: ['musl'], os: ['linux'] }],
    ['@oxlint/binding-linux-arm-gnueabihf', { cpu: ['arm'], libc: ['glibc'], os: ['linux'] }],
    ['@oxlint/binding-android-arm-eabi', { cpu: ['arm'], os: ['android'] }],
    ['@rolldown/binding-wasm32-wasi', { cpu: ['wasm32'] }],
    ['lightningcss-win32-arm64-msvc', { cpu: ['arm64'], os: ['win32'] }],
    ['fsevents', {}],
  ])('LOCK-4 reads the platform of %s', (name, platform) => {
    expect(platformOf(name)).toEqual(platform);
  });

  test('LOCK-5 refuses to guess a version or a platform', () => {
    const asking = (name: string, wanted: string): Lock => ({
      packages: { 'node_modules/a': { optionalDependencies: { [name]: wanted } } },
    });
    expect(() => completedLock(asking('a-linux-x64', '^1.0.0'))).toThrow('"^1.0.0" is not an exact version');
    expect(() => completedLock(asking('fsevents', '2.3.3'))).toThrow('fsevents: no platform in its name');
  });
});
