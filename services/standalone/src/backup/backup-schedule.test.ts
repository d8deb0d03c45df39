import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { healthData } from '@zakup/contracts/calls/replies';
import { appMetrics } from '@zakup/service-kit/metrics';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { keyFiles } from '../data-dir/data-dir-secrets.ts';
import { startStandalone } from '../standalone.ts';
import { type BackupSchedule, backupSchedule } from './backup-schedule.ts';
import { surplusOf } from './kept-backups.ts';
import { draftEnd, takeBackup } from './take-backup.ts';

let folder: string;
let dataDir: string;
let dir: string;
let schedule: BackupSchedule | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'zakup-schedule-'));
  dataDir = join(folder, 'data');
  dir = join(folder, 'backups');
});
afterEach(async () => {
  await schedule?.stop();
  schedule = undefined;
  await rm(folder, { recursive: true, force: true });
});

const started = async (env: Readonly<Record<string, string>> = {}) => {
  const start = testStart({ DATA_DIR: dataDir, ...env });
  const zakup = await startStandalone({ ...start, webDist: folder });
  await zakup.ready;
  const call = async (method: string, path: string, token = '', body?: object) => {
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await fetch(`${zakup.address}/api${path}`, { method, headers, ...sent });
    return { status: answer.status, ...((await answer.json()) as { data?: { token: string }; error: string | null }) };
  };
  const login = await call('POST', '/admin/login', '', { login: 'admin', password: 'admin-password' });
  const token = login.data?.token ?? '';
  const backup = async () => healthData.parse((await call('GET', '/admin/health', token)).data).backup;
  const text = async (path: string): Promise<string> => (await fetch(`${zakup.address}${path}`)).text();
  return { ...zakup, logged: start.logged, begin: () => call('POST', '/admin/backup', token, {}), backup, text };
};

/** A clock that is set by hand; what sleeps wakes when it has come so far. */
const handClock = (begun: number) => {
  let time = begun;
  let waiting: { readonly until: number; readonly wake: () => void }[] = [];
  let slept = new AbortController();
  return {
    now: () => time,
    sleep: (milliseconds: number, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true, signal: slept.signal });
        waiting.push({ until: time + milliseconds, wake: resolve });
      }),
    isAsleep: () => waiting.length > 0,
    pass(milliseconds: number) {
      time += milliseconds;
      const due = waiting.filter(({ until }) => until <= time);
      waiting = waiting.filter(({ until }) => until > time);
      if (due.length === 0) return;
      // Who is awake need not be woken any more: only one sleeps at a time.
      slept.abort();
      slept = new AbortController();
      for (const { wake } of due) wake();
    },
  };
};

const hour = 3_600_000;
const night = Date.parse('2026-11-28T00:00:00.000Z');

