import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** The server that both sides of a figure append to. */
export interface LogServer {
  /** Connection string. */
  readonly url: string;
  /** Named in the table: what only met a stand-in is to be called so. */
  readonly kind: 'server' | 'stand-in';
  close(): Promise<void>;
}

/** The server that `EVENTSTOREDB_URL` names, otherwise the tests' stand-in in a process of its own. */
export const logServer = async (): Promise<LogServer> => {
  const named = process.env['EVENTSTOREDB_URL'] ?? '';
  if (named !== '') return { url: named, kind: 'server', close: () => Promise.resolve() };
  const program = fileURLToPath(new URL('standin-eventstoredb.js', import.meta.url));
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'ignore'] });
  const [line] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: line.toString().trim(),
    kind: 'stand-in',
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
};
