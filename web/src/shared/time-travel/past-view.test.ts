import type { DocKind, LicenseWire, PersonWire } from '@zakup/contracts/wire-entities';
import { describe, expect, test } from 'vitest';
import type { ApiClient } from '../api/api-client.ts';
import { ApiProblem } from '../api/api-problem.ts';
import type { Live } from '../live/live.ts';
import { memoryReplica } from '../replica/replica.ts';
import { pastView } from './past-view.ts';

const lists: Readonly<Record<string, object>> = {
  '/api/channels': { channels: [] },
  '/api/campaigns': { campaigns: [{ id: 'k1', name: 'Лето' }] },
  '/api/creatives': { creatives: [] },
  '/api/contractors': { contractors: [] },
  '/api/users': { users: [{ id: 'u1', revision: 0, name: 'Анна', role: 'CBDO', isActive: true, email: 'a@b.c' }] },
  '/api/license/lineage': { value: 55 },
  '/api/campaigns/k1/analytics': { id: 'k1' },
  '/api/campaigns/k1/earnings': { earnings: [] },
  '/api/contractors/c1': { contractor: { id: 'c1' }, history: [], notes: [] },
};

const arrived = (kind: DocKind, doc: { readonly id: string }) => ({ kind, id: doc.id, position: 40, doc }) as never;

const setUp = () => {
  const asked: string[] = [];
  const aborted: string[] = [];
  const held: string[] = [];
  let refuse: ((path: string) => ApiProblem | null) | null = null;
  let wait: Promise<void> | null = null;
  const get = async (path: string, { query = {}, signal }: Parameters<ApiClient['get']>[1] = {}) => {
    const at = String(query['at']);
    asked.push(`${path} ${at}${query['page'] === undefined ? '' : ` page ${String(query['page'])}`}`);
    signal?.addEventListener('abort', () => aborted.push(at));
    await wait;
    const problem = refuse?.(path);
    if (problem) throw problem;
    const placements = Array.from({ length: query['page'] === 1 ? 500 : 3 }, (_, index) => ({
      id: `p${String(query['page'])}-${index}`,
      price: Number(at),
    }));
    const data = path.endsWith('/placements') ? { placements, total: 503 } : (lists[path] ?? {});
    const position = Number(at) || 40;
    return { data, position, revision: null, commandId: null, at: `2026-11-14T15:42:${position}.000Z` };
  };
  const timers = new Map<number, () => void>();
  const clock = {
    setTimeout: (run: () => void) => timers.set(timers.size + 1, run).size,
    clearTimeout: (handle: unknown) => void timers.delete(handle as number),
  };
  const live: Live = {
    start: () => undefined,
    stop: () => undefined,
    hold: (scope) => {
      held.push(scope);
      return () => held.splice(held.indexOf(scope), 1);
    },
    present: () => undefined,
    people: () => [],
    authorOf: () => null,
    retryNow: () => undefined,
    renew: () => undefined,
    status: () => ({ state: 'online', announced: false, dataAt: 0 }),
    scopeStatus: () => ({ kind: 'ready' }),
    subscribe: () => () => undefined,
  };
  const now = memoryReplica();
  const view = pastView({ api: { get: get as ApiClient['get'] }, live, now, clock });
  const until = (done: () => boolean): Promise<void> =>
    new Promise((resolve) => {
      if (done()) return resolve();
      const stop = view.subscribe(() => {
        if (!done()) return;
        stop();
        resolve();
      });
    });
  return {
    view,
    now,
    asked,
    aborted,
    held,
    until,
    settle: () => {
      const runs = [...timers.values()];
      timers.clear();
      for (const run of runs) run();
    },
    refuse: (next: typeof refuse) => {
      refuse = next;
    },
    /** What is asked from now on waits, until the next time that this is called or the answer of it is. */
    hang: () => {
      let go = (): void => undefined;
      const mine = new Promise<void>((resolve) => {
        go = resolve;
      });
      wait = mine;
      return () => {
        if (wait === mine) wait = null;
        go();
      };
    },
  };
};

