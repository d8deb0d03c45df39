/** What has become of the backups of a process's data folder. Times are UTC milliseconds. */
export interface BackupStatus {
  /** When the last one was begun, whatever came of it; null = there was none. */
  readonly last: number | null;
  readonly ok: boolean | null;
  /** Of the last event in the last whole one. */
  readonly position: number | null;
  /** When the next one is due; null = none is by itself. */
  readonly next: number | null;
  /** Where they are put; null = nowhere by itself. */
  readonly dir: string | null;
  /** Why the last one was not made, for the operator; null = it was. */
  readonly problem: string | null;
  /** How far the one is that is being made; null = none is. */
  readonly running: { readonly bytes: number; readonly of: number } | null;
}

/** Makes the backups of a process's data folder. */
export interface Backups {
  status(): Promise<BackupStatus>;
  /** Begins one, unless one is being made. `no_dir`: nobody said where to. */
  begin(): 'begun' | 'running' | 'no_dir';
}

/** Of a process that makes none. */
export const noBackups: BackupStatus = {
  last: null,
  ok: null,
  position: null,
  next: null,
  dir: null,
  problem: null,
  running: null,
};

const instant = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString());

/** As calls answer it: instants in ISO 8601. */
export const presentBackup = ({ last, next, ...status }: BackupStatus) => ({
  ...status,
  last: instant(last),
  next: instant(next),
});
