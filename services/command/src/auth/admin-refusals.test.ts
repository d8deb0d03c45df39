import { expect, test } from 'vitest';
import { adminRefusals } from './admin-refusals.ts';

test('ACE-1554 a flood of refused tries is one write at a time with how many, and a store that is away stops nobody', async () => {
  const kept: { readonly network: string; readonly count: number }[] = [];
  const warnings: string[] = [];
  let goOn = (): void => undefined;
  const holding = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const state = { away: false };
  const { refused, settled } = adminRefusals({
    credentials: {
      noteAdminRefusals: async ({ network, count }) => {
        if (state.away) throw new Error('away');
        kept.push({ network, count });
        await holding;
      },
    },
    log: { warn: (_about, message) => warnings.push(message) },
    now: () => 0,
    newId: () => 'id',
  });
  for (let index = 0; index < 1_000; index += 1) refused('203.0.113.0/24');
  for (let index = 0; index < 100; index += 1) refused(`10.0.${index}.0/24`);
  goOn();
  await settled();
  expect(kept.slice(0, 2)).toEqual([
    { network: '203.0.113.0/24', count: 1 },
    { network: '203.0.113.0/24', count: 999 },
  ]);
  // Of fifty networks at once, more are not told.
  expect(kept).toHaveLength(51);
  state.away = true;
  refused('203.0.113.0/24');
  await settled();
  expect(warnings).toHaveLength(1);
});
