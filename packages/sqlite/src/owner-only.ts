import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

const others = 0o077;

/**
 * Takes from everybody but the owner what they may do with a file or folder; what the owner may do stays. Where the system does not let it,
 * or there is no such thing, nothing happens.
 */
export const keepToOwner = (path: string): void => {
  try {
    const { mode } = statSync(path);
    if ((mode & others) !== 0) chmodSync(path, mode & ~others & 0o7777);
  } catch {
    // Another's, on a file system without rights, or not there.
  }
};

/**
 * Makes the file of a database, where it is absent, as its owner's alone, or takes it from everybody else; files that the engine makes beside
 * it get the rights that it has. One that is there is never opened here: closing it would drop the locks that this process has on it (POSIX).
 */
export const ownersDatabaseFile = (file: string): void => {
  try {
    closeSync(openSync(file, 'wx', 0o600));
  } catch {
    for (const suffix of ['', '-wal', '-shm']) keepToOwner(`${file}${suffix}`);
  }
};
