import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** Takes an answer in a process of its own, so that what that costs is not counted, and prints its status and size. */
const client = `
const [address, token] = process.argv.slice(1);
const response = await fetch(address, { headers: { Authorization: 'Bearer ' + token } });
let bytes = 0;
for await (const part of response.body) bytes += part.length;
console.log(JSON.stringify({ status: response.status, bytes }));
`;

interface Taken {
  readonly status: number;
  readonly bytes: number;
}

/** Rejects when the client does not come to the end of the answer. */
export const taken = (address: string, token: string): Promise<Taken> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', client, '--', address, token], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    child.stdout.on('data', (part: Buffer) => {
      told += part.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(told) as Taken);
      else reject(new Error(`The client ended with ${code} at ${address}`));
    });
  });

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
