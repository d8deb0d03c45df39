import { expect, test } from 'vitest';
import { semaphore, sharedSemaphore } from './semaphore.ts';

const works = () => {
  const ends: { readonly name: string; readonly ok: () => void; readonly fail: (error: Error) => void }[] = [];
  const begin = (name: string) => () =>
    new Promise<string>((resolve, reject) => ends.push({ name, ok: () => resolve(name), fail: reject }));
  return { ends, begin, begun: () => ends.map(({ name }) => name) };
};
const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

test('EDB-60 so many run at once, the others follow in their order, and each has its own outcome', async () => {
  const { ends, begin, begun } = works();
  const { run: inTurn } = semaphore(2);
  const all = Promise.allSettled(['a', 'b', 'c', 'd', 'e'].map((name) => inTurn(begin(name))));
  expect(begun()).toEqual(['a', 'b']);
  ends[1]?.fail(new Error('b'));
  await turn();
  expect(begun()).toEqual(['a', 'b', 'c']);
  ends[0]?.ok();
  ends[2]?.ok();
  await turn();
  expect(begun()).toEqual(['a', 'b', 'c', 'd', 'e']);
  ends[3]?.ok();
  ends[4]?.ok();
  expect((await all).map(({ status }) => status)).toEqual([
    'fulfilled',
    'rejected',
    'fulfilled',
    'fulfilled',
    'fulfilled',
  ]);
  const later = inTurn(begin('later'));
  ends[5]?.ok();
  expect(await later).toBe('later');
});

test('EDB-61 what is hopeless for one is so for all that wait, and for none that comes after', async () => {
  const { ends, begin, begun } = works();
  const { run: inTurn } = semaphore(1, { hopeless: () => true });
  const all = Promise.allSettled(['a', 'b', 'c'].map((name) => inTurn(begin(name))));
  const silence = new Error('silence');
  ends[0]?.fail(silence);
  expect(await all).toEqual(Array.from({ length: 3 }, () => ({ status: 'rejected', reason: silence })));
  expect(begun()).toEqual(['a']);
  const later = inTurn(begin('later'));
  ends[1]?.ok();
  expect(await later).toBe('later');
});

test('ASY-4 who no longer waits never begins, and those behind do', async () => {
  const { ends, begin, begun } = works();
  const limited = semaphore(1);
  const first = limited.run(begin('a'));
  const leaving = new AbortController();
  const left = limited.run(begin('b'), leaving.signal);
  const last = limited.run(begin('c'), new AbortController().signal);
  leaving.abort(new Error('left'));
  await expect(left).rejects.toThrow('left');
  await expect(limited.run(begin('d'), leaving.signal)).rejects.toThrow('left');
  ends[0]?.ok();
  expect(await first).toBe('a');
  expect(begun()).toEqual(['a', 'c']);
  ends[1]?.ok();
  expect(await last).toBe('c');
  expect(limited.isIdle()).toBe(true);
});

test('ASY-3090 of one there go on so many, and what more they ask for holds up nobody else', async () => {
  const { ends, begin, begun } = works();
  const shared = sharedSemaphore(3, 2);
  const all = [
    ...['a1', 'a2', 'a3'].map((name) => shared.run('a', begin(name))),
    ...['b1', 'b2'].map((name) => shared.run('b', begin(name))),
  ];
  await turn();
  expect(begun()).toEqual(['a1', 'a2', 'b1']);
  ends[0]?.ok();
  await all[0];
  await turn();
  expect(begun()).toHaveLength(4);
  for (let next = 1; next < 5; next += 1) {
    await turn();
    ends[next]?.ok();
  }
  expect(await Promise.all(all)).toHaveLength(5);
});
