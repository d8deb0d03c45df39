import { request as send } from 'node:http';
import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type CommandService, commandService } from './testing/command-service.ts';
import { givenBuying, givenLicence, givenPerson, givenPlacement } from './testing/given.ts';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const hostileValues: readonly unknown[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e999',
  '٣',
  '𝟙',
  'ⅠⅡ',
  'аdmin',
  '\u202e\u200b',
  '__proto__',
  '../..',
  'x~y',
  "' OR 1=1 --",
  '=1+1',
  '${7*7}',
  'null',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  'x'.repeat(100_000),
  '@'.repeat(100_000),
  `x@${'.a'.repeat(50_000)}@`,
  '1 '.repeat(50_000),
  1e308,
  -1e308,
  -0,
  2 ** 53,
  -1,
  0.1 + 0.2,
  1e-300,
  true,
  false,
  null,
  [],
  [[]],
  {},
  { $ne: null },
  { toString: 'x' },
  { length: 5 },
  { userId: { userId: 'x' } },
  Array.from({ length: 3000 }, () => null),
];

describe('whatever is sent', () => {
  let service: CommandService;
  beforeAll(async () => {
    service = await commandService();
  });
  afterAll(() => service.close());

  /** A request as written, past what `fetch` would put right. */
  const raw = (
    method: string,
    path: string,
    { headers = {}, body }: { readonly headers?: Record<string, string | string[]>; readonly body?: string | Buffer },
  ): Promise<{ readonly status: number; readonly text: string }> =>
    new Promise((resolve, reject) => {
      const { hostname, port } = new URL(service.address);
      const outgoing = send({ hostname, port, method, path: `/api${path}`, headers, agent: false }, (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, text }));
        response.on('error', reject);
      });
      // A body may be refused before it has been read to its end.
      outgoing.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'EPIPE' || error.code === 'ECONNRESET' ? resolve({ status: 413, text: '' }) : reject(error),
      );
      outgoing.end(body);
    });

  test('CM-90 bodies that are no JSON object are refused before anything is decided', async () => {
    const { owner } = await givenLicence(service);
    const head = await service.eventStore.head();
    const json = { Authorization: `Bearer ${owner}`, 'Content-Type': 'application/json' };
    const post = (body: string | Buffer, headers: Record<string, string | string[]> = {}) =>
      raw('POST', '/channels', { headers: { ...json, ...headers }, body });
    for (const body of [
      '{',
      '{"name":"a"',
      'null',
      '5',
      '"x"',
      'NaN',
      "{'name':'a'}",
      '{"name":"a"}}',
      '\ufeff\ufeff{}',
      '\0',
      deep(33),
      deep(100_000),
    ])
      expect([body.slice(0, 20), (await post(body)).status]).toEqual([body.slice(0, 20), 400]);
    for (const body of [
      '[]',
      '{"name":NaN}'.replace('NaN', 'null'),
      `{"name":${deep(20)}}`,
      '{"__proto__":{"name":"a"}}',
      '{"constructor":{"prototype":{"name":"a"}}}',
    ])
      expect((await post(body)).status).toBe(422);
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-16',
      'application/jsonx',
      'json',
    ])
      expect([type, (await post('{"name":"a"}', { 'Content-Type': type })).status]).toEqual([type, 400]);
    expect(
      (await raw('POST', '/channels', { headers: { Authorization: `Bearer ${owner}` }, body: '{"name":"a"}' })).status,
    ).toBe(400);
    expect((await post(gzipSync(Buffer.alloc(5_000_000, 0x20)), { 'Content-Encoding': 'gzip' })).status).toBe(413);
    expect((await post('not gzip at all', { 'Content-Encoding': 'gzip' })).status).toBe(400);
    expect((await post('{}', { 'Content-Encoding': 'rot13' })).status).toBe(400);
    expect((await post(`{"name":"${'x'.repeat(10_000_000)}"}`)).status).toBe(413);
    expect(await service.eventStore.head()).toBe(head);
    expect((await post(gzipSync('{"name":"a"}'), { 'Content-Encoding': 'gzip' })).status).toBe(200);
  });

  test('CM-91 headers open nothing', async () => {
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const head = await service.eventStore.head();
    const body = JSON.stringify({ name: 'К' });
    const json = { 'Content-Type': 'application/json' };
    for (const headers of [
      { 'X-HTTP-Method-Override': 'DELETE', Authorization: `Bearer ${person.token}` },
      { Authorization: [`Bearer ${person.token}`, `Bearer ${licence.owner}`] },
      { 'X-User-Id': licence.ownerId, 'X-License-Id': licence.id, Cookie: `token=${licence.owner}` },
      { 'Proxy-Authorization': `Bearer ${licence.owner}` },
    ])
      expect([401, 403]).toContain((await raw('POST', '/channels', { headers: { ...json, ...headers }, body })).status);
    const guess = (address: string) =>
      raw('POST', '/auth/employee-login', {
        headers: { ...json, 'X-Forwarded-For': address, Forwarded: `for=${address}` },
        body: JSON.stringify({ authCode: person.authCode, password: 'guess-guess' }),
      });
    for (let tries = 0; tries < 5; tries += 1) expect((await guess(`10.0.0.${tries}`)).status).toBe(401);
    expect((await guess('10.0.0.99')).status).toBe(429);
    expect(await service.eventStore.head()).toBe(head);
  });

  test('CM-92 a refusal of a great many mistakes names a hundred', async () => {
    const { licence, campaign } = await givenBuying(service);
    const participants = Array.from({ length: 500 }, (_, index) => ({ userId: index, budget: 'x' }));
    const refused = await service.call('PUT', `/campaigns/${campaign.id}`, { participants }, { token: licence.owner });
    expect([refused.status, refused.body.errors?.length]).toEqual([422, 100]);
    const permissions = Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`key/~${index}`, 'yes']));
    const flags = await service.call('PUT', `/users/${licence.ownerId}`, { permissions }, { token: licence.owner });
    expect(flags.status).toBe(422);
    expect(flags.body.errors?.length).toBeLessThanOrEqual(100);
  });

  test('CM-178 too many flags or participants are counted, not looked at', async () => {
    const { licence, campaign } = await givenBuying(service);
    const permissions = Object.fromEntries(Array.from({ length: 19_000 }, (_, index) => [`k${index}`, true]));
    const participants = Array.from({ length: 19_000 }, (_, index) => index % 10);
    const bodies = [
      ['PUT', `/users/${licence.ownerId}`, { permissions }, '/permissions'],
      ['POST', '/campaigns', { name: 'К', channelId: campaign.channelId, participants }, '/participants'],
      ['PUT', `/campaigns/${campaign.id}`, { participants }, '/participants'],
    ] as const;
    for (const [method, path, body, pointer] of bodies) {
      const refused = await service.call(method, path, body, { token: licence.owner });
      expect([refused.status, refused.body.errors?.map((error) => error.pointer)]).toEqual([422, [pointer]]);
    }
    const few = Object.fromEntries(Array.from({ length: 41 }, (_, index) => [`k${index}`, true]));
    const change = (flags: object) =>
      service.call('PUT', `/users/${licence.ownerId}`, { permissions: flags }, { token: licence.owner });
    expect((await change(few)).status).toBe(422);
    delete few['k40'];
    expect((await change(few)).status).toBe(200);
  });

  test('CM-93 a request cut off in the middle harms nobody', async () => {
    const { owner } = await givenLicence(service);
    const head = await service.eventStore.head();
    const { hostname, port } = new URL(service.address);
    await new Promise<void>((resolve) => {
      const headers = {
        Authorization: `Bearer ${owner}`,
        'Content-Type': 'application/json',
        'Content-Length': '1000',
      };
      const cut = send({ hostname, port, method: 'POST', path: '/api/channels', headers, agent: false });
      cut.on('error', () => resolve());
      cut.write('{"name":"К"', () => cut.destroy(new Error('cut')));
    });
    expect(await service.eventStore.head()).toBe(head);
    expect((await service.call('POST', '/channels', { name: 'К' }, { token: owner })).status).toBe(200);
  });

  test('CMB-16 items of a batch can be anything: each is accepted or refused in words, and refused ones append nothing', async () => {
    const { licence, buyer, body } = await givenBuying(service);
    const { id: placementId } = await givenPlacement(service, buyer.token, body);
    const valid: readonly object[] = [
      { op: 'add', ...body, date: '2026-11-01', format: '1/24', creativeId: null, paymentStatus: 'paid' },
      { op: 'change', placementId, baseRevision: 0, price: 1, leads: 1, contractor: 'n', status: 'DONE' },
      { op: 'payment', placementId, baseRevision: 0, paymentStatus: 'paid' },
      { op: 'delete', placementId: 'none', baseRevision: 0 },
    ];
    const hostile = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom<unknown>(...hostileValues));
    const item = fc.oneof(
      { arbitrary: hostile, weight: 1 },
      {
        arbitrary: fc
          .tuple(fc.constantFrom(...valid), fc.dictionary(fc.nat(8).map(String), hostile, { minKeys: 1, maxKeys: 3 }))
          .map(([members, replaced]) => {
            const names = Object.keys(members);
            const bad = Object.entries(replaced).map(([index, value]) => [names[Number(index) % names.length], value]);
            return { ...members, ...(Object.fromEntries(bad) as object) };
          }),
        weight: 5,
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 5 }), fc.boolean(), async (items, atomic) => {
        service.advance(20);
        const before = await service.eventStore.head();
        const { status, body: reply } = await service.call('POST', '/placements/batch', undefined, {
          raw: JSON.stringify({ atomic, items }),
          token: licence.owner,
        });
        const results = status === 200 ? reply.data.results : [];
        const problems = status === 200 ? results.flatMap(({ problem = [] }) => problem) : [reply];
        for (const problem of problems) {
          expect(problem).toMatchObject({ success: false, error: expect.stringMatching(/\S/u) });
          expect('status' in problem && problem.status).toBeLessThan(500);
        }
        expect(results.length).toBe(status === 200 ? items.length : 0);
        const appended = (await service.eventStore.head()) > before;
        expect(appended && !results.some(({ ok }) => ok)).toBe(false);
      }),
      { numRuns: inject('isDeep') ? 300 : 60, interruptAfterTimeLimit: 15_000, endOnFailure: true },
    );
  });
});
