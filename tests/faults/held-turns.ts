import { spawn } from 'node:child_process';

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

/** Processor time of this process, in milliseconds. */
const spent = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/**
 * Watches each turn of the event loop. `stop` answers the longest that one held the thread, in milliseconds of processor time: what the
 * process spent from one turn to the next, and never more than passed meanwhile, as other threads of it may have been busy too.
 */
export const watchedTurns = (): { readonly stop: () => number } => {
  let longest = 0;
  let running = true;
  let [cpu, wall] = [spent(), performance.now()];
  const look = (): void => {
    const [cpuNow, wallNow] = [spent(), performance.now()];
    longest = Math.max(longest, Math.min(cpuNow - cpu, wallNow - wall));
    [cpu, wall] = [cpuNow, wallNow];
    if (running) setImmediate(look);
  };
  setImmediate(look);
  return {
    stop: () => {
      running = false;
      return longest;
    },
  };
};
