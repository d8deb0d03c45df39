import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';

/**
 * Takes answers one after another in a process of its own, so that what that costs is not counted, and prints status and size of each: a
 * line for each line. Each on a connection of its own, which none of the servers that a file of tests stops finds open.
 */
const client = `
import { get } from 'node:http';
import { createInterface } from 'node:readline';
const take = (address, token) => new Promise((resolve, reject) => {
  const asked = get(address, { agent: false, headers: { Authorization: 'Bearer ' + token } }, (response) => {
    let bytes = 0;
    response.on('data', (part) => { bytes += part.length; });
    response.once('end', () => resolve({ status: response.statusCode, bytes })).once('error', reject);
  });
  asked.once('error', reject);
});
for await (const line of createInterface({ input: process.stdin })) {
  const { token, addresses } = JSON.parse(line);
  const all = [];
  for (const address of addresses) all.push(await take(address, token));
  console.log(JSON.stringify(all));
}
`;

interface Taken {
  readonly status: number;
  readonly bytes: number;
}

/** Started by the first who asks, for all of a file; ends with its input, which is this process. */
let taker: ChildProcessByStdio<Writable, Readable, null> | null = null;
const started = (): ChildProcessByStdio<Writable, Readable, null> => {
  if (taker !== null) return taker;
  const child = spawn(process.execPath, ['--input-type=module', '-e', client], { stdio: ['pipe', 'pipe', 'inherit'] });
  child.once('close', () => {
    taker = null;
  });
  taker = child;
  return child;
};

/** To be asked once at a time. Rejects when the client does not come to the end of an answer. */
export const allTaken = async (addresses: readonly string[], token: string): Promise<readonly Taken[]> => {
  const child = started();
  child.stdin.write(`${JSON.stringify({ token, addresses })}\n`);
  const told = await new Promise<string>((resolve, reject) => {
    let text = '';
    const keep = (part: Buffer): void => {
      text += part.toString();
      if (text.endsWith('\n')) settle(() => resolve(text));
    };
    const failed = (error: Error): void => settle(() => reject(error));
    const ended = (code: number | null): void =>
      failed(new Error(`The client ended with ${code} at ${addresses.join()}`));
    const settle = (how: () => void): void => {
      child.stdout.off('data', keep);
      child.off('error', failed).off('close', ended);
      how();
    };
    child.stdout.on('data', keep);
    child.once('error', failed).once('close', ended);
  });
  return JSON.parse(told) as readonly Taken[];
};

export const taken = async (address: string, token: string): Promise<Taken> => {
  const [one] = await allTaken([address], token);
  if (one === undefined) throw new Error('The client took nothing');
  return one;
};

/** Linux tells here what the thread that opens it has spent, in nanoseconds, as the first number. */
const ofThread = '/proc/thread-self/schedstat';
export const threadsAreTold = existsSync(ofThread);

interface Spent {
  /** Milliseconds of processor time. */
  readonly now: () => number;
  readonly close: () => void;
}

const spentByThread = (): Spent => {
  const file = openSync(ofThread, 'r');
  const text = Buffer.alloc(64);
  return {
    now: () => Number.parseInt(text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)), 10) / 1e6,
    close: () => closeSync(file),
  };
};

const spentByProcess = (): Spent => ({
  now: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1000;
  },
  close: () => undefined,
});

/**
 * Watches each turn of the event loop. `stop` answers the longest that one held the thread, in milliseconds of processor time: what this
 * thread spent from one turn to the next, whatever other threads and processes do meanwhile. Where the system does not tell it of a thread
 * it is what the process spent, and never more than passed.
 */
export const watchedTurns = (): { readonly stop: () => number } => {
  const spent = threadsAreTold ? spentByThread() : spentByProcess();
  let longest = 0;
  let running = true;
  let [cpu, wall] = [spent.now(), performance.now()];
  const look = (): void => {
    if (!running) return;
    const [cpuNow, wallNow] = [spent.now(), performance.now()];
    longest = Math.max(longest, Math.min(cpuNow - cpu, wallNow - wall));
    [cpu, wall] = [cpuNow, wallNow];
    setImmediate(look);
  };
  setImmediate(look);
  return {
    stop: () => {
      running = false;
      spent.close();
      return longest;
    },
  };
};

/** `stop` answers what this thread has spent since, in milliseconds of processor time. */
export const spentHere = (): { readonly stop: () => number } => {
  const spent = spentByThread();
  const from = spent.now();
  return {
    stop: () => {
      const until = spent.now();
      spent.close();
      return until - from;
    },
  };
};
