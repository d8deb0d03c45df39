import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Done, Wanted } from './commands-load.ts';

/** The process that sends commands, seen from the one that serves them. */
export const loadProcess = () => {
  const child = fork(fileURLToPath(new URL('./commands-load.js', import.meta.url)), { execArgv: [] });
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) throw new Error('The load process failed');
  });
  const ask = async <Kind extends Done['kind']>(wanted: Wanted, kind: Kind): Promise<Extract<Done, { kind: Kind }>> => {
    child.send(wanted);
    const [done] = (await once(child, 'message')) as [Done];
    if (done.kind !== kind) throw new Error(`The load process answered ${done.kind}`);
    return done as Extract<Done, { kind: Kind }>;
  };
  return {
    begin: (wanted: Omit<Extract<Wanted, { kind: 'begin' }>, 'kind'>) => ask({ kind: 'begin', ...wanted }, 'begun'),
    rate: async (target: 'ours' | 'beside', milliseconds: number): Promise<number> =>
      (await ask({ kind: 'rate', target, milliseconds }, 'rate')).rate,
    lone: async (target: 'ours' | 'echo', count: number): Promise<number> =>
      (await ask({ kind: 'lone', target, count }, 'lone')).median,
    loneP99: async (count: number): Promise<number> => (await ask({ kind: 'lone', target: 'ours', count }, 'lone')).p99,
    flood: async (atOnce: number): Promise<number> => (await ask({ kind: 'flood', atOnce }, 'flood')).answered,
    close: () => child.disconnect(),
  };
};
