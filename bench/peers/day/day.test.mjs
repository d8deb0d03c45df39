import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { io } from 'socket.io-client';
import { application } from './app.mjs';
import { openDatabase } from './database.mjs';
import { seed } from './seed.mjs';

const users = [
  { id: 'anna', name: 'Anna', email: 'anna@example.org', role: 'MEDIA_BUYER', password: 'secret-anna' },
  { id: 'olga', name: 'Olga', email: 'olga@example.org', role: 'ANALYTIC', password: 'secret-olga' },
];
const row = {
  id: 'first',
  date: '2026-01-01',
  nick: '@kitchen',
  price: 10,
  leads: 2,
  creative: 'Text',
  topic: 'Юмор',
  format: '1/24',
  buyer: 'Anna',
  paid: true,
};

for (const commits of ['single', 'group'])
  void describe(`the application with ${commits} commits`, () => {
    const db = openDatabase(':memory:');
    const world = { users, campaigns: [{ id: 'year', name: 'Year' }], creatives: [{ id: 'text', name: 'Text' }] };
    seed(db, { ...world, campaignId: 'year', rows: [row] });
    const { server, io: sockets } = application(db, { secret: 'secret', commits });
    let address = '';
    const call = async (method, path, { token, key, body } = {}) => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` };
      if (key !== undefined) headers['Idempotency-Key'] = key;
      const response = await fetch(`${address}/api${path}`, { method, headers, body: JSON.stringify(body) });
      return { status: response.status, ...(await response.json()) };
    };
    const tokenOf = async (name) =>
      (await call('POST', '/auth/login', { body: { email: `${name}@example.org`, password: `secret-${name}` } })).data
        .token;
    const wanted = { campaignId: 'year', contractor: '@garden', buyerId: 'anna', category: 'Юмор', price: 12.5 };

    before(async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      address = `http://127.0.0.1:${server.address().port}`;
    });
    after(async () => {
      await sockets.close();
      db.close();
    });

    void test('adds once for a key, and refuses another request under it', async () => {
      const token = await tokenOf('anna');
      const [first, second] = [
        await call('POST', '/placements', { token, key: 'k', body: wanted }),
        await call('POST', '/placements', { token, key: 'k', body: wanted }),
      ];
      assert.equal(first.status, 200);
      assert.deepEqual(second.data, first.data);
      assert.equal((await call('POST', '/placements', { token, key: 'k', body: { ...wanted, price: 1 } })).status, 409);
    });

    void test('refuses no token, a wrong role, wrong members and an old revision, and writes nothing', async () => {
      const token = await tokenOf('anna');
      assert.equal((await call('POST', '/placements', { body: wanted })).status, 401);
      assert.equal((await call('POST', '/placements', { token: await tokenOf('olga'), body: wanted })).status, 403);
      assert.equal((await call('POST', '/placements', { token, body: { ...wanted, price: -1 } })).status, 422);
      assert.equal(
        (await call('PATCH', '/placements/first', { token, body: { price: 11, baseRevision: 0 } })).status,
        200,
      );
      assert.equal(
        (await call('PATCH', '/placements/first', { token, body: { price: 99, baseRevision: 0 } })).status,
        409,
      );
      const { data } = await call('GET', '/placements/first/history', { token });
      assert.deepEqual(
        data.entries.map(({ revision }) => revision),
        [0, 1],
      );
    });

    void test('lists filtered and sorted rows with their sums', async () => {
      const token = await tokenOf('anna');
      const { data } = await call('GET', '/campaigns/year/placements?priceFrom=10&sortBy=price&sortOrder=desc', {
        token,
      });
      assert.deepEqual(
        data.placements.map(({ price }) => price),
        [12.5, 11],
      );
      assert.deepEqual({ ...data.totals }, { placements: 2, spent: 23.5, leads: 2 });
    });

    void test('tells the room of a campaign what changed', async () => {
      const token = await tokenOf('anna');
      const socket = io(address, { auth: { token }, transports: ['websocket'] });
      const { ok } = await socket.emitWithAck('join', 'year');
      assert.equal(ok, true);
      const told = once(socket, 'placement');
      await call('PATCH', '/placements/first', { token, body: { leads: 5 } });
      const [placement] = await told;
      assert.equal(placement.leads, 5);
      socket.close();
    });
  });