describe('a moment of the past', () => {
  test('TSL-10 a moment is a replica of its own: lists, the campaign with all pages, people as the person may see them', async () => {
    const { view, asked, until, settle } = setUp();
    view.live.hold('campaign:k1');
    view.show('17');
    settle();
    await until(() => view.state().shown !== null);
    const { shown } = view.state();
    expect(shown?.position).toBe(17);
    expect(shown?.replica.all('placement', 'campaign:k1')).toHaveLength(503);
    expect([shown?.replica.get('campaign', 'k1')?.name, shown?.replica.get('person', 'u1')?.email]).toEqual([
      'Лето',
      'a@b.c',
    ]);
    expect(shown?.replica.get('user', 'u1')).not.toHaveProperty('email');
    expect(asked).toContain('/api/campaigns/k1/placements 17 page 2');
    expect(asked.every((one) => one.includes(' 17'))).toBe(true);
    expect(view.live.scopeStatus('campaign:k1').kind).toBe('ready');
  });

  test('TSL-30 the licence is as it stands now but for the price of a lead, and nothing else of now is among the documents', async () => {
    const { view, now, until, settle } = setUp();
    const licence = { id: 'l', settings: { leadValue: 100, buyersEditAll: true } } as LicenseWire;
    const me = { id: 'u1', revision: 5, name: 'Анна Новая' } as PersonWire;
    now.apply({ scope: 'workspace', position: 40, last: true, docs: [arrived('license', licence)] });
    now.apply({ scope: 'me', position: 40, last: true, docs: [arrived('person', me)] });
    view.live.hold('workspace');
    view.live.hold('me');
    view.show('17');
    settle();
    await until(() => view.state().shown !== null);
    const { replica } = view.state().shown ?? {};
    expect(replica?.all('license').map(({ settings }) => settings)).toEqual([{ leadValue: 55, buyersEditAll: true }]);
    expect(replica?.get('person', 'u1')?.name).toBe('Анна');
  });

  test('TSL-11 the former moment stays painted; of many that are passed only the last one is read', async () => {
    const { view, asked, aborted, until, settle, hang } = setUp();
    view.show('10');
    settle();
    await until(() => view.state().shown !== null);
    const go = hang();
    view.show('11');
    view.show('12');
    settle();
    expect([view.state().shown?.position, view.state().loading]).toEqual([10, true]);
    view.show('13');
    settle();
    go();
    await until(() => view.state().shown?.position === 13);
    expect(asked.some((one) => one.endsWith(' 11'))).toBe(false);
    expect(new Set(aborted)).toEqual(new Set(['10', '12']));
  });

  test('TSL-12 a refusal is told in words over what was painted, and can be asked again', async () => {
    const { view, until, settle, refuse } = setUp();
    view.show('10');
    settle();
    await until(() => view.state().shown !== null);
    refuse(() => new ApiProblem({ code: 'VALIDATION_FAILED', status: 422, message: 'Этот момент ещё не наступил' }));
    view.show('99');
    settle();
    await until(() => view.state().problem !== null);
    expect([view.state().problem?.message, view.state().shown?.position]).toEqual(['Этот момент ещё не наступил', 10]);
    refuse(null);
    view.retry();
    settle();
    await until(() => view.state().shown?.position === 99);
    expect(view.state().problem).toBeNull();
  });

  test('TSL-13 what was not there yet is refused by itself; what is held stays held on the line of now', async () => {
    const { view, held, until, settle, refuse } = setUp();
    refuse((path) =>
      path.startsWith('/api/campaigns/k1/')
        ? new ApiProblem({ code: 'NOT_FOUND', status: 404, message: 'Кампания не найдена' })
        : null,
    );
    view.show('10');
    settle();
    await until(() => view.state().shown !== null);
    const release = view.live.hold('campaign:k1');
    expect([held, view.live.scopeStatus('campaign:k1').kind]).toEqual([['campaign:k1'], 'loading']);
    await until(() => view.live.scopeStatus('campaign:k1').kind === 'refused');
    release();
    expect(held).toEqual([]);
    view.leave();
    expect(view.state()).toEqual({ asked: null, shown: null, loading: false, problem: null });
  });

  test('TSL-1200 what is held while the last lists of a moment are read is read too, however late it comes', async () => {
    const { view, asked, until, settle, hang } = setUp();
    view.show('10');
    settle();
    await until(() => view.state().shown !== null);
    const first = hang();
    view.show('11');
    settle();
    view.live.hold('campaign:k1');
    const second = hang();
    first();
    await expect.poll(() => asked).toContain('/api/campaigns/k1/analytics 11');
    view.live.hold('contractor:c1');
    second();
    await until(() => view.state().shown?.position === 11);
    expect(view.live.scopeStatus('campaign:k1').kind).toBe('ready');
    expect(asked).toContain('/api/contractors/c1 11');
    expect(view.live.scopeStatus('contractor:c1').kind).toBe('ready');
  });

  test('TSL-1201 a moment knows when it was from the answers it is made of; one that is given up changes nothing, however late', async () => {
    const { view, until, settle, hang } = setUp();
    const former = hang();
    view.show('10');
    settle();
    expect(view.state().shown).toBeNull();
    const latter = hang();
    view.show('11');
    settle();
    latter();
    await until(() => view.state().shown !== null);
    const shown = { position: 11, instant: '2026-11-14T15:42:11.000Z' };
    expect(view.state().shown).toMatchObject(shown);
    former();
    await new Promise((resolve) => setImmediate(resolve));
    expect(view.state()).toMatchObject({ shown, loading: false, problem: null });
  });

  test('TSL-14 a time is the position of its answer, and the same moment under that name is not read again', async () => {
    const { view, asked, until, settle } = setUp();
    view.show('2026-11-14T15:42:07.000Z');
    settle();
    await until(() => view.state().shown !== null);
    expect(view.state().shown?.position).toBe(40);
    const before = asked.length;
    view.show('40');
    settle();
    expect([asked.length, view.state().loading]).toEqual([before, false]);
  });
});
