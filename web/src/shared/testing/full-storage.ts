import { vi } from 'vitest';

/** What a browser keeps nothing in, as it is full: to be put in the place of `localStorage`. */
export const fullStorage = () => ({
  getItem: () => null,
  setItem: vi.fn<Storage['setItem']>(() => {
    throw new DOMException('full', 'QuotaExceededError');
  }),
  removeItem: () => undefined,
  key: () => null,
  length: 0,
});
