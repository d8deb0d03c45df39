import { expect, test } from 'vitest';
import { keepZodFromMakingCode } from './zod-settings.ts';

test('VIEW-2621 zod, loaded later, makes no code from text', async () => {
  keepZodFromMakingCode();
  const { config } = await import('zod/v4/core');
  expect(config().jitless).toBe(true);
});
