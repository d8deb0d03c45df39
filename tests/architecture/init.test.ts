import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { pathToFileURL } from 'node:url';
import { sealKeyOf } from '@zakup/seals/seal';
import { readConfig } from '@zakup/service-kit/config';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { repositoryRoot } from './repository-files.ts';

interface Certified {
  readonly key: string;
  readonly certificate: string;
}
const { makeAuthority, makeCertificate } = (await import(
  pathToFileURL(join(repositoryRoot, 'deploy/certificates.mjs')).href
)) as {
  readonly makeAuthority: (now: number) => Certified;
  readonly makeCertificate: (
    authority: Certified,
    names: { readonly subject: string; readonly hosts: readonly string[] },
    now: number,
  ) => Certified;
};

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
    ADMIN_SECRETS: join(folder, 'admin'),
    SEAL_SECRETS: join(folder, 'seal'),
    CODES_SECRETS: join(folder, 'codes'),
    MONGO_SECRETS: join(folder, 'mongo'),
    EVENTS_SECRETS: join(folder, 'events'),
    AUTHORITY_SECRETS: join(folder, 'authority'),
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

const parts = ['app', 'admin', 'seal', 'codes', 'mongo', 'events', 'events/roots', 'authority', 'test'] as const;
const files = (): readonly string[] =>
  parts
    .flatMap((part) => readdirSync(join(folder, part)).map((name) => `${part}/${name}`))
    .filter((path) => path !== 'events/roots')
    .sort();
const text = (path: string): string => readFileSync(join(folder, path), 'utf8').trim();
const texts = (): Readonly<Record<string, string>> => Object.fromEntries(files().map((path) => [path, text(path)]));
const inodes = (): readonly number[] => files().map((path) => statSync(join(folder, path)).ino);
const modeOf = (path: string): string => (statSync(join(folder, path)).mode & 0o777).toString(8);

