import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type CommandService, commandService } from '../testing/command-service.ts';
import { authenticate } from './authenticate.ts';

describe('keys that are none', () => {
  let service: CommandService;
  beforeEach(async () => {
    service = await commandService();
  });
  afterEach(() => service.close());

  test('KEY-3354 are counted by the network that they come from: a customer’s IPv6 addresses are one, and IPv4 is one however it is written', async () => {
    const app = express();
    app.set('trust proxy', 1);
    app.get('/', authenticate(service.deps, { keys: 'read' }));
    const server = createServer(app).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const guess = async (from: string): Promise<number> => {
      const headers = { Authorization: 'Bearer zk_guess', 'X-Forwarded-For': from };
      const response = await fetch(`http://127.0.0.1:${port}/`, { headers });
      await response.body?.cancel();
      return response.status;
    };
    const many = async (addressOf: (index: number) => string): Promise<readonly number[]> => {
      const statuses: number[] = [];
      for (let index = 1; index <= 31; index += 1) statuses.push(await guess(addressOf(index)));
      return statuses;
    };
    const slowed = [...Array.from({ length: 30 }, () => 401), 429];
    expect(await many((index) => `2001:db8:7:9::${index}`)).toEqual(slowed);
    expect(await many((index) => (index % 2 === 0 ? '198.51.100.7' : '::ffff:198.51.100.7'))).toEqual(slowed);
    expect(await guess('2001:db8:7:a::1')).toBe(401);
    server.closeAllConnections();
    server.close();
  });
});
