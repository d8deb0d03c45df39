import { describe, expect, it } from 'vitest';
import { dismiss, emptyQueue, enqueue, maxToasts, type Toast, toastMillis, type ToastQueue } from './toast-queue.ts';

const toast = (id: number, kind: Toast['kind'] = 'default'): Toast => ({ id, kind, text: `${id}` });
const filled = (count: number): ToastQueue =>
  Array.from({ length: count }, (_, index) => toast(index + 1)).reduce(enqueue, emptyQueue);

describe('toast queue', () => {
  it('TO-1 success stays 3 s, error 5 s, default 4 s', () => {
    expect(toastMillis).toEqual({ success: 3_000, error: 5_000, default: 4_000 });
  });

  it('TO-2 shows at most 20, the rest wait in the order they came', () => {
    const queue = filled(23);
    expect(queue.shown).toHaveLength(maxToasts);
    expect(queue.waiting.map(({ id }) => id)).toEqual([21, 22, 23]);
  });

  it('TO-3 a toast that leaves makes room for the one waiting longest', () => {
    const queue = dismiss(filled(23), 5);
    expect(queue.shown.at(-1)?.id).toBe(21);
    expect(queue.shown).toHaveLength(maxToasts);
    expect(queue.waiting.map(({ id }) => id)).toEqual([22, 23]);
  });

  it('TO-4 an error behind a crowd is shown in the end', () => {
    let queue = enqueue(filled(40), toast(99, 'error'));
    const seen = new Set<number>();
    while (queue.shown.length > 0) {
      for (const { id } of queue.shown) seen.add(id);
      queue = dismiss(queue, queue.shown[0]?.id ?? 0);
    }
    expect(seen.has(99)).toBe(true);
    expect(seen.size).toBe(41);
  });

  it('TO-5 a waiting toast can be taken back', () => {
    expect(dismiss(filled(22), 22).waiting.map(({ id }) => id)).toEqual([21]);
  });
});
