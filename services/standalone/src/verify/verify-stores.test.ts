import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { healthData } from '@zakup/contracts/calls/replies';
import { projectionVersion } from '@zakup/projections/version';
import { testStart } from '@zakup/service-kit/testing/started';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { storeFiles } from '../data-dir/store-files.ts';
import { askServer } from '../rebuild/ask-server.ts';
import { rebuildStores } from '../rebuild/rebuild-stores.ts';
import { startStandalone } from '../standalone.ts';
import { isRight, verifiedText, verifyStores } from './verify-stores.ts';

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'zakup-verify-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

const never = new AbortController().signal;

const started = async () => {
  const zakup = await startStandalone({ ...testStart({ DATA_DIR: dir }), webDist: dir });
  await zakup.ready;
  const call = async (method: string, path: string, body?: object, token = ''): Promise<unknown> => {
    const answer = await fetch(`${zakup.address}/api${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return ((await answer.json()) as { data: unknown }).data;
  };
  const { token } = (await call('POST', '/admin/login', { login: 'admin', password: 'admin-password' })) as {
    token: string;
  };
  const health = async () => (await call('GET', '/admin/health', undefined, token)) as z.output<typeof healthData>;
  return { ...zakup, call, token, health };
};

/** Two licences, and nobody at work. */
const fill = async (): Promise<void> => {
  const zakup = await started();
  for (const ownerName of ['Анна', 'Борис'])
    await zakup.call(
      'POST',
      '/admin/licenses',
      { ownerName, ownerEmail: 'owner@example.com', ownerTelegram: '@owner' },
      zakup.token,
    );
  await expect.poll(async () => (await zakup.health()).projection.lagEvents).toBe(0);
  await zakup.shutdown.stop('filled');
};

const alter = (sql: string): void => {
  const database = openDatabase(storeFiles(dir).readModels);
  database.exec(sql);
  database.close();
};

const verified = (heal: boolean) => {
  const { config, log } = testStart({ DATA_DIR: dir });
  return verifyStores({ config, log, print: () => undefined, signal: never, heal });
};

describe('npm run verify', () => {
  test('SCK-40 says that all is right, lists what differs, puts it right when it is told to', async () => {
    await fill();
    const right = await verified(false);
    expect(right).toMatchObject({ licences: 2, checks: [], otherVersion: null });
    expect(isRight(right)).toBe(true);
    alter("UPDATE documents SET data = replace(data, 'Анна', 'Инна') WHERE kind = 'license'");
    const wrong = await verified(false);
    expect(isRight(wrong)).toBe(false);
    expect(verifiedText(wrong).join('\n')).toMatch(
      /Лицензия \w+: отличий 1, исправлено 0\n {2}license\/\w+: повреждён/u,
    );
    const healed = await verified(true);
    expect(isRight(healed)).toBe(true);
    expect(verifiedText(healed).join('\n')).toContain('отличий 1, исправлено 1');
    expect((await verified(false)).checks).toEqual([]);
  });

  test('SCK-3655 documents that were put ahead of their checkpoint, or are found by something else than they say, differ, and are put right', async () => {
    await fill();
    const seen = async (heal: boolean) =>
      (await verified(heal)).checks.flatMap(({ differences, healed }) => [
        ...differences.map(({ kind, what }) => `${kind} ${what}`),
        `healed ${healed.length}`,
      ]);
    alter("UPDATE checkpoints SET position = (SELECT min(position) FROM documents WHERE kind = 'license') - 1");
    const ahead = await seen(false);
    expect(ahead).toContain('license surplus');
    expect(ahead).toContain('healed 0');
    await seen(true);
    expect(await seen(false)).toEqual([]);
    await rm(dir, { recursive: true });
    await fill();
    alter("UPDATE documents SET \"data.createdAt\" = 'never' WHERE kind = 'license'");
    expect(await seen(false)).toEqual(['license damaged', 'healed 0', 'license damaged', 'healed 0']);
    expect(await seen(true)).toEqual(['license damaged', 'healed 1', 'license damaged', 'healed 1']);
    expect(await seen(false)).toEqual([]);
  });

  test('VERI-3656 a folder without data is no success: it is refused by name, and nothing is made in it', async () => {
    await expect(verified(false)).rejects.toThrow(`В ${dir} нет данных Zakup: проверять нечего. Проверьте DATA_DIR.`);
    expect(await readdir(dir)).toEqual([]);
    await rm(dir, { recursive: true });
    await expect(verified(false)).rejects.toMatchObject({ name: 'DataDirRefused', path: dir });
    await expect(readdir(dir)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('VERI-3687 a folder without data is refused, too, where only one of the two stores is on a server', async () => {
    const { config, log } = testStart({ DATA_DIR: dir });
    for (const servers of [{ mongoDbUrl: 'mongodb://127.0.0.1:9' }, { eventStoreDbUrl: 'esdb://127.0.0.1:9' }]) {
      const options = { config: { ...config, ...servers }, log, print: () => undefined, signal: never, heal: false };
      await expect(verifyStores(options)).rejects.toThrow('проверять нечего. Проверьте DATA_DIR.');
      expect(await readdir(dir)).toEqual([]);
    }
  });

  test('SCK-41 read models of another version are not compared, and that is not right', async () => {
    await fill();
    alter("UPDATE generations SET version = 'before'");
    const other = await verified(true);
    expect(other).toMatchObject({ otherVersion: 'before', documents: 0 });
    expect(isRight(other)).toBe(false);
    expect(verifiedText(other)[0]).toContain('npm run rebuild -- all');
  });
});

describe('a running server', () => {
  test('RB-30 a start finds read models of another version and replaces them while they are read', async () => {
    await fill();
    alter("UPDATE generations SET version = 'before'");
    const zakup = await started();
    await expect
      .poll(async () => (await zakup.health()).rebuild)
      .toMatchObject({
        state: 'done',
        percent: 100,
        secondsLeft: 0,
      });
    expect(await zakup.call('GET', '/admin/licenses', undefined, zakup.token)).toMatchObject({
      licenses: [{ ownerName: 'Борис' }, { ownerName: 'Анна' }],
    });
    await zakup.shutdown.stop('the test ends');
    const database = openDatabase(storeFiles(dir).readModels);
    expect(database.prepare("SELECT version FROM generations WHERE state = 'active'").get()).toEqual({
      version: projectionVersion,
    });
    database.close();
  });

  test('RB-31 holds the data folder, so that it is asked: it builds the read models anew and tells how far it is', async () => {
    await fill();
    const zakup = await started();
    const { config, log } = testStart({ DATA_DIR: dir });
    const lines: string[] = [];
    const print = (line: string): void => void lines.push(line);
    await expect(rebuildStores({ config, log, print, signal: never })).rejects.toMatchObject({
      name: 'DataDirRefused',
    });
    await askServer({ config, print, signal: never }, zakup.address);
    expect(lines.at(-1)).toMatch(/^событий \d+, 100 %$/u);
    expect((await zakup.health()).rebuild).toMatchObject({ state: 'done' });
    const wrong = { config: { ...config, adminPassword: 'another one' }, print, signal: never };
    await expect(askServer(wrong, zakup.address)).rejects.toMatchObject({ name: 'ServerNotAsked' });
    const none = { config: { ...config, adminPassword: null }, print, signal: never };
    await expect(askServer(none, zakup.address)).rejects.toThrow('ADMIN_PASSWORD');
    await zakup.shutdown.stop('the test ends');
    await expect(askServer({ config, print, signal: never }, zakup.address)).rejects.toThrow('никто не отвечает');
  });
});
