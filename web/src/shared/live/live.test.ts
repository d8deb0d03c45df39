import type { Changes, PatchingChanges } from '@zakup/contracts/socket';
import { describe, expect, it } from 'vitest';
import { memoryReplica } from '../replica/replica.ts';
import { lingerTime, retryTime } from './held-scopes.ts';
import { liveConnection, type LiveSocket } from './live.ts';
import { firstWait, longestWait } from './reconnection.ts';

type Handler = (...args: unknown[]) => void;
interface Call {
  readonly event: string;
  readonly message: { scope?: string; since?: number; token?: string };
  readonly ack: (error: Error | null, answer?: unknown) => void;
  /** Milliseconds that it waits for an answer. */
  readonly patience: number;
}

/** The other end of the line, worked by hand. */
const handSocket = () => {
  const handlers = new Map<string, Handler>();
  const calls: Call[] = [];
  const emitWithin =
    (patience: number) =>
    (event: string, message: Call['message'], ack: Call['ack'] = () => undefined): void => {
      calls.push({ event, message, ack, patience });
    };
  const socket = {
    connected: false,
    connects: 0,
    connect() {
      socket.connects += 1;
      return socket;
    },
    disconnect() {
      socket.connected = false;
      return socket;
    },
    on: (event: string, handler: Handler) => {
      handlers.set(event, handler);
      return socket;
    },
    off: () => socket,
    emit: emitWithin(0),
    timeout: (patience: number) => ({ emit: emitWithin(patience) }),
  };
  return {
    socket,
    calls,
    fire: (event: string, ...args: unknown[]) => {
      if (event === 'connect') socket.connected = true;
      if (event === 'disconnect') socket.connected = false;
      handlers.get(event)?.(...args);
    },
  };
};

const atOnce = (run: () => void): void => run();

const setUp = (beforePaint = atOnce) => {
  const line = handSocket();
  const timers: { run: () => void; ms: number }[] = [];
  const ended: string[] = [];
  const misfits: (readonly [string, number])[] = [];
  const handshakes: object[] = [];
  let refreshed = 0;
  const replica = memoryReplica();
  const live = liveConnection({
    replica,
    socket: (auth) => {
      auth((data) => handshakes.push(data));
      return line.socket as unknown as LiveSocket;
    },
    token: async () => 'token',
    refreshToken: async () => {
      refreshed += 1;
    },
    onSessionEnded: async (code) => {
      ended.push(code);
      throw new Error('signed out');
    },
    onMisfit: (scope, position) => misfits.push([scope, position]),
    clock: {
      now: () => 5000,
      setTimeout: (run, ms) => {
        const timer = { run, ms };
        timers.push(timer);
        return timer;
      },
      clearTimeout: (handle) => {
        const at = timers.findIndex((timer) => timer === handle);
        if (at >= 0) timers.splice(at, 1);
      },
    },
    chance: () => 1,
    beforePaint,
  });
  live.start();
  return { line, live, replica, timers, ended, misfits, handshakes, refreshed: () => refreshed };
};
const changes = (scope: string, position: number, ids: readonly string[] = [], last = true): Changes => ({
  scope,
  position,
  docs: ids.map((id) => ({ kind: 'channel', id, position, doc: { id } })),
  last,
});
const accept = (call: Call | undefined, reset = false): void => call?.ack(null, { ok: true, position: 1, reset });

