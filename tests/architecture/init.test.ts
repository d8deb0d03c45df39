import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sealKeyOf } from '@zakup/seals/seal';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { repositoryRoot } from './repository-files.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'zakup-init-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function init(...args: readonly string[]): {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
} {
  const env = {
    APP_SECRETS: join(folder, 'app'),
    MONGO_SECRETS: join(folder, 'mongo'),
    TEST_SECRETS: join(folder, 'test'),
    PUBLIC_URL: 'https://zakup.example.org/',
    ADMIN_LOGIN: 'boss',
  };
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(repositoryRoot, 'deploy/init.mjs'), ...args], {
    env,
    encoding: 'utf8',
  });
  return { code: status, out: stdout, err: stderr };
}

const files = (): readonly string[] =>
  ['app', 'mongo', 'test'].flatMap((part) => readdirSync(join(folder, part)).map((name) => `${part}/${name}`)).sort();
const text = (path: string): string => readFileSync(join(folder, path), 'utf8').trim();
const texts = (): Readonly<Record<string, string>> => Object.fromEntries(files().map((path) => [path, text(path)]));
const inodes = (): readonly number[] => files().map((path) => statSync(join(folder, path)).ino);
const modeOf = (path: string): string => (statSync(join(folder, path)).mode & 0o777).toString(8);

describe('init of the full system', () => {
  test('DEP-3 makes every secret, each readable by its one reader alone', () => {
    expect(init()).toMatchObject({ code: 0, err: '' });
    expect(files()).toEqual([
      'app/admin-password',
      'app/jwt-secret',
      'app/mongodb-url',
      'app/seal-key',
      'mongo/app-password',
      'mongo/keyfile',
      'mongo/root-password',
      'test/mongodb-url',
    ]);
    expect(files().map(modeOf)).toEqual(files().map(() => '400'));
    expect(['app', 'mongo', 'test'].map(modeOf)).toEqual(['700', '700', '700']);
    if (process.getuid?.() !== 0) return;
    const owners = { app: 1000, mongo: 999, test: 1000 };
    for (const [part, owner] of Object.entries(owners)) {
      for (const path of [part, ...files().filter((file) => file.startsWith(`${part}/`))]) {
        const { uid, gid } = statSync(join(folder, path));
        expect({ path, uid, gid }).toEqual({ path, uid: owner, gid: owner });
      }
    }
  });

  test('DEP-4 the secrets are such as their readers take', () => {
    init();
    expect(Buffer.byteLength(text('app/jwt-secret'))).toBeGreaterThanOrEqual(32);
    expect(sealKeyOf(text('app/seal-key')).fingerprint).toHaveLength(64);
    expect(text('app/admin-password').length).toBeGreaterThanOrEqual(8);
    expect(text('mongo/keyfile')).toMatch(/^[A-Za-z0-9+/=]{6,1024}$/u);
    const url = new URL(text('app/mongodb-url'));
    expect([url.username, url.password, url.host, url.pathname]).toEqual([
      'zakup',
      text('mongo/app-password'),
      'mongo:27017',
      '/zakup',
    ]);
    expect(new URL(text('test/mongodb-url')).password).toBe(text('mongo/root-password'));
  });

  test('DEP-5 prints address and login of the administrator once; a second start changes nothing', () => {
    const { out } = init();
    const made = texts();
    for (const shown of ['https://zakup.example.org/admin\n', 'boss', made['app/admin-password'] ?? '-'])
      expect(out).toContain(shown);
    for (const hidden of ['app/jwt-secret', 'app/seal-key', 'mongo/root-password', 'mongo/app-password'])
      expect(out).not.toContain(made[hidden]);
    const before = inodes();
    expect(init().out).toBe('Секреты на месте.\n');
    expect(texts()).toEqual(made);
    expect(inodes()).toEqual(before);
  });

  test('DEP-6 only what is missing is made; the address of MongoDB follows the password that is there', () => {
    init();
    const made = texts();
    rmSync(join(folder, 'app/jwt-secret'));
    rmSync(join(folder, 'app/mongodb-url'));
    expect(init().out).toBe('Созданы недостающие секреты: jwt-secret.\n');
    expect(texts()).toEqual({ ...made, 'app/jwt-secret': text('app/jwt-secret') });
    expect(text('app/jwt-secret')).not.toBe(made['app/jwt-secret']);
  });

  test('DEP-7 new-admin-password changes that one alone', () => {
    init();
    const made = texts();
    const { out } = init('new-admin-password');
    expect(text('app/admin-password')).not.toBe(made['app/admin-password']);
    expect(out).toContain(text('app/admin-password'));
    expect(texts()).toEqual({ ...made, 'app/admin-password': text('app/admin-password') });
    expect(init('new-password')).toMatchObject({ code: 2, out: '' });
  });

  test('DEP-8 an empty secret is refused by name, not made anew', () => {
    init();
    const file = join(folder, 'mongo/root-password');
    chmodSync(file, 0o600);
    writeFileSync(file, '');
    const { code, out, err } = init();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toContain(file);
    expect(text('mongo/root-password')).toBe('');
  });
});
