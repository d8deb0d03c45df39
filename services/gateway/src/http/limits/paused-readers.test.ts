import { Agent, get, type IncomingMessage } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { creativeRow, docOf } from '../../testing/rows.ts';
import { licenceId, startWorld, type World } from '../../testing/world.ts';
import { readGuard } from './read-guard.ts';

const doc = docOf(licenceId);
const megabyte = 1024 * 1024;

const until = async (is: () => boolean): Promise<void> => {
  while (!is()) await new Promise(setImmediate);
};

describe('readers who take nothing of long answers', { timeout: 60_000 }, () => {
  let world: World | null = null;
  afterEach(async () => {
    await world?.stop();
    world = null;
  });

  test('LIM-1357 twenty who pause hold no more bytes than the bound, the others are told to wait; who reads has everything, and who goes lets go', async () => {
    const bound = 24 * megabyte;
    const guard = readGuard({ most: { heldOfSession: bound } });
    const made = await startWorld({ deps: { guard } });
    world = made;
    const notes = 'x'.repeat(8_000);
    await made.commit(
      ...Array.from({ length: 1_000 }, (_, index) => doc.creative(creativeRow({ id: `k${index}`, notes }))),
    );
    const { token, sessionId } = await made.signIn('owner');
    const agent = new Agent({ keepAlive: false, maxSockets: 50 });
    const asked = (as = token): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        get(`${made.address}/api/creatives`, { agent, headers: { Authorization: `Bearer ${as}` } }, resolve).once(
          'error',
          reject,
        );
      });
    let most = 0;
    let over = false;
    const look = (): void => {
      most = Math.max(most, guard.heldOf(sessionId));
      if (!over) setImmediate(look);
    };
    look();
    const paused = await Promise.all(Array.from({ length: 20 }, () => asked()));
    for (const one of paused) one.once('error', () => undefined).pause();
    over = true;
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThanOrEqual(bound);
    const refused = paused.filter(({ statusCode }) => statusCode === 429);
    const begun = paused.filter(({ statusCode }) => statusCode === 200);
    expect(refused.length + begun.length).toBe(20);
    expect(begun.length).toBeGreaterThan(0);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused[0]?.headers['retry-after']).toBe('3');

    const reader = await asked((await made.signIn('lead')).token);
    let length = 0;
    for await (const chunk of reader) length += (chunk as Buffer).length;
    expect([reader.statusCode, length]).toEqual([200, Number(reader.headers['content-length'])]);
    for (const one of paused) one.destroy();
    await until(() => guard.heldOf(sessionId) === 0);
  });
});