describe('live', () => {
  it('LV-1 subscribes once however many hold the scope and lets go after the last one, with a pause', () => {
    const { line, live, timers } = setUp();
    line.fire('connect');
    const first = live.hold('workspace');
    const second = live.hold('workspace');
    expect(line.calls.map((call) => call.event)).toEqual(['subscribe']);
    first();
    first();
    expect(timers).toEqual([]);
    second();
    expect(timers.map((timer) => timer.ms)).toEqual([lingerTime]);
    live.hold('workspace')();
    timers.at(-1)?.run();
    expect(line.calls.map((call) => call.event)).toEqual(['subscribe', 'unsubscribe']);
  });

  it('LV-2 says offline, catching up, online as it is', () => {
    const { line, live } = setUp();
    live.hold('workspace');
    expect(live.status().state).toBe('offline');
    line.fire('connect');
    expect(live.status().state).toBe('catching_up');
    accept(line.calls[0], true);
    line.fire('changes', changes('workspace', 3, ['a'], false));
    expect(live.scopeStatus('workspace').kind).toBe('loading');
    line.fire('changes', changes('workspace', 4, ['b']));
    expect(live.status().state).toBe('online');
    expect(live.scopeStatus('workspace').kind).toBe('ready');
    line.fire('disconnect', 'transport close');
    expect(live.status()).toMatchObject({ state: 'offline', announced: false, dataAt: 5000 });
    expect(live.scopeStatus('workspace').kind).toBe('ready');
  });

  it('LV-16 says how far a long load is, once for each percent, from the beginning again after a break', () => {
    const { line, live } = setUp();
    live.hold('campaign:c');
    line.fire('connect');
    accept(line.calls[0]);
    const told: unknown[] = [];
    live.subscribe(() => told.push(live.scopeStatus('campaign:c')));
    const partOf = (sent: number, total: number) =>
      line.fire('changes', { ...changes('campaign:c', 3, [], false), progress: { sent, total } });
    partOf(250, 400);
    expect(told).toEqual([]);
    for (const sent of [250, 500, 750, 1250]) partOf(sent, 100_000);
    expect(told).toEqual([
      { kind: 'loading', progress: { sent: 250, total: 100_000 } },
      { kind: 'loading', progress: { sent: 1250, total: 100_000 } },
    ]);
    line.fire('disconnect', 'transport close');
    expect(live.scopeStatus('campaign:c')).toEqual({ kind: 'loading' });
    line.fire('connect');
    accept(line.calls.at(-1));
    partOf(250, 100_000);
    line.fire('reset', { scope: 'campaign:c' });
    expect(live.scopeStatus('campaign:c')).toEqual({ kind: 'loading' });
    accept(line.calls.at(-1));
    line.fire('changes', changes('campaign:c', 3, ['a']));
    expect(live.scopeStatus('campaign:c')).toEqual({ kind: 'ready' });
    partOf(500, 100_000);
    expect(live.scopeStatus('campaign:c')).toEqual({ kind: 'ready' });
  });

  it('LV-15 tells of a lost line within three seconds of its loss, and takes it back at once when it is there again', () => {
    const { line, live, timers } = setUp();
    line.fire('connect');
    const told: boolean[] = [];
    live.subscribe(() => told.push(live.status().announced));
    line.fire('disconnect', 'transport close');
    expect(live.status().announced).toBe(false);
    const [quiet] = timers;
    expect(quiet?.ms).toBe(2_000);
    quiet?.run();
    expect(live.status()).toMatchObject({ state: 'offline', announced: true, dataAt: 5000 });
    expect(told.at(-1), 'whoever watches is told').toBe(true);
    line.fire('connect');
    expect(live.status().announced).toBe(false);
  });

  it('LV-1521 says when it tries again: each time later, up to the longest wait; at once when asked to', () => {
    const { line, live, timers } = setUp();
    const waits = (): number[] => timers.map(({ ms }) => ms);
    const retryIn = (): number | undefined => {
      const { retryAt } = live.status();
      return retryAt === undefined ? undefined : retryAt - 5000;
    };
    line.fire('connect');
    expect(live.status().retryAt).toBeUndefined();
    line.fire('disconnect', 'transport close');
    expect([retryIn(), waits()]).toEqual([1000, [2000, 1000]]);
    const tried: (number | undefined)[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      timers.pop()?.run();
      expect(live.status().retryAt, 'an attempt is under way').toBeUndefined();
      line.fire('connect_error', new Error('xhr poll error'));
      line.fire('disconnect', 'transport error');
      tried.push(retryIn());
    }
    expect(tried).toEqual([2000, 4000, longestWait, longestWait]);
    expect(line.socket.connects).toBe(5);

    live.retryNow();
    expect([line.socket.connects, live.status().retryAt, waits()]).toEqual([6, undefined, [2000]]);
    line.fire('connect_error', new Error('xhr poll error'));
    expect(retryIn()).toBe(firstWait);
    line.fire('connect');
    expect([live.status().retryAt, waits()]).toEqual([undefined, []]);
  });

  it('LV-1522 what the server itself refuses is asked for at an even pace, and once it is stopped nothing is tried', () => {
    const { line, live, timers } = setUp();
    const error = 'Открыто слишком много вкладок. Закройте лишние';
    for (const _ of [1, 2, 3]) {
      line.fire('connect_error', Object.assign(new Error(error), { data: { code: 'RATE_LIMITED', error } }));
      expect(live.status().retryAt).toBe(5000 + retryTime);
      timers.pop()?.run();
    }
    line.fire('connect_error', new Error('xhr poll error'));
    live.stop();
    expect(timers).toEqual([]);
    expect(line.socket.connects).toBe(4);
  });

  it('LV-3 after a break asks for what came since the last complete position', () => {
    const { line, live } = setUp();
    live.hold('workspace');
    line.fire('connect');
    accept(line.calls[0], true);
    line.fire('changes', changes('workspace', 7, ['a']));
    line.fire('changes', changes('workspace', 9, ['b'], false));
    line.fire('disconnect', 'transport close');
    line.fire('connect');
    expect(line.calls.at(-1)?.message).toEqual({ scope: 'workspace', since: 7 });
  });

  it('LV-4 a reset loads anew, without since, and takes nothing of the old subscription meanwhile', () => {
    const { line, live, replica } = setUp();
    live.hold('workspace');
    line.fire('connect');
    accept(line.calls[0], true);
    line.fire('changes', changes('workspace', 7, ['a', 'b']));
    line.fire('reset', { scope: 'workspace' });
    expect(line.calls.at(-1)?.message).toEqual({ scope: 'workspace' });
    line.fire('changes', changes('workspace', 8, ['c']));
    expect(replica.all('channel').map((channel) => channel.id)).toEqual(['a', 'b']);
    accept(line.calls.at(-1), true);
    line.fire('changes', changes('workspace', 7, ['b']));
    expect(replica.all('channel').map((channel) => channel.id)).toEqual(['b']);
  });

  it('RP-26 what is asked for after a reset counts for more than what another scope was told before', () => {
    const { line, live, replica } = setUp();
    for (const scope of ['workspace', 'campaign:c']) live.hold(scope);
    line.fire('connect');
    for (const call of line.calls.slice(0, 2)) accept(call, true);
    for (const scope of ['workspace', 'campaign:c']) line.fire('changes', changes(scope, 7, ['a']));
    line.fire('reset', { scope: 'workspace' });
    accept(line.calls.at(-1));
    const rebuilt = { kind: 'channel', id: 'a', position: 5, doc: { id: 'a', name: 'rebuilt' } } as const;
    line.fire('changes', { ...changes('workspace', 7), docs: [rebuilt] });
    expect(replica.get('channel', 'a')).toEqual(rebuilt.doc);
  });

  it('LV-5 a refused scope says why and holds nothing up', () => {
    const { line, live } = setUp();
    live.hold('campaign:x');
    line.fire('connect');
    line.calls[0]?.ack(null, { ok: false, problem: { code: 'NOT_FOUND', error: 'нет' } });
    expect(live.scopeStatus('campaign:x')).toMatchObject({ kind: 'refused', problem: { code: 'NOT_FOUND' } });
    expect(live.status().state).toBe('online');
    live.retryNow();
    expect(live.scopeStatus('campaign:x').kind).toBe('loading');
    expect(line.calls).toHaveLength(2);
  });

  it('LV-9 what was refused is asked for again by whoever comes back to it', () => {
    const { line, live } = setUp();
    const release = live.hold('campaign:x');
    line.fire('connect');
    line.calls[0]?.ack(null, { ok: false, problem: { code: 'NOT_FOUND', error: 'нет' } });
    live.hold('campaign:x')();
    expect(line.calls).toHaveLength(1);
    release();
    live.hold('campaign:x');
    expect(live.scopeStatus('campaign:x').kind).toBe('loading');
    expect(line.calls.map(({ event }) => event)).toEqual(['subscribe', 'subscribe']);
  });

  it('LV-10 a licence that lets nobody in ends the session, at a greeting too', () => {
    const { line, ended, timers } = setUp();
    line.fire('connect_error', Object.assign(new Error('нет'), { data: { code: 'LICENSE_INACTIVE', error: 'нет' } }));
    expect(ended).toEqual(['LICENSE_INACTIVE']);
    expect(
      timers.map(({ ms }) => ms),
      'no further attempt: only the lost line is to be told of',
    ).toEqual([2_000]);
  });

  it('LV-6 an ended session is handed on; a stopping server is only waited for', async () => {
    const { line, ended, timers } = setUp();
    line.fire('connect');
    line.fire('session-ended', { code: 'SERVER_STOPPING', message: '' });
    expect(ended).toEqual([]);
    expect(timers).toHaveLength(1);
    line.fire('session-ended', { code: 'SESSION_REVOKED', message: '' });
    expect(ended).toEqual(['SESSION_REVOKED']);
  });

  it('LV-7 a refused token is renewed before the next attempt', async () => {
    const { line, refreshed } = setUp();
    line.fire('connect_error', Object.assign(new Error('no'), { data: { code: 'UNAUTHENTICATED' } }));
    expect(refreshed()).toBe(1);
  });

  it('LIM-1365 a line that the server has too many of says so until it is open', () => {
    const { line, live } = setUp();
    const error = 'Открыто слишком много вкладок. Закройте лишние';
    line.fire('connect_error', Object.assign(new Error(error), { data: { code: 'RATE_LIMITED', error } }));
    expect(live.status().refused).toBe(error);
    line.fire('connect');
    expect(live.status().refused).toBe(undefined);
  });

  it('LIM-1376 a scope for which the server has no turn now goes on loading, and is asked for again by itself', () => {
    const { line, live, timers } = setUp();
    live.hold('campaign:k');
    line.fire('connect');
    const error = 'Ваша команда открывает сейчас слишком много сразу. Повторите через несколько секунд';
    line.calls[0]?.ack(null, { ok: false, problem: { code: 'RATE_LIMITED', error } });
    expect(live.scopeStatus('campaign:k')).toEqual({ kind: 'loading' });
    expect(live.status()).toMatchObject({ state: 'catching_up', announced: false });
    expect(timers.map(({ ms }) => ms)).toEqual([3_000]);
    timers[0]?.run();
    expect(line.calls.map(({ event, message }) => [event, message])).toEqual([
      ['subscribe', { scope: 'campaign:k' }],
      ['subscribe', { scope: 'campaign:k' }],
    ]);
    accept(line.calls[1]);
    line.fire('changes', changes('campaign:k', 4, ['a']));
    expect(live.scopeStatus('campaign:k').kind).toBe('ready');
    expect(live.status().state).toBe('online');
  });

  it('LV-2360 a scope that is not answered is asked for on a fresh line and waited for twice as long, until it is answered', () => {
    const { line, live } = setUp();
    line.fire('connect');
    live.hold('campaign:long');
    const connects = () => line.socket.connects;
    const before = connects();
    for (let times = 0; times < 6; times += 1) {
      line.calls.at(-1)?.ack(new Error('operation has timed out'));
      expect(connects()).toBe(before + times + 1);
      line.fire('connect');
    }
    const asked = line.calls.filter(({ event }) => event === 'subscribe');
    expect(asked.map(({ patience }) => patience / 1000)).toEqual([10, 20, 40, 80, 160, 160, 160]);

    accept(line.calls.at(-1));
    line.fire('disconnect', 'transport close');
    line.fire('connect');
    expect(line.calls.at(-1)?.patience).toBe(10_000);
    // A line that broke says nothing of how long the answer takes.
    line.fire('disconnect', 'transport close');
    line.calls.at(-1)?.ack(new Error('socket has been disconnected'));
    line.fire('connect');
    expect(line.calls.at(-1)?.patience).toBe(10_000);
  });

  it('LV-8 a renewed token goes over the open line', () => {
    const { line, live } = setUp();
    live.renew('new');
    expect(line.calls).toEqual([]);
    line.fire('connect');
    live.renew('new');
    expect(line.calls[0]).toMatchObject({ event: 'renew', message: { token: 'new' } });
  });

  it('PATCH-20 asks for patches, takes those that fit, and loads the scope anew when one does not', async () => {
    const { line, live, replica, misfits, handshakes } = setUp();
    await Promise.resolve();
    expect(handshakes).toEqual([{ token: 'token', protocolVersion: 1, patches: true }]);
    live.hold('workspace');
    line.fire('connect');
    accept(line.calls[0]);
    line.fire('changes', changes('workspace', 7, ['a']));
    const patch = (position: number, base: number): PatchingChanges => ({
      scope: 'workspace',
      position,
      docs: [{ kind: 'channel', id: 'a', position, base, patch: { name: [`v${position}`] } }],
      last: true,
    });
    line.fire('changes', patch(8, 7));
    expect(replica.all('channel')).toEqual([{ id: 'a', name: 'v8' }]);
    expect(misfits).toEqual([]);
    line.fire('changes', patch(10, 9));
    expect(misfits).toEqual([['workspace', 10]]);
    expect(line.calls.at(-1)).toMatchObject({ event: 'subscribe', message: { scope: 'workspace' } });
    expect(line.calls.at(-1)?.message.since).toBeUndefined();
    line.fire('changes', patch(11, 10));
    expect(misfits).toHaveLength(1);
    expect(replica.all('channel')).toEqual([{ id: 'a', name: 'v8' }]);
    accept(line.calls.at(-1));
    line.fire('changes', changes('workspace', 12, ['a']));
    expect(replica.all('channel')).toEqual([{ id: 'a' }]);
    expect(live.status().state).toBe('online');
  });

  it('PRS-1 shows where one stands once the scope is open, again after a break, and of many steps only the last', () => {
    const { line, live, timers } = setUp();
    const said = () => line.calls.filter((call) => call.event === 'presence').map((call) => call.message);
    const cell = (field: string) => ({ placementId: 'p', field, mode: 'viewing' as const });
    live.hold('campaign:c');
    live.present('campaign:c', null);
    line.fire('connect');
    expect(said()).toEqual([]);
    accept(line.calls[0]);
    expect(said()).toEqual([{ scope: 'campaign:c', focus: null }]);
    live.present('campaign:c', cell('price'));
    live.present('campaign:c', cell('leads'));
    expect(said()).toHaveLength(1);
    timers.pop()?.run();
    expect(said()).toEqual([
      { scope: 'campaign:c', focus: null },
      { scope: 'campaign:c', focus: cell('leads') },
    ]);
    timers.pop()?.run();
    line.fire('disconnect', 'transport close');
    line.fire('connect');
    expect(said()).toHaveLength(2);
    accept(line.calls.at(-1));
    expect(said().at(-1)).toEqual({ scope: 'campaign:c', focus: cell('leads') });
  });

  it('PRS-2 knows who is there as last heard, nobody while the line is down, nothing of scopes let go', () => {
    const { line, live, timers } = setUp();
    const anna = { sessionId: 's', userId: 'u', name: 'Анна', focus: null };
    const release = live.hold('campaign:c');
    line.fire('connect');
    accept(line.calls[0]);
    line.fire('presence', { scope: 'campaign:other', people: [anna] });
    line.fire('presence', { scope: 'campaign:c', people: [anna] });
    expect(live.people('campaign:other')).toEqual([]);
    expect(live.people('campaign:c')).toEqual([anna]);
    line.fire('disconnect', 'transport close');
    expect(live.people('campaign:c')).toEqual([]);
    line.fire('connect');
    line.fire('presence', { scope: 'campaign:c', people: [anna] });
    release();
    expect(lingerTime).toBeLessThan(5000);
    timers.at(-1)?.run();
    expect(live.people('campaign:c')).toEqual([]);
    expect(line.calls.at(-1)?.event).toBe('unsubscribe');
  });

  it('GRD-3002 what arrives within a frame is drawn once, in the order in which it came', () => {
    const frames: (() => void)[] = [];
    const { line, live, replica } = setUp((run) => frames.push(run));
    live.hold('workspace');
    line.fire('connect');
    accept(line.calls[0]);
    line.fire('changes', changes('workspace', 1, ['a', 'b']));
    expect(frames).toEqual([]);
    let heard = 0;
    replica.subscribe(() => {
      heard += 1;
    });
    const named = (position: number, id: string): Changes => ({
      ...changes('workspace', position),
      docs: [{ kind: 'channel', id, position, doc: { id, name: `v${position}` } }],
    });
    for (let position = 2; position < 12; position += 1)
      line.fire('changes', named(position, position % 2 ? 'a' : 'b'));
    expect([heard, frames.length]).toEqual([0, 1]);
    frames.pop()?.();
    expect(heard).toBe(1);
    expect(replica.all('channel')).toEqual([
      { id: 'a', name: 'v11' },
      { id: 'b', name: 'v10' },
    ]);
    expect(replica.position('workspace')).toBe(11);
    line.fire('changes', named(12, 'a'));
    expect(frames).toHaveLength(1);
  });

  it('GRD-3003 a load waits for no frame, and comes after the changes that do', () => {
    const frames: (() => void)[] = [];
    const { line, live, replica } = setUp((run) => frames.push(run));
    live.hold('workspace');
    live.hold('campaign:c');
    line.fire('connect');
    accept(line.calls[0]);
    accept(line.calls[1]);
    line.fire('changes', changes('workspace', 1, ['a']));
    line.fire('changes', changes('workspace', 2, ['b']));
    expect(replica.all('channel')).toHaveLength(1);
    line.fire('changes', changes('campaign:c', 2, ['c'], false));
    expect(replica.all('channel')).toHaveLength(2);
    line.fire('changes', changes('campaign:c', 2, ['d']));
    expect(replica.all('channel')).toHaveLength(4);
    expect(live.scopeStatus('campaign:c').kind).toBe('ready');
  });

  it('GRD-3004 what waits of a scope that is asked for anew is not taken for a load of it', () => {
    const frames: (() => void)[] = [];
    const { line, live, replica } = setUp((run) => frames.push(run));
    live.hold('workspace');
    line.fire('connect');
    accept(line.calls[0]);
    line.fire('changes', changes('workspace', 1, ['a', 'b']));
    line.fire('changes', changes('workspace', 2, ['a']));
    line.fire('reset', { scope: 'workspace' });
    accept(line.calls.at(-1), true);
    frames.pop()?.();
    expect(replica.all('channel')).toHaveLength(2);
    expect(replica.position('workspace')).toBeNull();
  });

  it('GRD-3016 a message that cannot be taken over keeps none of the others of its turn from it, and its scope is asked for anew', () => {
    const frames: (() => void)[] = [];
    const { line, live, replica } = setUp((run) => frames.push(run));
    live.hold('workspace');
    live.hold('campaign:c');
    line.fire('connect');
    accept(line.calls[0]);
    accept(line.calls[1]);
    line.fire('changes', changes('workspace', 1, ['a']));
    line.fire('changes', changes('campaign:c', 1, ['c']));
    const asked = line.calls.length;
    line.fire('changes', { ...changes('workspace', 2, ['b']), docs: null });
    line.fire('changes', changes('campaign:c', 2, ['d']));
    expect(() => frames.pop()?.()).toThrow(TypeError);
    expect(replica.all('channel')).toHaveLength(3);
    expect(line.calls.slice(asked).map(({ event, message }) => [event, message.scope])).toEqual([
      ['subscribe', 'workspace'],
    ]);
  });

  it('GRD-3005 what waits when the line breaks is taken over, and not asked for again', () => {
    const frames: (() => void)[] = [];
    const { line, live } = setUp((run) => frames.push(run));
    live.hold('workspace');
    line.fire('connect');
    accept(line.calls[0]);
    line.fire('changes', changes('workspace', 1, ['a']));
    line.fire('changes', changes('workspace', 2, ['b']));
    line.fire('disconnect', 'transport close');
    line.fire('connect');
    expect(line.calls.at(-1)?.message.since).toBe(2);
  });
});
