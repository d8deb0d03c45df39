import { describe, expect, test } from 'vitest';
import { createYielder } from './yielder.ts';

const held = (milliseconds: number): void => {
  const until = performance.now() + milliseconds;
  while (performance.now() < until);
};

/** Does so many steps, each of which holds the loop for some milliseconds. */
const work = async (steps: number, milliseconds: number, each: () => void = () => undefined): Promise<void> => {
  const yieldIfDue = createYielder();
  for (let step = 0; step < steps; step += 1) {
    held(milliseconds);
    each();
    await yieldIfDue();
  }
};

describe('the createYielder', () => {
  test('HOLD-44 many works after one another, each too short to wait, let others have their turn like a long one', async () => {
    let othersAt = -1;
    let done = 0;
    await new Promise(setImmediate);
    setImmediate(() => {
      othersAt = done;
    });
    for (; done < 8; done += 1) await work(1, 3);
    expect(othersAt).toBeGreaterThanOrEqual(0);
    expect(othersAt).toBeLessThan(8);
  });

  test('HOLD-45 of many works at once one goes on in each turn of the loop', async () => {
    let steps = 0;
    let over = false;
    const perTurn: number[] = [];
    const look = (): void => {
      perTurn.push(steps);
      steps = 0;
      if (!over) setImmediate(look);
    };
    setImmediate(look);
    const works = Array.from({ length: 20 }, () =>
      work(4, 10, () => {
        steps += 1;
      }),
    );
    await new Promise(setImmediate);
    perTurn.length = 0;
    await Promise.all(works);
    over = true;
    expect(Math.max(...perTurn)).toBe(1);
  });

  test('HOLD-46 works at once go on in the order in which they waited, and all come to their end', async () => {
    const order: number[] = [];
    await Promise.all([0, 1, 2].map((number) => work(3, 10, () => order.push(number))));
    expect(order).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  });

  test('LIM-1372 what waits for the first time goes before what has waited already, which goes on all the same', async () => {
    const order: string[] = [];
    const long = (name: string) => work(6, 10, () => order.push(name));
    const many = Promise.all([long('long'), long('long'), long('long')]);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    await new Promise(setImmediate);
    order.length = 0;
    // Each holds the loop long enough to wait once, and does something after it.
    const short = Array.from({ length: 8 }, async () => {
      const yieldIfDue = createYielder();
      held(3);
      await yieldIfDue();
      order.push('short');
    });
    await Promise.all(short);
    expect(order.filter((name) => name === 'long').length).toBeLessThanOrEqual(3);
    expect(order.indexOf('long')).toBeGreaterThan(-1);
    await many;
    expect(order.filter((name) => name === 'long').length).toBeGreaterThan(6);
  });

  test('LIM-1613 what is known to be long goes before nothing that waits for the first time, however many breathers it has, and goes on all the same', async () => {
    const order: string[] = [];
    const step = async (name: string, long: boolean): Promise<void> => {
      const yieldIfDue = createYielder({ long });
      held(3);
      await yieldIfDue();
      order.push(name);
    };
    const long = Array.from({ length: 4 }, () => step('long', true));
    const short = Array.from({ length: 8 }, () => step('short', false));
    await Promise.all([...long, ...short]);
    expect(order.slice(0, 4)).toEqual(['short', 'short', 'short', 'short']);
    expect(order.indexOf('long')).toBe(4);
    expect(order.filter((name) => name === 'long')).toHaveLength(4);
  });
});
