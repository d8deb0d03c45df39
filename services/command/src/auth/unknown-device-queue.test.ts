import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type UnknownDeviceQueue, unknownDeviceQueue } from './unknown-device-queue.ts';

describe('the queue of unknown devices', () => {
  let queue: UnknownDeviceQueue;
  let looked: string[] = [];
  let release: (() => void)[] = [];
  beforeEach(() => {
    vi.useFakeTimers();
    queue = unknownDeviceQueue();
    looked = [];
    release = [];
  });
  afterEach(() => vi.useRealTimers());

  const here = (): boolean => false;
  /** `name`: its first letter is the address. */
  const comes = (name: string, isGone = here): Promise<string | undefined> =>
    queue.look(name.charAt(0), isGone, async () => {
      looked.push(name);
      await new Promise<void>((resolve) => {
        release.push(resolve);
      });
      return name;
    });
  /** The look under way ends, and the rest after it. */
  const goOn = async (): Promise<void> => {
    await vi.advanceTimersByTimeAsync(0);
    release.shift()?.();
    await vi.advanceTimersByTimeAsync(250);
  };

  test('SIG-94 addresses take turns, however many tries one of them has in line', async () => {
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1'].map((name) => comes(name));
    for (let index = 0; index < all.length; index += 1) await goOn();
    expect(looked).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'a4']);
    expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1']);
  });

  test('SIG-95 room is made by the last of the address with most in line, for one that has less', async () => {
    const [first, second, third, other] = ['a1', 'a2', 'a3', 'b1'].map((name) => comes(name));
    expect(queue.makeRoomFor('a')).toBe(false);
    expect(queue.makeRoomFor('c')).toBe(true);
    expect(await third).toBeUndefined();
    expect(queue.makeRoomFor('c')).toBe(false);
    for (let index = 0; index < 3; index += 1) await goOn();
    expect(await Promise.all([first, second, other])).toEqual(['a1', 'a2', 'b1']);
    expect(looked).toEqual(['a1', 'a2', 'b1']);
  });

  test('SIG-96 who has hung up is not looked at, and holds nobody up', async () => {
    const gone = () => true;
    const all = [comes('a1'), comes('b1', gone), comes('c1', gone), comes('d1')];
    await goOn();
    expect(looked).toEqual(['a1', 'd1']);
    await goOn();
    expect(await Promise.all(all)).toEqual(['a1', undefined, undefined, 'd1']);
    const next = comes('e1');
    await goOn();
    expect(await next).toBe('e1');
  });

  test('SIG-97 a look that does not end holds the line up for fifteen seconds, and one that fails for no longer than another', async () => {
    const never = comes('a1');
    const second = comes('b1');
    await vi.advanceTimersByTimeAsync(14_000);
    expect(looked).toEqual(['a1']);
    await vi.advanceTimersByTimeAsync(1_300);
    expect(looked).toEqual(['a1', 'b1']);
    release.shift()?.();
    expect(await never).toBe('a1');
    await goOn();
    expect(await second).toBe('b1');
    const failing = queue.look('a', here, () => Promise.reject(new Error('away')));
    const after = comes('b2');
    await expect(failing).rejects.toThrow('away');
    await vi.advanceTimersByTimeAsync(250);
    await goOn();
    expect(await after).toBe('b2');
  });
});
