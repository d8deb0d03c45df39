import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { lineWatch } from './line-watch.ts';
import type { LiveSocket } from './outgoing.ts';
import { presenceBoard } from './presence.ts';

/** A line that answers each question after so many milliseconds, null = never, and what it was sent. */
const line = (answersIn: number | null) => {
  const state = { answersIn, pings: 0 };
  const sent: { readonly people: readonly { readonly userId: string }[] }[] = [];
  const conn = Object.assign(new EventEmitter(), {
    writeBuffer: [],
    transport: {},
    readyState: 'open',
    sendPacket: () => {
      state.pings += 1;
      if (state.answersIn !== null) setTimeout(() => conn.emit('packet', { type: 'pong' }), state.answersIn);
    },
  });
  const emit = (_event: string, message: (typeof sent)[number]) => void sent.push(message);
  const socket = { conn, emit } as unknown as LiveSocket;
  return { state, socket, conn, shown: () => sent.at(-1)?.people.map(({ userId }) => userId) };
};
const now = (): number => performance.now();

describe('watch over lines', () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('LWT-1 a line that dies without a word falls silent within five seconds, and is there again once it is heard', () => {
    for (const died of [0, 300, 990, 1_700]) {
      const watch = lineWatch({ now });
      const { state, socket } = line(50);
      const begun = now();
      const at: number[] = [];
      const unfollow = watch.follow(socket, () => at.push(now() - begun));
      vi.advanceTimersByTime(20_000 + died);
      expect(at, 'it answers').toEqual([]);
      state.answersIn = null;
      vi.advanceTimersByTime(5_000);
      expect(at, `died at ${died}`).toHaveLength(1);
      expect(watch.isSilent(socket)).toBe(true);
      state.answersIn = 50;
      vi.advanceTimersByTime(2_100);
      expect(at).toHaveLength(2);
      expect(watch.isSilent(socket)).toBe(false);
      unfollow();
    }
  });

  it('LWT-2 asks a quiet line every other second, and one that speaks by itself not at all', () => {
    const watch = lineWatch({ now });
    const [quiet, busy] = [line(20), line(20)];
    const told = vi.fn<() => void>();
    watch.follow(quiet.socket, told);
    watch.follow(busy.socket, told);
    const speaking = setInterval(() => busy.conn.emit('packet', { type: 'message' }), 400);
    vi.advanceTimersByTime(20_500);
    clearInterval(speaking);
    expect(quiet.state.pings).toBeGreaterThanOrEqual(9);
    expect(quiet.state.pings).toBeLessThanOrEqual(11);
    expect(busy.state.pings).toBe(0);
    expect(told).not.toHaveBeenCalled();
  });

  it('LWT-3 a slow network, two seconds for an answer, makes nobody vanish', () => {
    const watch = lineWatch({ now });
    const { socket } = line(2_000);
    const told = vi.fn<() => void>();
    watch.follow(socket, told);
    vi.advanceTimersByTime(60_000);
    expect(told).not.toHaveBeenCalled();
  });

  it('LWT-4 a look that comes late blames no line: what it said waits to be read', () => {
    let skipped = 0;
    const watch = lineWatch({ now: () => now() + skipped });
    const { state, socket } = line(50);
    const told = vi.fn<() => void>();
    watch.follow(socket, told);
    vi.advanceTimersByTime(4_000);
    skipped = 6_000;
    vi.advanceTimersByTime(2_500);
    expect(told).not.toHaveBeenCalled();
    state.answersIn = null;
    vi.advanceTimersByTime(5_000);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it.each([
    [2_000, true],
    [2_001, false],
  ])('LWT-8 a look %i ms after the one before judges: %s', (gap, judges) => {
    let busy = 0;
    const watch = lineWatch({ now: () => now() + busy });
    const { socket } = line(null);
    const told = vi.fn<() => void>();
    watch.follow(socket, told);
    vi.advanceTimersByTime(3_000);
    expect(told).not.toHaveBeenCalled();
    busy = gap - 1_000;
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveBeenCalledTimes(judges ? 1 : 0);
    vi.advanceTimersByTime(1_000);
    expect(told).toHaveBeenCalledTimes(1);
  });

  it('LWT-5 follows each line once for all who ask, and looks at nothing when nobody does', () => {
    const watch = lineWatch({ now });
    const { state, socket, conn } = line(null);
    const at: number[] = [];
    const follow = () => watch.follow(socket, () => at.push(now()));
    const [first, second] = [follow(), follow()];
    expect(conn.listenerCount('packet')).toBe(1);
    first();
    first();
    vi.advanceTimersByTime(5_000);
    expect(at).toHaveLength(1);
    second();
    expect(watch.isSilent(socket)).toBe(false);
    expect(conn.listenerCount('packet')).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
    const before = state.pings;
    vi.advanceTimersByTime(60_000);
    expect(state.pings).toBe(before);
    expect(at).toHaveLength(1);
  });

  it('LWT-6 a closed line is asked nothing', () => {
    const watch = lineWatch({ now });
    const { state, socket, conn } = line(50);
    watch.follow(socket, () => undefined);
    conn.readyState = 'closed';
    vi.advanceTimersByTime(10_000);
    expect(state.pings).toBe(0);
  });

  it('LWT-7 who is silent is shown to nobody, neither to those who are there nor to who comes, until heard again', () => {
    const watch = lineWatch({ now });
    const [anna, ilya, late] = [line(50), line(50), line(50)];
    const board = presenceBoard({
      scope: 'campaign:c',
      sockets: () => [anna.socket, ilya.socket],
      watch,
      bufferLimit: 1_000,
    });
    for (const [{ socket }, userId] of [
      [anna, 'anna'],
      [ilya, 'ilya'],
    ] as const)
      board.set(socket, { sessionId: userId, userId, name: userId }, null);
    vi.advanceTimersByTime(10_000);
    expect(ilya.shown()).toEqual(['anna', 'ilya']);
    anna.state.answersIn = null;
    vi.advanceTimersByTime(5_000);
    expect(ilya.shown()).toEqual(['ilya']);
    board.welcome(late.socket);
    expect(late.shown()).toEqual(['ilya']);
    anna.state.answersIn = 50;
    vi.advanceTimersByTime(2_200);
    expect(ilya.shown(), 'where they stood before').toEqual(['anna', 'ilya']);
    board.leave(anna.socket);
    vi.advanceTimersByTime(100);
    expect(ilya.shown()).toEqual(['ilya']);
    board.stop();
    expect(vi.getTimerCount()).toBe(0);
  });
});
