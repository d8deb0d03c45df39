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

/** Takes a whole scope over a line of its own, in a process of its own, and prints how many documents came. */
const liveClient = `
import { io } from 'socket.io-client';
const [address, token, scope] = process.argv.slice(1);
const socket = io(address, { auth: { token, protocolVersion: 1 }, transports: ['websocket'] });
let documents = 0;
socket.on('connect', () => socket.emit('subscribe', { scope }, (answer) => answer.ok || process.exit(1)));
socket.on('changes', ({ docs, last }) => {
  documents += docs.length;
  if (last) {
    console.log(JSON.stringify(documents));
    process.exit(0);
  }
});
`;

interface Taken {
  readonly status: number;
  readonly bytes: number;
}

/** What the program prints; rejects when it does not come to its end. */
const printed = (program: string, programArguments: readonly string[]): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', program, '--', ...programArguments], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let told = '';
    child.stdout.on('data', (part: Buffer) => {
      told += part.toString();
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(JSON.parse(told));
      else reject(new Error(`The client ended with ${code} at ${programArguments[0]}`));
    });
  });

/** Rejects when the client does not come to the end of the answer. */
export const taken = async (address: string, token: string): Promise<Taken> =>
  (await printed(client, [address, token])) as Taken;

/** How many documents the whole scope has; rejects when it does not come. */
export const takenLive = async (address: string, token: string, scope: string): Promise<number> =>
  (await printed(liveClient, [address, token, scope])) as number;

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