describe('backups that are made by themselves', () => {
  const metrics = appMetrics();
  const { log } = testStart();

  const begun = (clock: ReturnType<typeof handClock>, take = takeBackup) => {
    schedule = backupSchedule({ dataDir, backups: { dir, every: 24 * hour, keep: 2 }, log, metrics, take, ...clock });
    return schedule;
  };
  /** Passes time a minute at a time, as the schedule looks. */
  const passed = async (clock: ReturnType<typeof handClock>, milliseconds: number): Promise<void> => {
    for (let left = milliseconds; left > 0; left -= hour / 2) {
      await expect.poll(clock.isAsleep).toBe(true);
      clock.pass(hour / 2);
    }
    await expect.poll(clock.isAsleep).toBe(true);
  };
  const names = async () => (await readdir(dir)).toSorted();

  let filled: string;
  beforeAll(async () => {
    filled = await mkdtemp(join(tmpdir(), 'zakup-schedule-filled-'));
    folder = filled;
    dataDir = join(filled, 'data');
    const zakup = await started();
    await zakup.shutdown.stop('filled');
  });
  afterAll(() => rm(filled, { recursive: true, force: true }));
  // In one turn: what this process had open there is closed for good whenever its statements are collected, and files go with it.
  beforeEach(() => cpSync(join(filled, 'data'), dataDir, { recursive: true }));

  test('BAK-2793 one at once where none is, then one a day; the last two of this installation stay', async () => {
    await mkdir(join(dir, 'zakup-2020-01-01T00-00-00Z'), { recursive: true });
    await writeFile(join(dir, 'zakup-2020-01-01T00-00-00Z', 'manifest.json'), '{}');
    const clock = handClock(night);
    const first = begun(clock);
    const status = () => first.status();
    await expect
      .poll(status)
      .toMatchObject({ ok: true, last: night, next: night + 24 * hour, dir, problem: null, running: null });
    await passed(clock, 23.5 * hour);
    expect(await names()).toHaveLength(2);
    await passed(clock, 25 * hour);
    await expect
      .poll(names)
      .toEqual(['zakup-2020-01-01T00-00-00Z', 'zakup-2026-11-29T00-00-00Z', 'zakup-2026-11-30T00-00-00Z']);
    await schedule?.stop();
    // A restart makes none before its time.
    const again = begun(clock);
    await passed(clock, hour);
    expect(await names()).toHaveLength(3);
    expect((await again.status()).next).toBe(night + 72 * hour);
  });

  test('BAK-2794 one that fails alarms, is tried again within a quarter of an hour, and ends the alarm', async () => {
    const clock = handClock(night);
    let isFull = true;
    const failing = begun(clock, (options) =>
      takeBackup({ ...options, ...(isFull && { freeBytesOf: async () => 0 }) }),
    );
    await expect
      .poll(() => failing.status())
      .toMatchObject({ ok: false, position: null, next: night + hour / 4, running: null });
    expect((await failing.status()).problem).toContain('свободно 0 МБ');
    expect(failing.about()).toEqual({ backup: 'последняя резервная копия не сделана' });
    isFull = false;
    await passed(clock, hour / 2);
    await expect.poll(async () => (await failing.status()).ok).toBe(true);
    expect(failing.about()).toEqual({});
    const text = await metrics.registry.metrics();
    expect(text).toContain('zakup_backups_total{outcome="failed"} 1');
    expect(text).toContain('zakup_backup_ok 1');
  });

  test('REV-2851 one that was made counts as made, and the next one comes in its time, though old ones cannot be removed', async () => {
    const clock = handClock(night);
    const blocking = begun(clock, async (options) => {
      const backup = await takeBackup(options);
      // No folder, where the oldest is put before it is removed.
      await writeFile(join(dir, `.zakup-${night}${await draftEnd(dataDir)}`), '');
      return backup;
    });
    const made = async () => (await names()).filter((name) => name.startsWith('zakup-'));
    for (const day of [1, 2]) {
      await expect.poll(made).toHaveLength(day);
      await passed(clock, 24 * hour);
    }
    await expect.poll(made).toHaveLength(3);
    await passed(clock, 2 * hour);
    expect(await made()).toHaveLength(3);
    expect(await blocking.status()).toMatchObject({ ok: true, next: night + 72 * hour });
  });

  test('BAK-3182 where the disk of the copies is not mounted any more nothing is put into its place; a copy by hand makes it go on', async () => {
    const clock = handClock(night);
    const first = begun(clock);
    await expect.poll(async () => (await first.status()).ok).toBe(true);
    await schedule?.stop();
    await rename(dir, `${dir}-away`);
    clock.pass(24 * hour);
    const again = begun(clock);
    await expect.poll(async () => (await again.status()).ok).toBe(false);
    expect((await again.status()).problem).toContain('подключён ли диск');
    await expect(readdir(dir)).rejects.toMatchObject({ code: 'ENOENT' });
    const { signal } = new AbortController();
    await takeBackup({ dataDir, target: dir, now: clock.now() + 1_000, signal });
    await passed(clock, hour / 2);
    await expect.poll(async () => (await again.status()).ok).toBe(true);
    await expect.poll(names).toHaveLength(2);
  });

  test('BAK-3500 a schedule that is stopped while it looks ends', async () => {
    const clock = handClock(night);
    const first = begun(clock);
    await expect.poll(clock.isAsleep).toBe(true);
    await first.stop();
    await expect(begun(clock).stop()).resolves.toBeUndefined();
  });

  test('BAK-3183 copies that somebody makes one after another push out none of the earlier ones', async () => {
    const kept = (hours: readonly number[]) => hours.map((at) => ({ path: String(at), createdAt: night + at * hour }));
    const removed = (hours: readonly number[]) =>
      surplusOf(kept(hours), { keep: 2, every: 24 * hour }).map(({ path }) => Number(path));
    expect(removed([0, 24])).toEqual([]);
    expect(removed([0, 24, 24.1, 24.2, 24.3, 25])).toEqual([]);
    // They go with the day that they are of.
    expect(removed([0, 24, 24.1, 24.2, 48, 48.5])).toEqual([0]);
    expect(removed([0, 24, 24.1, 24.2, 48, 72])).toEqual([0, 24, 24.1, 24.2]);
  });

  test('REV-2861 a clock that was ahead, and is set right, makes nobody wait until then', async () => {
    const early = begun(handClock(night + 1_000 * hour));
    await expect.poll(() => early.status()).toMatchObject({ ok: true, running: null });
    expect(await names()).toHaveLength(1);
    await schedule?.stop();
    const clock = handClock(night);
    const again = begun(clock);
    await expect.poll(async () => (await again.status()).last).toBe(night);
    await passed(clock, hour);
    expect(await names()).toHaveLength(2);
    expect((await again.status()).next).toBe(night + 24 * hour);
  });

  test('REV-2852 a key that cannot be read for a while makes an alarm, and ends the schedule no more than anything else', async () => {
    const clock = handClock(night);
    const { sealKey } = keyFiles(dataDir);
    await rename(sealKey, `${sealKey}.away`);
    const again = begun(clock);
    await expect.poll(async () => (await again.status()).ok).toBe(false);
    expect((await again.status()).problem).toContain('seal-key');
    await rename(`${sealKey}.away`, sealKey);
    await passed(clock, hour / 2);
    await expect.poll(async () => (await again.status()).ok).toBe(true);
  });
});

