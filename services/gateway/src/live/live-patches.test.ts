import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { kopecks } from '@zakup/domain/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connected, type LiveClient, liveClient, type Replica } from '../testing/live-client.ts';
import {
  analyticsRow,
  campaignRow,
  channelRow,
  docOf,
  earningsRow,
  licenceRow,
  placementRow,
  userRow,
} from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';
import { leastPause, pauseAfter } from './broadcast-throttle.ts';
import { type Sent, patchBaseCache } from './patch-base-cache.ts';

const doc = docOf(licenceId);
const scope = 'campaign:campaign';

describe('patches over the live channel', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      doc.placement(placementRow({ id: 'p', price: kopecks(100) })),
      doc.analytics(analyticsRow({ campaignId: 'campaign' })),
      doc.channel(channelRow({ id: 'channel' })),
    );
  });
  afterEach(() => world.stop());

  const enter = async (userId: string, patches: boolean | undefined, keep = new Map<string, Replica>()) => {
    const { token } = await world.signIn(userId);
    return world.connect(token, { keep, ...(patches === undefined ? {} : { patches }) });
  };
  const open = async (client: LiveClient, name = scope, since?: number): Promise<void> => {
    const before = client.messages.length;
    expect(await client.subscribe(name, since)).toMatchObject({ ok: true });
    await client.until(() => client.messages.slice(before).some((message) => message.last));
  };
  const reached = (position: number, clients: readonly LiveClient[], name = scope): Promise<unknown> =>
    Promise.all(clients.map((client) => client.until(() => client.replica(name).position === position)));
  const price = (roubles: number) => doc.placement(placementRow({ id: 'p', price: kopecks(roubles * 100) }));
  const holds = (client: LiveClient, name = scope): unknown =>
    Object.fromEntries([...client.replica(name).docs].map(([key, change]) => [key, change.doc]));

  it('PATCH-10 who asks for patches gets them once it was sent the document, who does not gets documents, and both hold the same', async () => {
    const [plain, silent, patching] = [
      await enter('lead', false),
      await enter('lead', undefined),
      await enter('lead', true),
    ];
    for (const client of [plain, silent, patching]) await open(client);
    const first = await world.commit(price(5));
    await reached(first, [plain, silent, patching]);
    const second = await world.commit(price(6));
    await reached(second, [plain, silent, patching]);
    const last = (client: LiveClient) => client.received.slice(-2).map(({ docs }) => docs[0]);
    expect(last(patching)).toMatchObject([
      { id: 'p', position: first, doc: { price: 5 } },
      { kind: 'placement', id: 'p', position: second, base: first, patch: { price: [6] } },
    ]);
    expect(last(plain)).toMatchObject([
      { position: first, doc: { price: 5 } },
      { position: second, doc: { price: 6 } },
    ]);
    expect(silent.received).toEqual(plain.received);
    expect(holds(patching)).toEqual(holds(plain));
    const gone = await world.commit(doc.gone('placement', 'p', [scope]));
    await reached(gone, [patching]);
    expect(patching.received.at(-1)?.docs).toEqual([{ kind: 'placement', id: 'p', position: gone, doc: null }]);
    const back = await world.commit(price(7));
    await reached(back, [patching]);
    expect(patching.received.at(-1)?.docs).toMatchObject([{ id: 'p', doc: { price: 7 } }]);
  });

  it('PATCH-11 one line of 5,000 costs one line, from the first change after the load', async () => {
    const bought = (index: number, roubles: number) => {
      const id = `placement-${String(index).padStart(4, '0')}`;
      return doc.placement(placementRow({ id, buyerId: 'other', price: kopecks(roubles * 100), leads: 10 }));
    };
    const earnings = doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'other' }));
    await world.commit(earnings, ...Array.from({ length: 5_000 }, (_, index) => bought(index, 1_000)));
    const client = await enter('lead', true);
    await open(client);
    for (const [at, roubles] of [
      [17, 1_234],
      [4_321, 1_234],
      [17, 1_000],
    ] as const)
      await reached(await world.commit(earnings, bought(at, roubles)), [client]);
    const told = client.received.slice(-3).map(({ docs }) => docs.find(({ kind }) => kind === 'earnings'));
    expect(told.map((change) => JSON.stringify(change).length < 300)).toEqual([true, true, true]);
    const held = client.replica(scope).docs.get('earnings campaign:other')?.doc as { readonly counted: unknown[] };
    expect(held.counted.length).toBe(5_000);
    expect(held.counted[4_321]).toMatchObject({ price: 1234, amount: 123.4 });
    expect(held.counted[17]).toMatchObject({ price: 1000, amount: 100 });
    expect(client.misfits).toEqual([]);
  });

  it('PATCH-12 a licence is always sent whole: its state is one of the hour', async () => {
    const client = await enter('lead', true);
    await open(client, 'workspace');
    for (const teamName of ['One', 'Two', 'Three']) {
      const at = await world.commit(
        doc.license(licenceRow({ id: licenceId, teamName })),
        doc.channel(channelRow({ id: 'channel', name: teamName })),
      );
      await reached(at, [client], 'workspace');
    }
    const ways = client.received.slice(-2).map(({ docs }) => docs.map((one) => [one.kind, 'patch' in one]));
    expect(ways).toEqual([
      [
        ['channel', true],
        ['license', false],
      ],
      [
        ['channel', true],
        ['license', false],
      ],
    ]);
  });

  it('PATCH-13 who goes on from a position is sent whole what this line did not bring, and patches from then on', async () => {
    const keep = new Map<string, Replica>();
    const [there, away] = [await enter('lead', true), await enter('lead', true, keep)];
    for (const client of [there, away]) await open(client);
    const first = await world.commit(price(5));
    await reached(first, [there, away]);
    away.close();
    const back = await enter('lead', true, keep);
    await open(back, scope, first);
    const ways = async (roubles: number): Promise<readonly boolean[]> => {
      await reached(await world.commit(price(roubles)), [there, back]);
      return [there, back].map((client) => client.received.at(-1)?.docs.some((one) => 'patch' in one) ?? false);
    };
    expect(await ways(6)).toEqual([true, false]);
    expect(await ways(7)).toEqual([true, true]);
    expect(holds(back)).toEqual(holds(there));
  });

  it('PATCH-14 patches are made of what each may see', async () => {
    const hidden = { ...defaultLicenceSettings, earningsVisible: false };
    const participants = (rate: number) =>
      ['buyer', 'other'].map((userId) => ({
        userId,
        budget: kopecks(0),
        salaryType: 'budget' as const,
        salaryRate: rate,
        cplThreshold: null,
      }));
    await world.commit(
      doc.license(licenceRow({ id: licenceId, settings: hidden })),
      doc.user(userRow({ id: 'other' })),
    );
    const [buyer, other, lead] = [await enter('buyer', true), await enter('other', true), await enter('lead', true)];
    const all = [buyer, other, lead];
    for (const client of all) await open(client);
    for (const rate of [11, 12, 13])
      await reached(
        await world.commit(doc.campaign(campaignRow({ id: 'campaign', participants: participants(rate) }))),
        all,
      );
    const told = all.map((client) => client.received.at(-1)?.docs);
    const row = { salaryRate: [13] };
    expect(told).toMatchObject([
      [{ patch: { participants: { rows: [row] } } }],
      [{ patch: { participants: { rows: [1, row] } } }],
      [{ patch: { participants: { rows: [row, row] } } }],
    ]);
    expect(all.flatMap(({ misfits }) => misfits)).toEqual([]);
  });

  it('PATCH-15 a wrong wish for patches is refused', async () => {
    const { token } = await world.signIn('lead');
    const client = liveClient(world.address, { token, protocolVersion: 1, patches: 'yes' });
    await expect(connected(client)).rejects.toMatchObject({ data: { code: 'VALIDATION_FAILED' } });
    client.close();
  });
});

