import { describe, expect, test } from 'vitest';
import { readiness } from './health.ts';
import { jsonLog } from './log.ts';
import { type NamedServer, opening, ServerRefused, StoppedOpening } from './opening.ts';
import { serverAddress, withoutSecrets } from './server-address.ts';
import { StoreUnavailable } from './testing/going-away.ts';

const server: NamedServer = {
  setting: 'MONGODB_URL',
  url: 'mongodb://zakup:hun%74er2@mongo-1:27017,mongo-2/zakup?replicaSet=rs0',
};

const opened = (tries: readonly (() => Promise<string>)[], signal = new AbortController().signal) => {
  const logged: string[] = [];
  const waits: number[] = [];
  const states: unknown[] = [];
  const ready = readiness({});
  let next = 0;
  const open = opening({
    readiness: ready,
    log: jsonLog({ level: 'info', destination: { write: (line) => void logged.push(line) } }),
    signal,
    wait: async (milliseconds) => {
      waits.push(milliseconds);
      states.push(ready.state());
    },
  });
  const result = open(server, () => {
    next += 1;
    return (tries[next - 1] ?? tries.at(-1) ?? (() => Promise.resolve('')))();
  });
  return { result, logged, waits, states, ready };
};
const away = (): Promise<string> =>
  Promise.reject(new Error('Store', { cause: new StoreUnavailable(`no answer from ${server.url}, hunter2`) }));

describe('a server that a setting names', () => {
  test.each([
    ['esdb://localhost:2113?tls=false', 'localhost:2113'],
    ['esdb+discover://admin:changeit@cluster:2113/', 'cluster:2113'],
    [server.url, 'mongo-1:27017,mongo-2'],
    ['mongodb://zakup:p@ss/w?rd@mongo/zakup', 'mongo'],
    ['mongodb+srv://zakup.example.org', 'zakup.example.org'],
  ])('SVC-1 is shown without name and password: %s', (url, shown) => {
    expect(serverAddress(url)).toBe(shown);
  });

  test('SVC-2 neither the connection string nor its password, encoded or not, stays in a text', () => {
    const text = withoutSecrets(`cannot parse ${server.url} (hun%74er2, hunter2)`, server.url);
    expect(text).toBe('cannot parse mongo-1:27017,mongo-2 (***, ***)');
  });

  test('SVC-3 that is away is waited for, ever longer up to 5 s; readiness and log name the setting and the host only', async () => {
    const run = opened([away, away, away, away, away, away, away, () => Promise.resolve('store')]);
    expect(await run.result).toBe('store');
    expect(run.waits).toEqual([250, 500, 1000, 2000, 4000, 5000, 5000]);
    expect(run.states[0]).toEqual({
      kind: 'not_ready',
      reasons: { MONGODB_URL: 'MONGODB_URL: сервер mongo-1:27017,mongo-2 не отвечает' },
    });
    expect(run.ready.state()).toEqual({ kind: 'ready' });
    expect(run.logged).toHaveLength(7);
    for (const line of run.logged) {
      expect(line).toContain('mongo-1:27017,mongo-2');
      expect(line).not.toMatch(/hun(?:t|%74)er2/u);
    }
  });

  test('SVC-4 that answers and refuses is not asked again', async () => {
    const cause = new Error('wrong password');
    const run = opened([away, () => Promise.reject(cause), () => Promise.resolve('store')]);
    await expect(run.result).rejects.toMatchObject({ name: 'ServerRefused', server, cause });
    await expect(run.result).rejects.toBeInstanceOf(ServerRefused);
    expect(run.waits).toHaveLength(1);
  });

  test('SVC-5 is not waited for any longer when the process stops', async () => {
    const stop = new AbortController();
    const run = opened(
      [
        () => {
          stop.abort();
          return away();
        },
      ],
      stop.signal,
    );
    await expect(run.result).rejects.toBeInstanceOf(StoppedOpening);
  });
});
