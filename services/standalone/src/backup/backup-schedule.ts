import { resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Backups, BackupStatus } from '@zakup/service-kit/backups';
import type { Config } from '@zakup/service-kit/config';
import type { Log } from '@zakup/service-kit/log';
import type { Metrics } from '@zakup/service-kit/metrics';
import { refusalText } from '@zakup/service-kit/refusal-text';
import { fileTellers } from '../file-tellers.ts';
import { type KeptBackup, keptBackups, removeBackups, surplusOf } from './kept-backups.ts';
import { type LastBackup, readLastBackup } from './last-backup.ts';
import { fileEntry } from './manifest.ts';
import { type BackupProgress, draftEnd, takeBackup } from './take-backup.ts';

export interface BackupScheduleOptions {
  readonly dataDir: string;
  /** Null = only others make backups, and only those are told. */
  readonly backups: Config['backups'];
  readonly log: Log;
  readonly metrics: Pick<Metrics, 'backups' | 'backupEvery' | 'backupLast' | 'backupOk' | 'backupPosition'>;
  /** UTC milliseconds; default: the wall's clock. */
  readonly now?: () => number;
  /** Resolves after as many milliseconds, or once the signal aborts. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>;
  readonly take?: typeof takeBackup;
}

/** Makes backups when they are due, and when somebody asks for one. */
export interface BackupSchedule extends Backups {
  /** Members of `/readyz` beside the state: an alarm while the last backup was not made. */
  about(): Readonly<Record<string, string>>;
  /** Breaks off what is being made. */
  stop(): Promise<void>;
}

/** Milliseconds after which a failed one is tried again at the latest, and between two looks at what others made. */
const [soonAgain, lookEvery] = [15 * 60_000, 60_000];

/** Keeps no process running. */
const unrefSleep = async (milliseconds: number, signal: AbortSignal): Promise<void> => {
  await delay(milliseconds, undefined, { signal, ref: false }).catch(() => undefined);
};

/** Begins at once; one that is overdue is made first. */
export const backupSchedule = (options: BackupScheduleOptions): BackupSchedule => {
  const { backups, log, metrics, now = Date.now, sleep = unrefSleep, take = takeBackup } = options;
  const dataDir = resolve(options.dataDir);
  metrics.backupEvery.set(backups === null ? 0 : backups.every / 1_000);
  const stopping = new AbortController();
  const { signal } = stopping;
  let last: LastBackup | null = null;
  let making: Promise<void> | null = null;
  let progress: BackupProgress | null = null;
  let failedAt: number | null = null;
  let madeAt: number | null = null;

  const look = async (): Promise<LastBackup | null> => {
    last = await readLastBackup(dataDir);
    if (last === null) return null;
    metrics.backupLast.set(Math.floor(last.at / 1_000));
    metrics.backupOk.set(last.ok ? 1 : 0);
    if (last.position !== null) metrics.backupPosition.set(last.position);
    return last;
  };

  const sealKey = async (): Promise<string> => (await fileEntry(dataDir, 'keys/seal-key')).sha256;

  /** Whole ones of this data folder; none where nobody can tell, as one too many does no harm. */
  const kept = async (dir: string): Promise<readonly KeptBackup[]> => {
    try {
      return await keptBackups(resolve(dir), await sealKey());
    } catch {
      return [];
    }
  };

  const due = async ({ dir, every }: NonNullable<Config['backups']>): Promise<number> => {
    if (failedAt !== null) return failedAt + Math.min(every, soonAgain);
    const made = madeAt ?? (await kept(dir)).at(-1)?.createdAt;
    // One of a time to come was made by a clock that was ahead.
    return made === undefined || made > now() ? now() : made + every;
  };

  /** One that cannot be removed is no reason to make the next one sooner. */
  const tidy = async ({ dir, ...rule }: NonNullable<Config['backups']>): Promise<void> => {
    try {
      await removeBackups(surplusOf(await kept(dir), rule), await draftEnd(dataDir));
    } catch (error) {
      log.error({ err: error, reason: refusalText(error, 0, fileTellers) }, 'Old backups were not removed');
    }
  };

  const make = async (wanted: NonNullable<Config['backups']>): Promise<void> => {
    progress = { bytes: 0, of: 0 };
    try {
      const onProgress = (done: BackupProgress): void => {
        progress = done;
      };
      const begun = now();
      const { path, head } = await take({
        dataDir,
        target: wanted.dir,
        expectsEarlier: true,
        now: begun,
        signal,
        onProgress,
      });
      [madeAt, failedAt] = [begun, null];
      metrics.backups.inc({ outcome: 'done' });
      log.info({ path, position: head }, 'A backup was made');
      await tidy(wanted);
    } catch (error) {
      if (signal.aborted) return;
      failedAt = now();
      metrics.backups.inc({ outcome: 'failed' });
      log.error({ err: error, reason: refusalText(error, 0, fileTellers) }, 'A backup was not made');
    } finally {
      progress = null;
      await look();
    }
  };

  const begin: Backups['begin'] = () => {
    if (backups === null) return 'no_dir';
    if (making !== null) return 'running';
    making = make(backups).finally(() => {
      making = null;
    });
    return 'begun';
  };

  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      await look();
      const wait = backups === null ? lookEvery : (await due(backups)) - now();
      if (wait > 0) await sleep(Math.min(wait, lookEvery), signal);
      else begin();
      await making;
    }
  };
  const following = follow().catch((error: unknown) =>
    log.error({ err: error }, 'Backups are not made by themselves until the next start'),
  );

  return {
    begin,
    async status(): Promise<BackupStatus> {
      const found = await look();
      return {
        last: found?.at ?? null,
        ok: found?.ok ?? null,
        position: found?.position ?? null,
        next: backups === null ? null : await due(backups),
        dir: backups === null ? null : resolve(backups.dir),
        problem: found?.problem ?? null,
        running: progress,
      };
    },
    about: (): Readonly<Record<string, string>> =>
      last?.ok === false ? { backup: 'последняя резервная копия не сделана' } : {},
    async stop() {
      stopping.abort();
      await Promise.all([following, making]);
    },
  };
};
