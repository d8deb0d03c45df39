import { readFileSync, statfsSync } from 'node:fs';

/** Where Linux keeps files in memory. A container has 64 MB of it unless it is told otherwise. */
const inMemory = '/dev/shm';
/** Less might be full before tests have removed what they wrote. */
const leastFreeBytes = 4 * 1024 ** 3;

/** None where programs may not be run from there: tests compile some, and container engines mount it so. */
const freeBytesOf = (path: string): number => {
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .find((line) => line.split(' ')[1] === path);
  if (mount?.split(' ')[3]?.split(',').includes('noexec') === true) return 0;
  const { bavail, bsize } = statfsSync(path);
  // A tmpfs tells its own limit: there may be less memory than that.
  return Math.min(bavail * bsize, process.availableMemory());
};

/**
 * Lets what runs with `env` make its temporary files in memory, so that no commit of a test waits for a disk. Leaves `env` as it is where
 * somebody has chosen a folder (`TMPDIR`), and where there is no such memory or too little of it. `free`: bytes for an ordinary user on
 * the file system of a path; throws where there is none.
 */
export const keepFilesInMemory = (
  env: Record<string, string | undefined>,
  free: (path: string) => number = freeBytesOf,
): void => {
  if (env['TMPDIR'] !== undefined) return;
  try {
    if (free(inMemory) >= leastFreeBytes) env['TMPDIR'] = inMemory;
  } catch {
    // Not there: another system than Linux.
  }
};
