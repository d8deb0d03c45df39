import { afterEach, describe, expect, test } from 'vitest';
import { connected, liveClient } from '../testing/live-client.ts';
import { startWorld, type World } from '../testing/world.ts';
import type { OwnNames } from './own-origin.ts';

const publicUrl = 'https://zakup.example.org';

describe('the origin of a live line', () => {
  let world: World;
  afterEach(() => world.stop());

  const started = async (names?: OwnNames): Promise<string> => {
    world = await startWorld(names === undefined ? {} : { names });
    return (await world.signIn('buyer')).token;
  };
  /** Whether a page of the origin, or a program, gets a line with the token. */
  const opens = async (
    token: string,
    headers: Readonly<Record<string, string>>,
    transport: 'websocket' | 'polling' = 'websocket',
  ): Promise<boolean> => {
    const client = liveClient(world.address, { token, protocolVersion: 1 }, { transports: [transport], headers });
    const opened = await connected(client).then(
      () => true,
      () => false,
    );
    client.close();
    return opened;
  };

  test.each(['websocket', 'polling'] as const)(
    'LIVE-1480 a page of another origin gets no line by %s, whatever token and cookies it has',
    async (transport) => {
      const token = await started();
      const port = new URL(world.address).port;
      for (const Origin of [
        'https://evil.example',
        'null',
        'file://',
        'http://127.0.0.1:1',
        `http://localhost:${port}`,
      ])
        expect([Origin, await opens(token, { Origin, Cookie: 'zakup_device=x' }, transport)]).toEqual([Origin, false]);
      expect(world.live.size()).toBe(0);
    },
  );

  test.each(['websocket', 'polling'] as const)(
    'LIVE-1481 this server’s own pages and programs, which send no origin, get one by %s',
    async (transport) => {
      const token = await started();
      expect(await opens(token, {}, transport)).toBe(true);
      expect(await opens(token, { Origin: world.address }, transport)).toBe(true);
      const { host } = new URL(world.address);
      expect(await opens(token, { Origin: `https://${host}` }, transport)).toBe(true);
    },
  );

  test('LIVE-1482 behind a proxy its word on the name counts, and that of PUBLIC_URL; without one the header is the sender’s', async () => {
    const headers = { Origin: publicUrl, 'X-Forwarded-Host': 'zakup.example.org' };
    const token = await started({ publicUrl: null, trustProxy: 0 });
    expect(await opens(token, headers)).toBe(false);
    await world.stop();
    const behind = await started({ publicUrl: null, trustProxy: 1 });
    expect(await opens(behind, headers)).toBe(true);
    expect(await opens(behind, { ...headers, 'X-Forwarded-Host': 'zakup.example.org, inner' })).toBe(true);
    expect(await opens(behind, { ...headers, 'X-Forwarded-Host': 'evil.example' })).toBe(false);
    await world.stop();
    const named = await started({ publicUrl, trustProxy: 0 });
    expect(await opens(named, { Origin: publicUrl })).toBe(true);
    expect(await opens(named, { Origin: world.address })).toBe(true);
    expect(await opens(named, { Origin: 'https://zakup.example.org.evil.example' })).toBe(false);
  });
});