describe('init of the full system', () => {
  test('DEP-3 makes every secret, each readable by its one reader alone', () => {
    expect(init()).toMatchObject({ code: 0, err: '' });
    expect(files()).toEqual([
      'admin/admin-password',
      'app/authority.pem',
      'app/eventstoredb-url',
      'app/jwt-secret',
      'app/mongodb-url',
      'authority/certificate',
      'authority/key',
      'codes/access-codes-key',
      'events/admin-password',
      'events/authority.pem',
      'events/node.crt',
      'events/node.key',
      'events/ops-password',
      'events/roots/authority.crt',
      'events/server.pem',
      'mongo/app-password',
      'mongo/authority.pem',
      'mongo/keyfile',
      'mongo/root-password',
      'mongo/server.pem',
      'seal/seal-key',
      'test/authority.pem',
      'test/eventstoredb-url',
      'test/mongodb-url',
    ]);
    expect(files().map(modeOf)).toEqual(files().map(() => '400'));
    expect(parts.map(modeOf)).toEqual(parts.map(() => '700'));
    if (process.getuid?.() !== 0) return;
    const owners = {
      app: 1000,
      admin: 1000,
      seal: 1000,
      codes: 1000,
      mongo: 999,
      events: 1000,
      authority: 0,
      test: 1000,
    };
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
    expect(sealKeyOf(text('seal/seal-key')).fingerprint).toHaveLength(64);
    expect(readConfig({ ACCESS_CODES_KEY: text('codes/access-codes-key') }).kind).toBe('ok');
    expect(text('admin/admin-password').length).toBeGreaterThanOrEqual(8);
    expect(text('mongo/keyfile')).toMatch(/^[A-Za-z0-9+/=]{6,1024}$/u);
    const url = new URL(text('app/mongodb-url'));
    expect([url.username, url.password, url.host, url.pathname]).toEqual([
      'zakup',
      text('mongo/app-password'),
      'mongo:27017',
      '/zakup',
    ]);
    expect(url.searchParams.get('tls')).toBe('true');
    const log = new URL(text('app/eventstoredb-url').replace('esdb:', 'https:'));
    expect([log.password, log.host, log.searchParams.get('tls')]).toEqual([
      text('events/admin-password'),
      'eventstore:2113',
      'true',
    ]);
    for (const { searchParams } of [url, log]) expect(searchParams.get('tlsCAFile')).toBe('/secrets/authority.pem');
    expect(new URL(text('test/mongodb-url')).password).toBe(text('mongo/root-password'));
  });

  test('DEP-5 prints address and login of the administrator once, and no secret; a second start changes nothing', () => {
    const { out } = init();
    const made = texts();
    for (const shown of ['https://zakup.example.org/admin\n', 'boss', 'docker compose run --rm init admin-password'])
      expect(out).toContain(shown);
    for (const secret of Object.values(made)) expect(out).not.toContain(secret);
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
    const fresh = text('admin/admin-password');
    expect(fresh).not.toBe(made['admin/admin-password']);
    expect(out).toContain(fresh);
    expect(texts()).toEqual({ ...made, 'admin/admin-password': fresh, 'admin/shown': text('admin/shown') });
    expect(init('new-password')).toMatchObject({ code: 2, out: '' });
  });

  test('DEP-1425 the administrator’s password is shown once, to whoever asks by hand, and a new one once more', () => {
    init();
    const password = text('admin/admin-password');
    expect(init('admin-password').out).toContain(password);
    for (let again = 0; again < 2; again += 1) {
      const { code, out, err } = init('admin-password');
      expect({ code, out }).toEqual({ code: 3, out: '' });
      expect(err).not.toContain(password);
    }
    expect(init('new-admin-password').out).toContain(text('admin/admin-password'));
    expect(init('admin-password').code).toBe(3);
  });

  test('DEP-1426 what an earlier version kept for all readers goes to its one reader as it was', () => {
    init();
    const made = texts();
    for (const [from, to] of [
      ['seal/seal-key', 'app/seal-key'],
      ['admin/admin-password', 'app/admin-password'],
    ] as const)
      renameSync(join(folder, from), join(folder, to));
    init();
    expect(texts()).toEqual(made);
  });

  test('DEP-1427 the servers’ certificates are the authority’s, for their names, and are renewed before they end', async () => {
    init();
    const authority = text('authority/certificate');
    const names = { mongo: 'mongo/server.pem', eventstore: 'events/node.crt' };
    for (const [host, file] of Object.entries(names)) {
      const certificate = new X509Certificate(text(file));
      const { publicKey } = new X509Certificate(authority);
      expect([host, certificate.verify(publicKey), certificate.checkHost(host), certificate.ca]).toEqual([
        host,
        true,
        host,
        false,
      ]);
    }
    const pair = text('mongo/server.pem');
    const server = createServer({ cert: pair, key: pair }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const greet = async (ca: string, servername: string): Promise<string> => {
      const line = connect({ port, host: '127.0.0.1', ca, servername });
      try {
        await once(line, 'secureConnect');
        return 'trusted';
      } catch (error) {
        return (error as { readonly code: string }).code;
      } finally {
        line.destroy();
      }
    };
    expect(await greet(authority, 'mongo')).toBe('trusted');
    expect(await greet(authority, 'gateway')).toBe('ERR_TLS_CERT_ALTNAME_INVALID');
    expect(await greet(makeAuthority(Date.now()).certificate, 'mongo')).not.toBe('trusted');
    server.close();

    const kept = texts();
    expect(init().out).toBe('Секреты на месте.\n');
    expect(texts()).toEqual(kept);
    const by = { key: text('authority/key'), certificate: authority };
    const ending = makeCertificate(
      by,
      { subject: 'mongo', hosts: ['mongo', 'localhost', '127.0.0.1'] },
      Date.now() - 700 * 24 * 3_600_000,
    );
    const path = join(folder, 'mongo/server.pem');
    chmodSync(path, 0o600);
    writeFileSync(path, `${ending.certificate}\n${ending.key}\n`);
    expect(init().out).toBe('Созданы недостающие секреты: server.pem (mongo).\n');
    const renewed = Date.parse(new X509Certificate(text('mongo/server.pem')).validTo);
    expect(renewed).toBeGreaterThan(Date.now() + 600 * 24 * 3_600_000);
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
