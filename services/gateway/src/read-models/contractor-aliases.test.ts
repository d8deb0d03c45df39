import { contractorSchema } from '@zakup/contracts/wire-entities';
import type { ReadDocument } from '@zakup/read-store/read-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveClient } from '../testing/live-client.ts';
import {
  analyticsRow,
  campaignRow,
  channelRow,
  contractorRow,
  type Draft,
  docOf,
  noteRow,
  placementRow,
} from '../testing/rows.ts';
import { licenceId, partition, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);

/** Who was merged into whom, as projections keep it. */
const aliases =
  (mergedInto: Readonly<Record<string, string>>): Draft =>
  (position): ReadDocument => ({
    kind: 'aliases',
    id: licenceId,
    licenceId,
    scopes: [],
    left: [],
    position,
    deleted: false,
    data: { mergedInto },
  });

const sums = (spent: number, leads: number, placements: number) => ({ spent, leads, placements }) as never;

describe('merged contractors', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      doc.contractor(contractorRow({ id: 'one', nick: 'alpha', adminUsername: '@alpha' })),
      doc.contractor(contractorRow({ id: 'two', nick: 'beta', adminUsername: '@beta' })),
      doc.contractor(contractorRow({ id: 'three', nick: 'gamma', adminUsername: '@gamma' })),
      doc.note(noteRow({ id: 'note', contractorId: 'two' })),
      doc.placement(placementRow({ id: 'p1', contractorId: 'one', date: '2026-11-01', price: 300 as never })),
      doc.placement(placementRow({ id: 'p2', contractorId: 'two', date: '2026-11-02', price: 100 as never })),
      doc.placement(placementRow({ id: 'p3', contractorId: 'one', date: '2026-11-03', price: 200 as never })),
      doc.placement(placementRow({ id: 'p4', contractorId: 'three', date: '2026-11-04', price: 400 as never })),
      doc.analytics(
        analyticsRow({
          campaignId: 'campaign',
          byContractor: { one: sums(500, 4, 2), two: sums(100, 0, 1), three: sums(400, 1, 1) },
        }),
      ),
    );
  });
  afterEach(() => world.stop());

  const campaignFloor = { licenceId, scope: 'campaign:campaign' };
  const floorOf = (id: string) => ({ licenceId, scope: `contractor:${id}` });

  /** As a projector leaves the merge of one contractor into another. */
  const merge = (from: string, into: string, mergedInto: Readonly<Record<string, string>>, nicks: readonly string[]) =>
    world.commitAt(
      world.head() + 1,
      [
        aliases(mergedInto),
        doc.gone('contractor', from, ['workspace', `contractor:${from}`]),
        doc.contractor(contractorRow({ id: into, nick: into, received: [{ contractorId: from, nicks }] })),
      ],
      [floorOf(from), floorOf(into), campaignFloor],
    );
  const separate = (from: string, into: string) =>
    world.commitAt(
      world.head() + 1,
      [aliases({}), doc.contractor(contractorRow({ id: from })), doc.contractor(contractorRow({ id: into }))],
      [floorOf(from), floorOf(into), campaignFloor],
    );

  const get = async (path: string) => {
    const { token } = await world.signIn('buyer');
    return world.get(path, token);
  };
  const placements = async (query: string) => {
    const { data } = (await get(`/campaigns/campaign/placements${query}`)).body;
    const rows = data['placements'] as readonly { readonly id: string; readonly contractorId: string }[];
    return { rows: rows.map(({ id, contractorId }) => `${id} ${contractorId}`), total: data['total'] };
  };

  const enter = async (userId = 'buyer'): Promise<LiveClient> => world.connect((await world.signIn(userId)).token);
  const open = async (client: LiveClient, scope: string, since?: number): Promise<void> => {
    expect(await client.subscribe(scope, since)).toMatchObject({ ok: true });
    await client.until(() => client.replica(scope).position !== null);
  };
  const shownIn = (client: LiveClient, scope: string): readonly string[] =>
    [...client.replica(scope).docs.values()]
      .filter((change) => change.doc !== null)
      .map(({ kind, id, doc: shown }) =>
        kind === 'placement' ? `${id} ${(shown as { readonly contractorId: string }).contractorId}` : `${kind} ${id}`,
      )
      .sort();

  it('CMM-30 opened by its id, the merged one answers as the one it is a part of, with the rows of both', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    for (const id of ['one', 'two']) {
      const { body } = await get(`/contractors/${id}`);
      expect(contractorSchema.strict().parse(body.data['contractor'])).toMatchObject({
        id: 'two',
        otherUsernames: ['@alpha'],
      });
      const history = body.data['history'] as readonly {
        readonly placementId: string;
        readonly contractorId: string;
      }[];
      expect(history.map(({ placementId, contractorId }) => `${placementId} ${contractorId}`)).toEqual([
        'p3 two',
        'p2 two',
        'p1 two',
      ]);
    }
    expect((await get('/contractors/three')).body.data['contractor']).not.toHaveProperty('otherUsernames');
  });

  it('CMM-31 it is in no list, with or without inactive ones', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    for (const query of ['', '?includeInactive=true']) {
      const { contractors } = (await get(`/contractors${query}`)).body.data as { contractors: { id: string }[] };
      expect(contractors.map(({ id }) => id).sort()).toEqual(['three', 'two']);
    }
  });

  it('CMM-32 tables show, filter, page, sort and search by the receiving one, along a chain too', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    expect(await placements('')).toEqual({ rows: ['p1 two', 'p2 two', 'p3 two', 'p4 three'], total: 4 });
    for (const id of ['one', 'two']) {
      expect(await placements(`?contractorId=${id}`)).toEqual({ rows: ['p1 two', 'p2 two', 'p3 two'], total: 3 });
      const page = `?contractorId=${id}&sortBy=price&sortOrder=desc&pageSize=2`;
      expect(await placements(page)).toEqual({ rows: ['p1 two', 'p3 two'], total: 3 });
      expect(await placements(`${page}&page=2`)).toEqual({ rows: ['p2 two'], total: 3 });
      expect((await placements(`?contractorId=${id}&sortBy=contractorId`)).total).toBe(3);
    }
    expect((await placements('?contractorId=three')).total).toBe(1);
    expect((await placements('?search=two')).rows).toEqual(['p1 two', 'p2 two', 'p3 two']);
    await merge('two', 'three', { one: 'two', two: 'three' }, ['beta', 'alpha']);
    expect(await placements('?contractorId=one')).toEqual({
      rows: ['p1 three', 'p2 three', 'p3 three', 'p4 three'],
      total: 4,
    });
    expect((await get('/placements/p1')).body.data['placement']).toMatchObject({ contractorId: 'three' });
    expect((await get('/contractors/one')).body.data['history']).toHaveLength(4);
  });

  it('CMM-33 analytics sum the merged one with the receiving one', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    expect((await get('/campaigns/campaign/analytics')).body.data['byContractor']).toEqual([
      { contractorId: 'three', spent: 4, leads: 1, placements: 1, averageCostPerLead: 4 },
      { contractorId: 'two', spent: 6, leads: 4, placements: 3, averageCostPerLead: 1.5 },
    ]);
  });

  it('CMM-34 whoever looks at the campaign or at either contractor is told to begin anew, and sees the receiving one', async () => {
    const client = await enter();
    const scopes = ['campaign:campaign', 'contractor:one', 'contractor:two', 'contractor:three'];
    for (const scope of scopes) await open(client, scope);
    const since = world.head();
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    await client.until(() => client.resets.length === 3);
    expect([...client.resets].sort()).toEqual(['campaign:campaign', 'contractor:one', 'contractor:two']);
    for (const scope of client.resets) await open(client, scope);
    expect(shownIn(client, 'campaign:campaign').filter((name) => name.startsWith('p'))).toEqual([
      'p1 two',
      'p2 two',
      'p3 two',
      'p4 three',
    ]);
    const both = ['contractor two', 'note note', 'p1 two', 'p2 two', 'p3 two'];
    expect(shownIn(client, 'contractor:one')).toEqual(both);
    expect(shownIn(client, 'contractor:two')).toEqual(both);
    const later = await enter();
    expect(await later.subscribe('contractor:two', since)).toMatchObject({ ok: true, reset: true });
  });

  it('CMM-35 a row that still names the merged one arrives live in the receiving one’s scope, once, and leaves it', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    await world.commit(doc.channel(channelRow({ id: 'later' })));
    const client = await enter();
    await open(client, 'contractor:two');
    const before = client.messages.length;
    const position = await world.commit(doc.placement(placementRow({ id: 'p1', contractorId: 'one', leads: 9 })));
    await client.until(() => (client.replica('contractor:two').position ?? 0) >= position);
    const live = client.messages.slice(before).flatMap(({ docs }) => docs);
    expect(live).toMatchObject([{ kind: 'placement', id: 'p1', position, doc: { contractorId: 'two', leads: 9 } }]);
    const moved = await world.commit((at) => ({
      ...doc.placement(placementRow({ id: 'p1', contractorId: 'two' }))(at),
      left: [{ scope: 'contractor:one', position: at }],
    }));
    await client.until(() => (client.replica('contractor:two').position ?? 0) >= moved);
    expect(shownIn(client, 'contractor:two')).toContain('p1 two');
    const gone = await world.commit((at) => ({
      ...doc.placement(placementRow({ id: 'p1', contractorId: 'three' }))(at),
      left: ['one', 'two'].map((id) => ({ scope: `contractor:${id}`, position: at })),
    }));
    await client.until(() => (client.replica('contractor:two').position ?? 0) >= gone);
    expect(shownIn(client, 'contractor:two')).not.toContain('p1 two');
  });

  it('CMM-36 undone, each has its own again', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    const client = await enter();
    for (const scope of ['contractor:one', 'contractor:two']) await open(client, scope);
    await separate('one', 'two');
    await client.until(() => client.resets.length === 2);
    for (const scope of ['contractor:one', 'contractor:two']) await open(client, scope);
    expect(shownIn(client, 'contractor:one')).toEqual(['contractor one', 'p1 one', 'p3 one']);
    expect(shownIn(client, 'contractor:two')).toEqual(['contractor two', 'note note', 'p2 two']);
    expect((await placements('')).rows).toEqual(['p1 one', 'p2 two', 'p3 one', 'p4 three']);
  });

  it('CMM-37 commits between two reads of a contractor’s parts leave nothing out', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    await world.commit(doc.channel(channelRow({ id: 'later' })));
    const { readStore } = world;
    const changesSince = readStore.changesSince.bind(readStore);
    let leads = 0;
    // Each read finds a state of its own.
    readStore.changesSince = async (request) => {
      const changes = await changesSince(request);
      if (request.scope !== 'contractor:two' || leads >= 20) return changes;
      leads += 1;
      const position = world.head() + 1;
      await world.commitAt(position, [doc.placement(placementRow({ id: 'p3', contractorId: 'one', leads }))]);
      return changes;
    };
    const client = await enter();
    await open(client, 'contractor:two');
    await client.until(() => {
      const row = client.replica('contractor:two').docs.get('placement p3')?.doc;
      return (row as { readonly leads?: number } | null | undefined)?.leads === 20;
    });
    expect(leads).toBe(20);
    expect((await readStore.checkpoint(partition))?.position).toBe(world.head());
  });

  it('CMM-38 a page of a contractor with parts is one question, so that a row that moves from part to part meanwhile is on it once', async () => {
    await merge('one', 'two', { one: 'two' }, ['alpha']);
    const { readStore } = world;
    const readEach = readStore.readEach.bind(readStore);
    const moved = { id: 'p2', contractorId: 'one', date: '2026-11-02', price: 150 as never };
    let asked = 0;
    readStore.readEach = async (kind, wanted, take) => {
      await readEach(kind, wanted, take);
      if (kind === 'placement') asked += 1;
      if (kind === 'placement' && asked === 1) await world.commit(doc.placement(placementRow(moved)));
    };
    const asc = '?contractorId=two&sortBy=price&sortOrder=asc';
    const { rows, total } = await placements(asc);
    expect(asked).toBe(1);
    expect([rows.toSorted(), total]).toEqual([['p1 two', 'p2 two', 'p3 two'], 3]);
    expect(await placements(asc)).toEqual({ rows: ['p2 two', 'p3 two', 'p1 two'], total: 3 });
    expect(await placements(`${asc}&pageSize=2&page=2`)).toEqual({ rows: ['p1 two'], total: 3 });
  });
});
