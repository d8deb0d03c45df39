import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freshWebBuild } from '../start/web-build.ts';
import { givenKeysAndWebhooks } from './owner-access.ts';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/[\\/]$/, '');
const file = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface DemoProcess {
  /** `http://127.0.0.1:<port>`. */
  readonly address: string;
  /** Ends it and removes its folder. */
  stop(): Promise<void>;
}

export interface DemoOptions {
  readonly scale: 'small' | 'full';
  /** How far its clock is ahead of the real one, in milliseconds. The story ends the day before the one it is then. */
  readonly ahead: number;
  /** Where its data lie, kept for the next time; absent = made anew and removed at the end. */
  readonly dataDir?: string | undefined;
  /** The built web app; absent = built from the sources as they are. */
  readonly webDist?: string | undefined;
}

const saidReady = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    let output = '';
    const hear = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
      const address = /ready: (http:\/\/\S+)/u.exec(output)?.[1];
      if (address !== undefined) resolve(address);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', (code) => reject(new Error(`The demo ended with ${code} before it was ready:\n${output}`)));
  });

/** Starts a demo in a process and a folder of its own, with keys and webhooks and with the web app as it is now. */
export const startDemo = async ({ scale, ahead, dataDir, webDist }: DemoOptions): Promise<DemoProcess> => {
  if (webDist === undefined) await freshWebBuild(root);
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'zakup-demo-')));
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', '--import', file('clock-ahead.ts'), file('demo-server.ts')],
    {
      cwd: root,
      env: {
        PATH: process.env['PATH'],
        DATA_DIR: folder,
        PORT: '0',
        LOG_LEVEL: 'error',
        DEMO_SCALE: scale,
        WEB_DIST: webDist ?? join(root, 'web/dist'),
        // The owner runs the installation too, so that its page can be seen.
        ADMIN_EMAILS: 'voronova@demo.example',
        CLOCK_AHEAD: String(ahead),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const ended = once(child, 'exit');
  const remove = async (): Promise<void> => {
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
  };
  const begin = async (): Promise<string> => {
    const said = await saidReady(child);
    await givenKeysAndWebhooks(said);
    return said;
  };
  const address = await begin().catch(async (error: unknown) => {
    child.kill('SIGTERM');
    await remove();
    throw error;
  });
  return {
    address,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await remove();
    },
  };
};
