import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programPath } from './built-programs.ts';

export type ServerName = 'eventstoredb' | 'mongodb';

/** A stand-in in a process of its own, as `npm run standin:…` starts it; its port and its file outlive `kill -9`. */
export interface StandInProcess {
  /** As it prints it. */
  readonly url: string;
  /** `SIGKILL`; resolves when the process is gone. */
  kill(): Promise<void>;
  /** After `kill` or `stop`: starts it again on its port; resolves when it listens. */
  start(): Promise<void>;
  /** Gives an order of its README; resolves when it is carried out. */
  order(line: string): Promise<void>;
  /** `SIGTERM`. */
  stop(): Promise<void>;
}

/**
 * A killed process leaves its open transaction, and what that has written, to the server until its life is over: 60 s in MongoDB, which
 * is longer than a test should last.
 */
const more: Readonly<Record<ServerName, readonly string[]>> = {
  eventstoredb: [],
  mongodb: ['--transaction-lifetime', '3000'],
};

/** Starts a stand-in that keeps what it acknowledged in `file`; resolves when it listens. */
export const startStandIn = async (name: ServerName, file: string): Promise<StandInProcess> => {
  const program = await programPath(`standin-${name}`);
  let child: ChildProcess | null = null;
  let output = '';
  let url = '';

  /** Resolves with what the pattern catches in what is printed from now on. */
  const said = (pattern: RegExp): Promise<string> =>
    new Promise((resolve, reject) => {
      const of = child;
      if (of === null) throw new Error(`${name} does not run`);
      const from = output.length;
      const look = (): void => {
        const found = pattern.exec(output.slice(from));
        if (found === null) return;
        of.off('exit', ended);
        of.stdout?.off('data', look);
        resolve(found[0]);
      };
      const ended = (): void => reject(new Error(`${name} ended before ${String(pattern)}:\n${output}`));
      of.stdout?.on('data', look);
      of.once('exit', ended);
    });

  const start = async (): Promise<void> => {
    const port = url === '' ? '0' : new URL(url.replace(/^\w+:/, 'http:')).port;
    child = spawn(process.execPath, [program, '--port', port, '--file', file, ...more[name]], {
      env: { PATH: process.env['PATH'] },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const keep = (chunk: Buffer): void => {
      output += chunk.toString('utf8');
    };
    child.stdout?.on('data', keep);
    child.stderr?.on('data', keep);
    url = (await said(/^(?:esdb|mongodb):\/\/\S+/mu)).trim();
  };

  const ended = async (signal: 'SIGKILL' | 'SIGTERM'): Promise<void> => {
    const of = child;
    child = null;
    if (of === null || of.exitCode !== null || of.signalCode !== null) return;
    const exit = once(of, 'exit');
    of.kill(signal);
    await exit;
  };

  await start();
  return {
    get url() {
      return url;
    },
    kill: () => ended('SIGKILL'),
    start,
    async order(line) {
      const confirmed = said(new RegExp(`^(?:ok|done:) ${line.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}$`, 'mu'));
      child?.stdin?.write(`${line}\n`);
      await confirmed;
    },
    stop: () => ended('SIGTERM'),
  };
};