describe('backups of a running server', () => {
  test('BAK-2796 it makes them by itself and when the admin asks, and tells of them in health, metrics and readiness', async () => {
    const zakup = await started({ BACKUP_DIR: dir, BACKUP_EVERY: '24h' });
    await expect.poll(async () => (await zakup.backup()).ok).toBe(true);
    const first = await zakup.backup();
    expect(first).toMatchObject({ dir, running: null, problem: null });
    expect(Date.parse(first.next ?? '') - Date.parse(first.last ?? '')).toBe(24 * hour);
    const [name = ''] = await readdir(dir);
    const manifest = JSON.parse(await readFile(join(dir, name, 'manifest.json'), 'utf8')) as { head: number };
    expect(first.position).toBe(manifest.head);
    expect(await zakup.text('/metrics')).toContain(`zakup_backup_position ${manifest.head}`);
    // Names are of seconds.
    await expect.poll(async () => Date.now() - Date.parse(first.last ?? '') > 1_000).toBe(true);
    expect(await zakup.begin()).toMatchObject({ status: 200 });
    await expect.poll(async () => (await readdir(dir)).length).toBe(2);
    await expect.poll(async () => (await zakup.backup()).last).not.toBe(first.last);
    expect(JSON.parse(await zakup.text('/readyz'))).not.toHaveProperty('backup');
    await zakup.shutdown.stop('done');
  });

  test('BAK-2797 without a folder it makes none and says so, and tells of what npm run backup has made', async () => {
    const zakup = await started();
    expect(await zakup.backup()).toEqual({
      last: null,
      ok: null,
      position: null,
      next: null,
      dir: null,
      problem: null,
      running: null,
    });
    expect(await zakup.begin()).toMatchObject({
      status: 422,
      error: 'Папка для резервных копий не задана (BACKUP_DIR)',
    });
    const now = Date.parse('2026-11-28T03:00:00.000Z');
    const { head } = await takeBackup({ dataDir, target: dir, now, signal: new AbortController().signal });
    expect(await zakup.backup()).toMatchObject({ last: '2026-11-28T03:00:00.000Z', ok: true, position: head });
    await zakup.shutdown.stop('done');
  });
});
