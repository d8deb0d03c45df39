import { expect, it } from 'vitest';
import { growingList } from './growing-list.ts';

const taken = async (list: AsyncIterable<number>): Promise<{ readonly all: number[]; readonly error: unknown }> => {
  const all: number[] = [];
  try {
    for await (const item of list) all.push(item);
  } catch (error) {
    return { all, error };
  }
  return { all, error: null };
};

it('LV-2443 whoever iterates a growing list gets all of it, whenever they began, and its end', async () => {
  const list = growingList<number>();
  const early = taken(list);
  list.push(1);
  list.push(2);
  const late = taken(list);
  await new Promise(setImmediate);
  list.push(3);
  list.end();
  list.push(4);
  const whole = { all: [1, 2, 3], error: null };
  expect(await Promise.all([early, late, taken(list)])).toEqual([whole, whole, whole]);
});

it('LV-2444 one that breaks off gives what is there, and throws', async () => {
  const list = growingList<number>();
  const early = taken(list);
  list.push(1);
  const error = new Error('broken off');
  list.fail(error);
  list.end();
  const broken = { all: [1], error };
  expect(await Promise.all([early, taken(list)])).toEqual([broken, broken]);
});
