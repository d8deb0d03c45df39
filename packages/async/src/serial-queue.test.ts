import { expect, test } from 'vitest';
import { keyedSerialQueue, serialQueue } from './serial-queue.ts';

/** Works that end when they are told to. */
const works = () => {
  const begun: string[] = [];
  const ends = new Map<string, { readonly ok: () => void; readonly fail: () => void }>();
  const begin = (name: string) => () =>
    new Promise<string>((resolve, reject) => {
      begun.push(name);
      ends.set(name, { ok: () => resolve(name), fail: () => reject(new Error(name)) });
    });
  return { begun, begin, end: (name: string) => ends.get(name)?.ok(), fail: (name: string) => ends.get(name)?.fail() };
};
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

test('ASY-1 one runs at a time, in the order of asking, and a failure ends only its own work', async () => {
  const { begun, begin, end, fail } = works();
  const queue = serialQueue();
  const all = Promise.allSettled(['a', 'b', 'c'].map((name) => queue.run(begin(name))));
  expect(begun).toEqual(['a']);
  fail('a');
  await settled();
  expect(begun).toEqual(['a', 'b']);
  end('b');
  await settled();
  end('c');
  expect((await all).map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
  expect(queue.isBusy()).toBe(false);
});

test('ASY-2 what is read waits for what runs, and for nothing else', async () => {
  const { begin, end } = works();
  const queue = serialQueue();
  let value = 1;
  expect(await queue.read(() => value)).toBe(1);
  const running = queue.run(async () => {
    await begin('a')();
    value = 2;
  });
  const read = queue.read(() => value);
  await settled();
  end('a');
  await running;
  expect(await read).toBe(2);
});

test('ASY-3 works of one key run one after another, those of others beside them', async () => {
  const { begun, begin, end } = works();
  const queued = keyedSerialQueue();
  const all = [queued('x', begin('x1')), queued('x', begin('x2')), queued('y', begin('y1'))];
  expect(begun).toEqual(['x1', 'y1']);
  end('x1');
  await settled();
  expect(begun).toEqual(['x1', 'y1', 'x2']);
  end('x2');
  end('y1');
  expect(await Promise.all(all)).toEqual(['x1', 'x2', 'y1']);
});
