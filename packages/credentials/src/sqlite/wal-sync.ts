import { type FileHandle, open } from 'node:fs/promises';

/** Makes what was committed to a database's `-wal` durable, away from the thread that serves. */
export interface WalSync {
  /** Resolves once it is; to be called when the `-wal` is there, once at a time. Rejects with the system's error. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

/** The engine itself syncs within the commit, and with it stops whatever its thread does. */
export const walSync = (file: string): WalSync => {
  let handle: FileHandle | null = null;
  return {
    async sync() {
      // Stays open: there is the same `-wal` as long as a connection is.
      handle ??= await open(`${file}-wal`, 'r+');
      await handle.datasync();
    },
    async close() {
      await handle?.close();
      handle = null;
    },
  };
};
