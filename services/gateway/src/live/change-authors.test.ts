import { kopecks } from '@zakup/domain/money';
import { ReadStoreUnavailable } from '@zakup/read-store/read-store';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LiveClient, Replica } from '../testing/live-client.ts';
import { campaignRow, contractorRow, docOf, type Draft, placementRow, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';
import { type AuthorOf, mostEntries, mostRows, changeAuthors } from './change-authors.ts';
import type { StoredChange } from './view.ts';

const doc = docOf(licenceId);
const scope = 'campaign:campaign';
const anna = { userId: 'anna', name: 'Anna' };
const boris = { userId: 'boris', name: 'Boris' };

const row = (id: string, roubles: number): Draft => doc.placement(placementRow({ id, price: kopecks(roubles * 100) }));
const told = (id: string, { userId, name }: { userId: string; name?: string }): Draft =>
  doc.history({ entity: `placement:${id}`, actorId: userId, ...(name === undefined ? {} : { actorName: name }) });
/** A change of a row with its entry. */
const changed = (id: string, roubles: number, by: { userId: string; name: string }): readonly Draft[] => [
  row(id, roubles),
  told(id, by),
];
/** Something that was done `steps` events before the commit's own. */
const before =
  (steps: number, draft: Draft): Draft =>
  (position) =>
    draft(position - steps);
const authorIn = (authorOf: AuthorOf, change: StoredChange | undefined) =>
  change === undefined ? undefined : authorOf(change);

describe('who changed a row, told with the change', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      doc.contractor(contractorRow({ id: 'contractor' })),
      row('one', 1),
      row('two', 1),
    );
  });
  afterEach(() => world.stop());

  const enter = async (userId: string, patches = true, keep = new Map<string, Replica>()): Promise<LiveClient> =>
    world.connect((await world.signIn(userId)).token, { patches, keep });
  const open = async (client: LiveClient, name = scope, since?: number): Promise<void> => {
    const heard = client.messages.length;
    expect(await client.subscribe(name, since)).toMatchObject({ ok: true });
    await client.until(() => client.messages.slice(heard).some((message) => message.last));
  };
  const reached = (client: LiveClient, position: number, name = scope): Promise<void> =>
    client.until(() => client.replica(name).position === position);
  const authorsIn = (client: LiveClient): readonly (readonly [string, unknown])[] =>
    (client.received.at(-1)?.docs ?? []).map(({ id, by }) => [id, by] as const);

  it('BY-1 whoever watches is told with the change who made it, with documents and with patches; documents stay as they are', async () => {
    const [plain, patching] = [await enter('lead', false), await enter('buyer')];
    for (const client of [plain, patching]) await open(client);
    await open(patching, 'contractor:contractor');
    expect(plain.messages.flatMap(({ docs }) => docs).filter((change) => 'by' in change)).toEqual([]);
    for (const roubles of [5, 6]) {
      const position = await world.commit(...changed('one', roubles, anna));
      for (const client of [plain, patching]) await reached(client, position);
      await reached(patching, position, 'contractor:contractor');
    }
    const position = world.head();
    expect(plain.received.at(-1)?.docs).toMatchObject([{ id: 'one', position, doc: { price: 6 }, by: anna }]);
    const patched = { kind: 'placement', id: 'one', position, base: position - 1, patch: { price: [6] }, by: anna };
    expect(patching.received.filter((message) => message.position === position).map(({ docs }) => docs)).toEqual([
      [patched],
      [patched],
    ]);
    const read = await world.get('/placements/one', (await world.signIn('lead')).token);
    for (const client of [plain, patching])
      expect(client.replica(scope).docs.get('placement one')?.doc).toEqual(read.body.data['placement']);
  });

  it('BY-2 a first load and a catch-up name nobody', async () => {
    const since = world.head();
    await world.commit(...changed('one', 5, anna));
    const client = await enter('lead');
    await open(client);
    await open(client, scope, since);
    expect(client.messages.at(-1)?.docs.map(({ id }) => id)).toEqual(['one']);
    expect(client.messages.flatMap(({ docs }) => docs).filter((change) => 'by' in change)).toEqual([]);
  });

  it('BY-3 in one round each row has its own author; a row that two changed has none, one that the same person changed twice has', async () => {
    const client = await enter('lead');
    await open(client);
    const first = world.head() + 2;
    await world.commitAt(first, [before(1, row('one', 5)), before(1, told('one', anna)), ...changed('two', 7, boris)]);
    await reached(client, first);
    expect(authorsIn(client)).toEqual([
      ['one', anna],
      ['two', boris],
    ]);
    const second = world.head() + 3;
    await world.commitAt(second, [
      before(2, told('one', anna)),
      before(1, row('one', 8)),
      before(1, told('one', boris)),
      ...changed('two', 9, boris),
    ]);
    await reached(client, second);
    expect(authorsIn(client)).toEqual([
      ['one', undefined],
      ['two', boris],
    ]);
    const third = world.head() + 2;
    await world.commitAt(third, [before(1, told('one', anna)), ...changed('one', 9, anna)]);
    await reached(client, third);
    expect(authorsIn(client)).toEqual([['one', anna]]);
  });

  it('BY-4 nobody is named where the row has no entry of its own, the actor has no name, the row is gone, or the kind is another', async () => {
    const client = await enter('lead');
    await open(client);
    const commits: readonly (readonly Draft[])[] = [
      [row('one', 5), doc.history({ entity: 'campaign:campaign', actorId: 'anna', actorName: 'Anna' })],
      [
        row('one', 6),
        doc.history({ entity: 'placement:one', actorId: 'system', actorName: '' }),
        doc.campaign(campaignRow({ id: 'campaign', name: 'Other' })),
      ],
      [doc.gone('placement', 'one', [scope, 'contractor:contractor']), told('one', anna)],
    ];
    for (const drafts of commits) await reached(client, await world.commit(...drafts));
    const live = client.received.slice(1).flatMap(({ docs }) => docs);
    expect(live.map(({ kind }) => kind).sort()).toEqual(['campaign', 'placement', 'placement', 'placement']);
    expect(live.filter((change) => 'by' in change)).toEqual([]);
  });

  it('BY-5 one read for a round, none for rounds without rows or with very many', async () => {
    let reads = 0;
    const readStore = {
      scanIndex: (...asked: Parameters<typeof world.readStore.scanIndex>) => {
        reads += 1;
        return world.readStore.scanIndex(...asked);
      },
    };
    const after = world.head();
    const ids = Array.from({ length: mostRows + 1 }, (_, index) => `row-${index}`);
    const position = after + ids.length;
    await world.commitAt(
      position,
      ids.map((id, index) => before(index, told(id, anna))),
    );
    const changes = ids.map((id, index) => {
      const at = position - index;
      return { doc: row(id, 1)(at), gone: false, position: at };
    });
    const few = await changeAuthors(readStore, licenceId, { after, changes: changes.slice(1) });
    expect([...[1, mostRows].map((at) => authorIn(few, changes[at])), reads]).toEqual([anna, anna, 1]);
    const many = await changeAuthors(readStore, licenceId, { after, changes });
    expect([authorIn(many, changes[1]), reads]).toEqual([null, 1]);
    const campaign = doc.campaign(campaignRow({ id: 'campaign' }))(position);
    await changeAuthors(readStore, licenceId, { after, changes: [{ doc: campaign, gone: false, position }] });
    expect(reads).toBe(1);
    const last = world.head() + mostEntries + 1;
    await world.commitAt(
      last,
      Array.from({ length: mostEntries + 1 }, (_, index) => before(index, told('one', anna))),
    );
    const change = { doc: row('one', 1)(last), gone: false, position: last };
    const busy = await changeAuthors(readStore, licenceId, { after: position, changes: [change] });
    expect([busy(change), reads]).toEqual([null, 2]);
    const quiet = await changeAuthors(readStore, licenceId, { after: position + 1, changes: [change] });
    expect([quiet(change), reads]).toEqual([anna, 3]);
  });

  it('BY-6 whoever is told names may read them in the history; who may not read it cannot watch, and hears nothing', async () => {
    await world.commit(...changed('two', 4, boris));
    for (const userId of ['analyst', 'buyer', 'lead', 'owner']) {
      const { token } = await world.signIn(userId);
      const history = await world.get('/placements/two/history', token);
      expect(history.body.data['entries']).toMatchObject([{ actor: boris }]);
    }
    const barred = {
      dashboard: false,
      analytics: true,
      contractors: true,
      creatives: true,
      settings: true,
      reports: true,
    };
    await world.commit(doc.user(userRow({ id: 'barred', permissions: barred })));
    const [client, watcher] = [await enter('barred'), await enter('lead')];
    await open(watcher);
    for (const name of [scope, 'contractor:contractor'])
      expect(await client.subscribe(name)).toMatchObject({ ok: false, problem: { code: 'ACCESS_DENIED' } });
    const { token } = await world.signIn('barred');
    expect((await world.get('/placements/one/history', token)).status).toBe(403);
    await reached(watcher, await world.commit(...changed('one', 5, anna)));
    expect(client.messages).toEqual([]);
  });

  it('BY-7 changes come without names rather than not at all', async () => {
    const client = await enter('lead');
    await open(client);
    Object.assign(world.readStore, { scanIndex: () => Promise.reject(new ReadStoreUnavailable('away')) });
    await reached(client, await world.commit(...changed('one', 5, anna)));
    expect(authorsIn(client)).toEqual([['one', undefined]]);
  });
});