describe('what is kept for patches', () => {
  const sent = (size: number): Sent => ({ position: 1, doc: {}, size, measured: size });

  it('PATCH-16 what is kept has a bound in number and in text over all scopes, and what was put longest ago goes first', () => {
    const kept = patchBaseCache({ documents: 3, text: 100 });
    const [one, two] = [kept.shelf(), kept.shelf()];
    one.put('a', '', sent(10));
    two.put('a', '', sent(10));
    one.put('b', '', sent(10));
    one.put('a', '', sent(20));
    two.put('c', '', sent(10));
    expect(two.get('a', '')).toBeUndefined();
    expect(one.get('a', '')?.size).toBe(20);
    expect(kept.size()).toEqual({ documents: 3, text: 40 });
    two.put('d', '', sent(85));
    expect(one.get('b', '')).toBeUndefined();
    expect(one.get('a', '')).toBeUndefined();
    expect(kept.size()).toEqual({ documents: 2, text: 95 });
    two.put('e', '', sent(101));
    expect(kept.size()).toEqual({ documents: 0, text: 0 });
  });

  it('PATCH-17 a shelf drops a document in every variant, and all of its own', () => {
    const kept = patchBaseCache({ documents: 10, text: 100 });
    const [one, two] = [kept.shelf(), kept.shelf()];
    one.put('a', 'x', sent(1));
    one.put('a', 'y', sent(1));
    one.put('b', 'x', sent(1));
    two.put('a', 'x', sent(1));
    one.drop('a');
    expect([one.get('a', 'x'), one.get('a', 'y')]).toEqual([undefined, undefined]);
    expect(kept.size()).toEqual({ documents: 2, text: 2 });
    one.clear();
    expect(two.get('a', 'x')).toBeDefined();
    expect(kept.size()).toEqual({ documents: 1, text: 1 });
  });
});

describe('the pace of rounds', () => {
  it('PATCH-18 a change that comes alone is not held back, a burst shares messages up to a bound, and sending is never overtaken', () => {
    expect(pauseAfter({ versions: 0, sending: 0 })).toBe(leastPause);
    expect(pauseAfter({ versions: 1, sending: 5 })).toBe(leastPause);
    const many = pauseAfter({ versions: 10, sending: 5 });
    expect(many).toBeGreaterThan(leastPause);
    expect(pauseAfter({ versions: 1_000, sending: 5 })).toBe(pauseAfter({ versions: 2_000, sending: 5 }));
    expect(pauseAfter({ versions: 1, sending: 100 })).toBeGreaterThanOrEqual(100);
    expect(pauseAfter({ versions: 1, sending: 60_000 })).toBeLessThanOrEqual(250);
  });
});
