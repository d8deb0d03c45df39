import { statfs } from 'node:fs/promises';

export interface DiskSpace {
  /** True while less than the threshold is free, or the folder cannot be asked. */
  readonly readOnly: boolean;
  /** As of the last look; null when the folder could not be asked. */
  readonly freeBytes: number | null;
  /** Calls back when `readOnly` turns; returns how to stop. */
  onChange(listener: (readOnly: boolean) => void): () => void;
  /** Looks now. */
  check(): Promise<void>;
  stop(): void;
}

export interface DiskSpaceOptions {
  /** Default 500 MB. */
  readonly leastFreeBytes?: number;
  /** Time between looks; default 5,000 ms. */
  readonly everyMs?: number;
  /** Free bytes for an ordinary user on the file system of a path. */
  readonly freeBytesOf?: (path: string) => Promise<number>;
}

/** Writing begins again only with this much more than the threshold, so that the state does not flutter. */
const marginShare = 0.02;

export async function availableBytes(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(path);
  return bavail * bsize;
}

/** Watches the free space of a folder's file system, from a first look that is done when it resolves. Does not keep the process alive. */
export async function diskSpace(dir: string, options: DiskSpaceOptions = {}): Promise<DiskSpace> {
  const { leastFreeBytes = 500_000_000, everyMs = 5000, freeBytesOf = availableBytes } = options;
  const listeners = new Set<(readOnly: boolean) => void>();
  let freeBytes: number | null = null;
  let readOnly = false;

  const check = async (): Promise<void> => {
    freeBytes = await freeBytesOf(dir).catch(() => null);
    const needed = readOnly ? leastFreeBytes * (1 + marginShare) : leastFreeBytes;
    const next = freeBytes === null || freeBytes < needed;
    if (next === readOnly) return;
    readOnly = next;
    for (const listener of listeners) listener(readOnly);
  };

  await check();
  const timer = setInterval(() => void check(), everyMs).unref();
  return {
    get readOnly() {
      return readOnly;
    },
    get freeBytes() {
      return freeBytes;
    },
    onChange(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    check,
    stop() {
      clearInterval(timer);
      listeners.clear();
    },
  };
}
