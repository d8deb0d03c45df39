import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { programPath } from './built-programs.ts';

/** What is started: the program alone, or what `npm start` runs; both are built first when stale. */
const argumentsOf = {
  program: async () => [await programPath('main')],
  'npm start': async () => ['--import', 'tsx', fileURLToPath(new URL('../../scripts/start.ts', import.meta.url))],
} as const;

export const adminLogin = 'admin';
export const adminPassword = 'admin-password';

/** One run of the single-process edition in a process of its own. */
export interface ZakupProcess {
  /** `http://127.0.0.1:<port>`. */
  readonly address: string;
  readonly pid: number;
  /** Milliseconds from the start of the process to `/readyz` 200. */
  readonly readyAfter: number;
  /** Everything printed so far. */
  output(): string;
  /** `SIGKILL`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** `SIGTERM`; resolves with the exit code. */
  stop(): Promise<number | null>;
}

export interface StartOptions {
  readonly dataDir: string;
  /** A port to come back to; a free one otherwise. */
  readonly port?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Default `program`. */
  readonly run?: keyof typeof argumentsOf;
}

export const temporaryDataDir = async (): Promise<{ readonly path: string; remove(): Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'zakup-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};

const launch = async ({
  dataDir,
  port = 0,
  env = {},
  run = 'program',
}: StartOptions): Promise<{ child: ChildProcess; output: () => string; began: number }> => {
  const programArguments = await argumentsOf[run]();
  const began = performance.now();
  const child = spawn(process.execPath, programArguments, {
    env: {
      PATH: process.env['PATH'],
      DATA_DIR: dataDir,
      PORT: String(port),
      ADMIN_LOGIN: adminLogin,
      ADMIN_PASSWORD: adminPassword,
      LOG_LEVEL: 'warn',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const keep = (chunk: Buffer): void => {
    output += chunk.toString('utf8');
  };
  child.stdout?.on('data', keep);
  child.stderr?.on('data', keep);
  return { child, output: () => output, began };
};

const gone = async (child: ChildProcess): Promise<number | null> => {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
};

/** Starts it and waits until it says that it is ready; rejects with its output when it ends before. */
export const startZakup = async (options: StartOptions): Promise<ZakupProcess> => {
  const { child, output, began } = await launch(options);
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', () => {
      const said = /готов: (http:\/\/\S+)/u.exec(output())?.[1];
      if (said !== undefined) resolve(said);
    });
    child.once('exit', (code) => reject(new Error(`Zakup ended with ${code} before it was ready:\n${output()}`)));
  });
  const readyz = await fetch(`${address}/readyz`);
  if (readyz.status !== 200) throw new Error(`Zakup says that it is ready, /readyz answers ${readyz.status}`);
  const readyAfter = performance.now() - began;
  return {
    address,
    pid: child.pid ?? 0,
    readyAfter,
    output,
    async kill() {
      child.kill('SIGKILL');
      await gone(child);
    },
    stop() {
      child.kill('SIGTERM');
      return gone(child);
    },
  };
};

/** Starts it where it must refuse: its exit code and what it printed. */
export const refusedStart = async (
  options: StartOptions,
): Promise<{ readonly code: number | null; readonly output: string }> => {
  const { child, output } = await launch(options);
  // What it printed last may come behind its end.
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output: output() };
};
