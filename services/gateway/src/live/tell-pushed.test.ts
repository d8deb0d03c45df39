import type { ReadDocument } from '@zakup/read-store/read-store';
import type { StepOfCommands } from '@zakup/service-kit/steps';
import { expect, test } from 'vitest';
import type { GatewayDeps } from '../deps.ts';
import { mostWaiting, pushReports } from './tell-pushed.ts';

test('TRC-3707 whose commands were pushed is looked up one round after another, and not at all for rounds beyond those that wait', async () => {
  const looks: ((entries: readonly ReadDocument[]) => void)[] = [];
  const reported: StepOfCommands[] = [];
  const deps = {
    readStore: { scanIndex: () => new Promise<readonly ReadDocument[]>((resolve) => looks.push(resolve)) },
    log: {},
  } as unknown as Pick<GatewayDeps, 'readStore' | 'log'>;
  const reportPushed = pushReports(deps, { ofCommands: (step) => void reported.push(step) });
  const push = (position: number): void =>
    reportPushed({ licenceId: 'l', after: position - 1, to: position, scopes: 1, sockets: 1, milliseconds: 5 });
  const rounds = mostWaiting + 1;
  for (let position = 1; position <= rounds + 3; position += 1) push(position);
  const pushedBy = performance.timeOrigin + performance.now();
  for (let position = 1; position <= rounds; position += 1) {
    await expect.poll(() => looks.length).toBe(position);
    looks.at(-1)?.([{ position, data: { commandId: `c${position}` } } as unknown as ReadDocument]);
  }
  await expect.poll(() => reported.length).toBe(rounds);
  expect(looks).toHaveLength(rounds);
  expect(reported.map(({ commandIds }) => [...commandIds])).toEqual(looks.map((_, at) => [`c${at + 1}`]));
  expect(Math.max(...reported.map(({ ended }) => ended))).toBeLessThanOrEqual(pushedBy);
  push(rounds + 4);
  await expect.poll(() => looks.length).toBe(rounds + 1);
});
