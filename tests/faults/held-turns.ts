import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync, readSync } from 'node:fs';

/** Takes answers one after another in a process of its own, so that what that costs is not counted, and prints status and size of each. */
const client = `
const [token, ...addresses] = process.argv.slice(1);
const all = [];
for (const address of addresses) {
  const response = await fetch(address, { headers: { Authorization: 'Bearer ' + token } });
  let bytes = 0;
  for await (const part of response.body) bytes += part.length;
  all.push({ status: response.status, bytes });
}
console.log(JSON.stringify(all));
`;

interface Taken {
  readonly status: number;
  readonly bytes: number;
}

/** Rejects when the client does not come to the end of an answer. */
export const allTaken = (addresses: readonly string[], token: string): Promise<readonly Taken[]> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', client, '--', token, ...addresses], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    child.stdout.on('data', (part: Buffer) => {
      told += part.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(told) as readonly Taken[]);
      else reject(new Error(`The client ended with ${code} at ${addresses.join()}`));
    });
  });

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
