import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import type { JsonObject, StreamName } from '@zakup/event-store/event-store';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { chainOver, chainStart } from '@zakup/seals/chain';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { hashOfSeal, noSeal } from '@zakup/seals/seal';
import { withLostSalt } from '@zakup/seals/testing/damaged';
import { otherKey, testKey, testSalt } from '@zakup/seals/testing/sealed';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { docOf, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const script = fileURLToPath(new URL('../../../../scripts/verify-history.mjs', import.meta.url));
const { checkHistory } = (await import(script)) as {
  readonly checkHistory: (source: Iterable<Buffer>, fingerprints: readonly string[]) => Promise<object>;
};

interface EventLine {
  readonly number: number;
  readonly parts: Readonly<Record<string, { readonly value?: unknown; readonly hash?: string }>>;
}

const terms = { salaryType: 'percentage', salaryRate: 12.5, performanceThreshold: 77_700 };
const participants = [{ userId: 'buyer', budget: 100, salaryType: 'budget', salaryRate: 33, cplThreshold: null }];
const told: readonly (readonly [StreamName, string, JsonObject])[] = [
  [
    `licence-${licenceId}~${licenceId}`,
    'LicenceIssued',
    {
      licenseKey: 'LICENSE-AAAA-BBBB-CCCC-7Q4K',
      teamName: 'Team',
      ownerName: 'Анна Владелец',
      ownerEmail: 'owner@example.org',
      ownerTelegram: '@anna_owner',
      expiresAt: '2099-01-01T00:00:00.000Z',
      features: ['reports'],
      maxConcurrentSessions: 10,
    },
  ],
  [`licence-${licenceId}~${licenceId}`, 'LicenceActivated', { ownerId: 'owner', ceoLoginCode: 'ABCDEFGHJKLM' }],
  [
    `employee-${licenceId}~buyer`,
    'EmployeeCreated',
    {
      name: 'Борис Байер',
      email: 'boris@example.org',
      role: 'MEDIA_BUYER',
      authCode: 'SECRETCODE22',
      permissions: { analytics: true },
      isOwner: false,
      ...terms,
    },
  ],
  [`employee-${licenceId}~buyer`, 'EmployeeTermsChanged', { salaryRate: 44.5 }],
  [`email-${licenceId}~5e884898da28`, 'ValueClaimed', { holder: { licenceId, id: 'buyer' } }],
  [
    `campaign-${licenceId}~c`,
    'CampaignCreated',
    {
      name: 'Лето',
      channelId: 'ch',
      totalBudget: 500,
      status: 'ACTIVE',
      startDate: null,
      endDate: null,
      participants,
    },
  ],
  [
    `contractor-${licenceId}~k`,
    'ContractorCreated',
    { nick: 'petr_seller', adminUsername: '@petr_seller', channelName: 'Лето', category: 'Мемы', automatic: true },
  ],
  [`placement-${licenceId}~p`, 'PlacementLeadsRecorded', { leads: 5 }],
  [`placement-${licenceId}~p`, 'PlacementPainted', { colour: 'изумрудный' }],
];

let world: World;
const eventStore = () => inMemoryEventStore({ clock: Date.now });
let stores: {
  readonly eventStore: ReturnType<typeof eventStore>;
  readonly seals: ReturnType<typeof inMemorySealStore>;
};
const append = async (stream: StreamName, type: string, data: JsonObject, licence = licenceId): Promise<void> => {
  const metadata = {
    licenceId: licence,
    actorId: 'owner',
    source: 'api',
    commandId: randomUUID(),
    requestHash: 'c0ffee'.repeat(10),
    at: '2026-11-21T09:00:00.000Z',
    schemaVersion: 1,
  } as const;
  await stores.eventStore.append([
    { stream, expectedRevision: 'any', events: [{ id: randomUUID(), type, data, metadata }] },
  ]);
};
/** As the projector seals: everything so far that has no seal. */
const seal = async (key = testKey): Promise<void> => {
  const last = await stores.seals.last(licenceId);
  const all = await stores.eventStore.readLicence(licenceId);
  const events = all.filter(
    ({ stream, position }) => stream.includes(`-${licenceId}~`) && position > (last?.position ?? 0),
  );
  const end = events.at(-1);
  if (end === undefined) throw new Error('Nothing to seal');
  const saltKey = await stores.seals.saltKey(licenceId, () => testSalt);
  await stores.seals.addKey({ ...key, since: new Date(end.position).toISOString() });
  const made = key.sign({
    format: 'zakup-seal-2',
    licenceId,
    number: (last?.seal.number ?? 0) + 1,
    total: (last?.seal.total ?? 0) + events.length,
    count: events.length,
    firstEventId: events[0]?.id ?? '',
    lastEventId: end.id,
    chain: chainOver(last?.seal.chain ?? chainStart(licenceId), saltKey, events),
    previous: last === null ? noSeal : hashOfSeal(last.seal),
    sealedAt: end.recordedAt,
  });
  const { position, stream, revision } = end;
  expect(await stores.seals.add({ seal: made, position, stream, revision }, 1)).toEqual({ kind: 'added' });
};

beforeEach(async () => {
  stores = { eventStore: eventStore(), seals: inMemorySealStore() };
  world = await startWorld({ deps: stores });
  for (const [stream, type, data] of told) await append(stream, type, data);
  await seal();
  await append('placement-ff-other~p', 'PlacementLeadsRecorded', { leads: 666 }, 'ff-other');
  await append('authcode-77~77', 'ValueClaimed', { holder: { licenceId, id: 'buyer' } });
  await append(`placement-${licenceId}~p`, 'PlacementLeadsRecorded', { leads: 6 });
  await world.commitAt(await stores.eventStore.head(), []);
});
afterEach(() => world.stop());

const bundleOf = async (userId: string) => {
  const { token } = await world.signIn(userId);
  const headers = { Authorization: `Bearer ${token}` };
  const response = await fetch(`${world.address}/api/license/history-bundle`, { headers });
  const text = await response.text();
  const lines = text.split('\n').slice(0, -1);
  const events = lines.filter((line) => line.includes('"kind":"event"')).map((line) => JSON.parse(line) as EventLine);
  return { response, text, events };
};
const check = (text: string, ...keys: readonly (typeof testKey)[]) =>
  checkHistory(
    [Buffer.from(text)],
    keys.map(({ fingerprint }) => fingerprint),
  );

describe('GET /api/license/history-bundle', () => {
  it('VERI-20 is the whole history of the licence and nothing else, with seals that the verifier takes', async () => {
    const { response, text, events } = await bundleOf('owner');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('application/x-ndjson; charset=utf-8');
    expect(events.map(({ number }) => number)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(text).not.toMatch(/"value":666|ff-other|authcode-77/u);
    expect(await check(text, testKey)).toMatchObject({ ok: true, licenceId, events: 10, seals: 1, sealed: 9 });
    expect(await check(text, otherKey)).toMatchObject({ ok: false });
  });

  it('VERI-21 what the exporter may not see appears as its hash, and the seals fit all the same', async () => {
    const { text, events } = await bundleOf('analyst');
    const personal = [
      'Анна',
      'owner@example.org',
      'anna_owner',
      'Борис',
      'boris@example.org',
      'petr_seller',
      '12.5',
      '77700',
      '44.5',
      '5e884898da28',
      'изумрудный',
    ];
    expect(personal.filter((word) => text.includes(word))).toEqual([]);
    for (const shown of ['MEDIA_BUYER', 'Лето', '"leads"', 'Team']) expect(text).toContain(shown.replaceAll('"', ''));
    expect(events[2]?.parts['data.email']).toEqual({ hash: expect.stringMatching(/^[0-9a-f]{64}$/u) });
    expect(await check(text, testKey)).toMatchObject({ ok: true, events: 10 });
  });

  it('VERI-22 with the settings people are shown, but nobody is shown what signs people in', async () => {
    const { text } = await bundleOf('lead');
    for (const shown of ['Анна', 'boris@example.org', 'petr_seller', '44.5', '5e884898da28'])
      expect(text).toContain(shown);
    for (const userId of ['owner', 'lead', 'analyst']) {
      const bundle = await bundleOf(userId);
      for (const secret of ['SECRETCODE22', 'ABCDEFGHJKLM', 'LICENSE-AAAA', 'c0ffee'])
        expect(bundle.text).not.toContain(secret);
    }
  });

  it('VERI-23 needs the permission reports', async () => {
    const { response, text } = await bundleOf('buyer');
    expect(response.status).toBe(403);
    expect(text).not.toContain('zakup-history-1');
    const doc = docOf(licenceId);
    await world.commit(doc.user(userRow({ id: 'buyer', permissions: { dashboard: true, reports: true } })));
    expect((await bundleOf('buyer')).response.status).toBe(200);
  });

  it('VERI-24 after a change of keys it carries both, and both fingerprints are shown to the admin', async () => {
    await seal(otherKey);
    const { text } = await bundleOf('owner');
    expect(await check(text, testKey)).toMatchObject({ ok: false });
    expect(await check(text, testKey, otherKey)).toMatchObject({ ok: true, seals: 2, sealed: 10 });
    await world.credentials.setAdmin('admin', 'admin-password');
    const stamp = (await world.credentials.adminStamp()) ?? '';
    const sessionId = (await world.credentials.openAdminSession(stamp, Date.now())) ?? '';
    const token = world.tokens.issueAdmin({ login: 'admin', sessionId });
    const { body } = await world.get('/admin/health', token);
    expect(body.data['sealKeys']).toEqual([
      { fingerprint: testKey.fingerprint, since: '1970-01-01T00:00:00.009Z' },
      { fingerprint: otherKey.fingerprint, since: '1970-01-01T00:00:00.012Z' },
    ]);
  });

  it('VERI-3690 sealed history whose salt is gone is not given away with one that was made anew', async () => {
    const made: string[] = [];
    const lost = withLostSalt(stores.seals, licenceId);
    const seals = {
      ...lost,
      saltKey: async (of: string, fresh: () => Uint8Array) => {
        const salt = await lost.saltKey(of, fresh);
        made.push(of);
        return salt;
      },
    };
    const other = await startWorld({ deps: { ...stores, seals } });
    await other.commitAt(await stores.eventStore.head(), []);
    const { token } = await other.signIn('owner');
    const response = await fetch(`${other.address}/api/license/history-bundle`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect([response.status, made]).toEqual([500, []]);
    await other.stop();
  });

  it('VERI-25 before the first seal it says that nothing is attested', async () => {
    stores = { eventStore: stores.eventStore, seals: inMemorySealStore() };
    const fresh = await startWorld({ deps: stores });
    await fresh.commitAt(await stores.eventStore.head(), []);
    const { token } = await fresh.signIn('owner');
    const response = await fetch(`${fresh.address}/api/license/history-bundle`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    expect(await check(await response.text(), testKey)).toMatchObject({ ok: false, events: 10, seals: 0 });
    await fresh.stop();
  });
});
