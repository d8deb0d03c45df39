import { expect, test } from 'vitest';
import { z } from 'zod';
import { newCommandId } from './new-command-id.ts';

test('ACM-1 a command id is a UUID of version 4 and another one each time, without what only a secure page has', () => {
  Object.defineProperty(crypto, 'randomUUID', { configurable: true, value: undefined });
  try {
    const ids = Array.from({ length: 1_000 }, newCommandId);
    for (const id of ids) expect(z.uuidv4().safeParse(id).success).toBe(true);
    expect(new Set(ids).size).toBe(1_000);
  } finally {
    Reflect.deleteProperty(crypto, 'randomUUID');
    expect(typeof crypto.randomUUID()).toBe('string');
  }
});
