import { problemBodySchema } from '@zakup/contracts/problems';
import type { Change } from '@zakup/contracts/socket';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { kopecks } from '@zakup/domain/money';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { connected, type LiveClient, liveClient } from '../testing/live-client.ts';
import {
  analyticsRow,
  campaignRow,
  channelRow,
  contractorRow,
  creativeRow,
  docOf,
  earningsRow,
  licenceRow,
  noteRow,
  placementRow,
  userRow,
} from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const hidden = doc.license(
  licenceRow({ id: licenceId, settings: { ...defaultLicenceSettings, earningsVisible: false } }),
);

/** The client library's socket of the transport, which a test may stop reading. */
interface Line {
  pause(): void;
  resume(): void;
  /** One frame, as it is. */
  send(frame: string | Uint8Array): void;
}
const lineOf = ({ socket }: LiveClient): Line => (socket.io.engine.transport as unknown as { readonly ws: Line }).ws;

const docsOf = (client: LiveClient, scope: string): Record<string, unknown> =>
  Object.fromEntries([...client.replica(scope).docs].map(([key, change]) => [key, change.doc]));

describe('the live channel', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.stop());

  /** From here on no limit is refilled, however long the machine takes to send what goes beyond it. */
  const withStoppedClock = async (): Promise<void> => {
    await world.stop();
    world = await startWorld({ clock: () => 0 });
  };
  const enter = async (userId: string, options: Parameters<World['connect']>[1] = {}): Promise<LiveClient> =>
    world.connect((await world.signIn(userId)).token, options);
  const refusalOf = async (auth: object): Promise<ReturnType<typeof problemBodySchema.parse>> => {
    const client = liveClient(world.address, auth);
    const error: unknown = await connected(client).then(
      () => null,
      (reason: unknown) => reason,
    );
    client.close();
    return problemBodySchema.parse((error as { data: unknown }).data);
  };
  const keysOf = (client: LiveClient, scope: string): string[] =>
    [...client.replica(scope).docs]
      .filter(([, change]) => change.doc !== null)
      .map(([key]) => key)
      .sort();
  const at = (client: LiveClient, scope: string, position: number) => (): boolean =>
    (client.replica(scope).position ?? -1) >= position;
  const open = async (client: LiveClient, scope: string, since?: number): Promise<void> => {
    const before = client.messages.length;
    const opened = await client.subscribe(scope, since);
    expect(opened).toMatchObject({ ok: true });
    await client.until(() => client.messages.slice(before).some((message) => message.scope === scope && message.last));
  };
  const campaign = () => doc.campaign(campaignRow({ id: 'campaign' }));

  it('KEY-2895 a key opens no line', async () => {
    const made = { id: 'key-1', licenceId, name: 'Отчёты', access: 'write', createdAt: 0, expiresAt: null } as const;
    const added = await world.credentials.addKey(made);
    const { code } = await refusalOf({ token: added?.secret ?? '', protocolVersion: 1 });
    expect(code).toBe('UNAUTHENTICATED');
  });

  it('GW-30 a connection is refused with the problem in data: no token, a wrong one, another realm, another protocol, a one-time password', async () => {
    expect((await refusalOf({})).code).toBe('UNAUTHENTICATED');
    expect((await refusalOf({ token: 5, protocolVersion: 1 })).code).toBe('UNAUTHENTICATED');
    expect((await refusalOf({ token: '', protocolVersion: 1 })).code).toBe('UNAUTHENTICATED');
    await world.credentials.setAdmin('admin', 'long enough');
    const stamp = (await world.credentials.adminStamp()) ?? '';
    const sessionId = (await world.credentials.openAdminSession(stamp, Date.now())) ?? '';
    const admin = world.tokens.issueAdmin({ login: 'admin', sessionId });
    expect((await refusalOf({ token: admin, protocolVersion: 1 })).code).toBe('UNAUTHENTICATED');
    const { token } = await world.signIn('buyer');
    expect((await refusalOf({ token, protocolVersion: 2 })).code).toBe('VALIDATION_FAILED');
    const temporary = await world.signIn('buyer', { passwordChangeOnly: true });
    expect((await refusalOf({ token: temporary.token, protocolVersion: 1 })).code).toBe('PASSWORD_CHANGE_REQUIRED');
    const { token: unknown } = await world.signIn('nobody');
    expect((await refusalOf({ token: unknown, protocolVersion: 1 })).code).toBe('UNAUTHENTICATED');
  });

  it('GW-31 a subscription answers first, then brings the scope, then what changes, at rising positions', async () => {
    const first = await world.commit(campaign(), doc.channel(channelRow({ id: 'channel' })));
    const client = await enter('buyer');
    const opened = await new Promise((resolve) => {
      client.socket.emit('subscribe', { scope: 'workspace' }, (answer) =>
        resolve({ answer, before: client.messages.length }),
      );
    });
    expect(opened).toEqual({ answer: { ok: true, position: first, reset: false }, before: 0 });
    await client.until(at(client, 'workspace', first));
    const users = ['analyst', 'buyer', 'lead', 'owner'].map((id) => `user ${id}`);
    expect(keysOf(client, 'workspace')).toEqual([
      'campaign campaign',
      'channel channel',
      `license ${licenceId}`,
      ...users,
    ]);
    const second = await world.commit(doc.channel(channelRow({ id: 'channel', name: 'Renamed' })));
    await client.until(at(client, 'workspace', second));
    const third = await world.commit(doc.gone('channel', 'channel', ['workspace']));
    await client.until(at(client, 'workspace', third));
    const [, live, gone] = client.messages;
    expect(live).toMatchObject({
      position: second,
      last: true,
      docs: [{ kind: 'channel', position: second, doc: { name: 'Renamed' } }],
    });
    expect(gone?.docs).toEqual([{ kind: 'channel', id: 'channel', position: third, doc: null }]);
  });

  it('GW-32 a commit arrives in one message for each scope, totals with their rows; other scopes hear nothing', async () => {
    await world.commit(
      campaign(),
      doc.contractor(contractorRow({ id: 'contractor' })),
      doc.campaign(campaignRow({ id: 'other' })),
    );
    const client = await enter('buyer');
    for (const scope of ['workspace', 'campaign:campaign', 'contractor:contractor', 'campaign:other', 'me'])
      await open(client, scope);
    const before = client.messages.length;
    const totals = { ...contractorRow({ id: 'c' }).totals, placements: 1, campaigns: { campaign: 1 } };
    const position = await world.commit(
      doc.placement(placementRow({ id: 'p' })),
      doc.contractor(contractorRow({ id: 'contractor', totals })),
      doc.analytics(analyticsRow({ campaignId: 'campaign' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer' })),
    );
    for (const scope of ['workspace', 'campaign:campaign', 'contractor:contractor'])
      await client.until(at(client, scope, position));
    const heard = Object.fromEntries(
      client.messages
        .slice(before)
        .map(({ scope, docs, last }) => [scope, [docs.map(({ kind }) => kind).sort(), last]]),
    );
    expect(heard).toEqual({
      workspace: [['contractor'], true],
      'campaign:campaign': [['analytics', 'contractor', 'earnings', 'placement'], true],
      'contractor:contractor': [['contractor', 'placement'], true],
    });
    expect(client.messages).toHaveLength(before + 3);
  });

  it('GW-33 a doc is exactly what the HTTP read of its kind answers', async () => {
    await world.commit(
      campaign(),
      doc.channel(channelRow({ id: 'channel' })),
      doc.creative(creativeRow({ id: 'creative' })),
      doc.contractor(contractorRow({ id: 'contractor', notes: [noteRow({ id: 'note', contractorId: 'contractor' })] })),
      doc.note(noteRow({ id: 'note', contractorId: 'contractor' })),
      doc.placement(placementRow({ id: 'p' })),
      doc.analytics(analyticsRow({ campaignId: 'campaign' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'lead' })),
    );
    const { token } = await world.signIn('lead');
    const client = await world.connect(token);
    for (const scope of ['workspace', 'campaign:campaign', 'contractor:contractor', 'me']) await open(client, scope);
    const read = async (path: string): Promise<Record<string, unknown>> => (await world.get(path, token)).body.data;
    const [workspace, inCampaign, inContractor, me] = [
      'workspace',
      'campaign:campaign',
      'contractor:contractor',
      'me',
    ].map((scope) => docsOf(client, scope));
    const listed = async (path: string, member: string, id: string) =>
      ((await read(path))[member] as { id: string }[]).find((one) => one.id === id);
    expect(workspace?.['person buyer']).toEqual(await listed('/users', 'users', 'buyer'));
    const few = await world.get('/users', (await world.signIn('buyer')).token);
    expect(workspace?.['user buyer']).toEqual(
      (few.body.data['users'] as { id: string }[]).find(({ id }) => id === 'buyer'),
    );
    expect(workspace?.['channel channel']).toEqual(await listed('/channels', 'channels', 'channel'));
    expect(workspace?.['campaign campaign']).toEqual(await listed('/campaigns', 'campaigns', 'campaign'));
    expect(workspace?.['creative creative']).toEqual(await listed('/creatives', 'creatives', 'creative'));
    expect(workspace?.['contractor contractor']).toEqual(await listed('/contractors', 'contractors', 'contractor'));
    expect(workspace?.[`license ${licenceId}`]).toEqual((await read('/license'))['license']);
    expect(inCampaign?.['placement p']).toEqual((await read('/placements/p'))['placement']);
    expect(await read('/campaigns/campaign/analytics')).toMatchObject(inCampaign?.['analytics campaign'] as object);
    expect(inCampaign?.['earnings campaign:lead']).toEqual(
      await listed('/campaigns/campaign/earnings', 'earnings', 'campaign:lead'),
    );
    expect([inContractor?.['note note']]).toEqual((await read('/contractors/contractor'))['notes']);
    expect(me?.['user lead']).toEqual((await read('/auth/session'))['user']);
    const sessions = (await read('/auth/sessions'))['sessions'] as { id: string }[];
    expect(keysOf(client, 'me')).toEqual([...sessions.map(({ id }) => `session ${id}`), 'user lead'].sort());
    expect(me?.[`session ${sessions[0]?.id}`]).toEqual(sessions[0]);
  });

  it('GW-34 since brings only what changed after it, what left as null, and an empty message when nothing did', async () => {
    await world.commit(
      campaign(),
      doc.placement(placementRow({ id: 'p1' })),
      doc.placement(placementRow({ id: 'p2' })),
    );
    const since = world.head();
    await world.commit(doc.placement(placementRow({ id: 'p2', leads: 5 })));
    await world.commit(doc.gone('placement', 'p1', ['campaign:campaign', 'contractor:contractor']));
    const client = await enter('buyer');
    await open(client, 'campaign:campaign', since);
    expect(client.messages[0]?.docs.map(({ id, doc: content }) => [id, content === null])).toEqual([
      ['p2', false],
      ['p1', true],
    ]);
    await open(client, 'campaign:campaign', world.head());
    expect(client.messages[1]).toEqual({ scope: 'campaign:campaign', position: world.head(), docs: [], last: true });
  });

  it('GW-35 since below a floor or above the head is answered with a reset and everything', async () => {
    const since = await world.commit(campaign());
    await world.commitAt(since + 1, [], [{ licenceId, scope: 'campaign:campaign' }]);
    const client = await enter('buyer');
    expect(await client.subscribe('campaign:campaign', since)).toMatchObject({ ok: true, reset: true });
    await client.until(() => client.messages.length === 1);
    expect(client.messages[0]?.docs).toHaveLength(1);
    expect(await client.subscribe('workspace', 900)).toMatchObject({ ok: true, reset: true });
  });

  it('GW-56 since from before one’s rights changed is answered with a reset and everything', async () => {
    await world.commit(campaign());
    const since = world.head();
    await world.commit(doc.user(userRow({ id: 'buyer', role: 'TEAM_LEAD' })));
    const client = await enter('buyer');
    expect(await client.subscribe('workspace', since)).toMatchObject({ ok: true, reset: true });
    await client.until(at(client, 'workspace', world.head()));
    expect(keysOf(client, 'workspace')).toContain('person analyst');
    const later = await world.commit(doc.channel(channelRow({ id: 'channel' })));
    expect(await client.subscribe('workspace', later)).toMatchObject({ ok: true, reset: false });
  });

  it('GW-77 a change that cannot be presented resets those in its scope; once it can be, they hold it and what came with it', async () => {
    await world.commit(
      campaign(),
      doc.placement(placementRow({ id: 'p' })),
      doc.channel(channelRow({ id: 'channel' })),
    );
    const client = await enter('lead');
    await open(client, 'campaign:campaign');
    const damaged = { ...campaignRow({ id: 'campaign' }), participants: null as never };
    const moved = doc.placement(placementRow({ id: 'p', price: kopecks(700) }));
    await world.commit(doc.campaign(damaged), moved);
    await client.until(() => client.resets.length === 1);
    expect(client.resets).toEqual(['campaign:campaign']);
    const mended = await world.commit(campaign());
    await open(client, 'campaign:campaign');
    await client.until(at(client, 'campaign:campaign', mended));
    expect(docsOf(client, 'campaign:campaign')['placement p']).toMatchObject({ price: 7 });
    const next = await world.commit(doc.placement(placementRow({ id: 'p', price: kopecks(800) })));
    await client.until(at(client, 'campaign:campaign', next));
    expect(docsOf(client, 'campaign:campaign')['placement p']).toMatchObject({ price: 8 });
  });

  it('GW-36 a floor that rises under a subscription resets it; the next subscription brings everything', async () => {
    await world.commit(campaign());
    const client = await enter('buyer');
    await open(client, 'campaign:campaign');
    await open(client, 'workspace');
    const position = world.head() + 1;
    await world.commitAt(
      position,
      [doc.placement(placementRow({ id: 'p' }))],
      [{ licenceId, scope: 'campaign:campaign' }],
    );
    await client.until(() => client.resets.length === 1);
    expect(client.resets).toEqual(['campaign:campaign']);
    await open(client, 'campaign:campaign');
    expect(keysOf(client, 'campaign:campaign')).toEqual(['campaign campaign', 'placement p']);
  });

  it('LFZ-2 a floor resets once: what comes after it comes as any change, and only what no position tells of resets again', async () => {
    await world.commit(campaign(), doc.placement(placementRow({ id: 'p' })), doc.placement(placementRow({ id: 'q' })));
    const client = await enter('buyer');
    client.socket.on('reset', ({ scope }) => void client.subscribe(scope));
    await open(client, 'campaign:campaign');
    const floors = [{ licenceId, scope: 'campaign:campaign' }];
    const floor = await world.commitAt(world.head() + 1, [doc.placement(placementRow({ id: 'p', leads: 1 }))], floors);
    await client.until(at(client, 'campaign:campaign', floor));
    const changed = await world.commit(doc.placement(placementRow({ id: 'p', leads: 2 })));
    await client.until(at(client, 'campaign:campaign', changed));
    expect(client.resets).toEqual(['campaign:campaign']);
    const gone = world.head() + 1;
    await world.commitAt(gone, [doc.placement(placementRow({ id: 'p', leads: 3 }))], floors);
    await client.until(at(client, 'campaign:campaign', gone));
    await world.commit(doc.gone('placement', 'q', ['campaign:campaign', 'contractor:contractor']));
    await client.until(() => !keysOf(client, 'campaign:campaign').includes('placement q'));
    expect(client.resets).toHaveLength(2);
    const [position, healed] = [world.head(), doc.placement(placementRow({ id: 'p', leads: 9 }))];
    const checkpoint = { partition: 'all', position, fence: 1 };
    await world.readStore.commit({ docs: [healed(gone)], checkpoint, floors, repair: true });
    await client.until(() => client.resets.length === 3);
    await client.until(at(client, 'campaign:campaign', position));
    expect(docsOf(client, 'campaign:campaign')['placement p']).toMatchObject({ leads: 9 });
  });

  it('LFZ-6 who begins with what others just got at a floor is brought on, and is not reset again and again', async () => {
    const position = await world.commit(campaign());
    await world.commitAt(
      position + 1,
      [doc.placement(placementRow({ id: 'p' }))],
      [{ licenceId, scope: 'campaign:campaign' }],
    );
    const first = await enter('lead');
    await open(first, 'campaign:campaign');
    await open(first, 'workspace');
    const beyond = await world.commit(doc.channel(channelRow({ id: 'channel' })));
    await first.until(at(first, 'workspace', beyond));
    const second = await enter('buyer');
    second.socket.on('reset', ({ scope }) => void second.subscribe(scope));
    await second.subscribe('campaign:campaign');
    await second.until(at(second, 'campaign:campaign', beyond));
    const changed = await world.commit(doc.placement(placementRow({ id: 'p', leads: 1 })));
    await second.until(at(second, 'campaign:campaign', changed));
    expect(second.resets.length).toBeLessThan(2);
  });

  it('LFZ-7 who holds a campaign that came back a moment ago loses all of it when it is deleted again', async () => {
    await world.commit(campaign(), doc.placement(placementRow({ id: 'p' })));
    const client = await enter('buyer');
    const answers: (string | true)[] = [];
    client.socket.on('reset', ({ scope }) => {
      void client.subscribe(scope).then((opened) => answers.push(opened.ok || opened.problem.code));
    });
    await open(client, 'campaign:campaign');
    const floors = [{ licenceId, scope: 'campaign:campaign' }];
    const back = await world.commitAt(world.head() + 1, [campaign()], floors);
    await client.until(at(client, 'campaign:campaign', back));
    const gone = doc.gone('campaign', 'campaign', ['workspace', 'campaign:campaign']);
    await world.commitAt(world.head() + 1, [gone], floors);
    await client.until(() => client.resets.length === 2);
    await expect.poll(() => answers).toEqual([true, 'NOT_FOUND']);
    expect(keysOf(client, 'campaign:campaign')).toEqual([]);
  });

  it('LFZ-8 what came and went right after a floor stays with nobody who was just given it', async () => {
    await world.commit(campaign(), doc.placement(placementRow({ id: 'p' })));
    const client = await enter('buyer');
    await open(client, 'campaign:campaign');
    const floor = world.head() + 1;
    await world.commitAt(floor, [campaign()], [{ licenceId, scope: 'campaign:campaign' }]);
    await client.until(() => client.resets.length === 1);
    // The next round reads only when both changes are there, the client after the first of them.
    const changesSince = world.readStore.changesSince.bind(world.readStore);
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    world.readStore.changesSince = async (request) => {
      if (request.scope === 'campaign:campaign' && request.since === floor) await released;
      return changesSince(request);
    };
    const came = await world.commit(doc.placement(placementRow({ id: 'q' })));
    client.socket.on('reset', ({ scope }) => void client.subscribe(scope));
    await client.subscribe('campaign:campaign');
    await client.until(at(client, 'campaign:campaign', came));
    expect(keysOf(client, 'campaign:campaign')).toContain('placement q');
    await world.commit(doc.gone('placement', 'q', ['campaign:campaign', 'contractor:contractor']));
    release();
    await client.until(() => keysOf(client, 'campaign:campaign').join() === 'campaign campaign,placement p');
    world.readStore.changesSince = changesSince;
  });

  it('GW-37 unknown and foreign scopes are NOT_FOUND alike, closed ones ACCESS_DENIED', async () => {
    const other = docOf('0b-foreign');
    await world.commit(
      campaign(),
      other.campaign(campaignRow({ id: 'theirs' })),
      other.contractor(contractorRow({ id: 'theirs' })),
    );
    const client = await enter('buyer');
    for (const scope of ['campaign:theirs', 'campaign:absent', 'contractor:theirs', 'contractor:absent']) {
      const refused = await client.subscribe(scope);
      expect([scope, refused.ok || refused.problem.code]).toEqual([scope, 'NOT_FOUND']);
    }
    await world.commit(doc.user(userRow({ id: 'closed', permissions: { settings: true } })));
    const closed = await enter('closed');
    for (const scope of ['workspace', 'campaign:campaign', 'campaign:absent', 'contractor:absent']) {
      const refused = await closed.subscribe(scope);
      expect([scope, refused.ok || refused.problem.code]).toEqual([scope, 'ACCESS_DENIED']);
    }
    expect(await closed.subscribe('me')).toMatchObject({ ok: true });
  });

  it('GW-61 the owner’s code goes to the owner’s sockets alone', async () => {
    const clients = [await enter('owner'), await enter('lead')];
    for (const client of clients) await open(client, 'workspace');
    const position = await world.commit(
      doc.user(userRow({ id: 'owner', role: 'CEO', isOwner: true, name: 'Renamed' })),
    );
    const codes: unknown[] = [];
    for (const client of clients) {
      await client.until(at(client, 'workspace', position));
      const docs = client.messages.filter((message) => message.position === position).flatMap((one) => one.docs);
      codes.push(docs.filter(({ kind }) => kind === 'person').map(({ doc: person }) => person));
    }
    expect(codes).toMatchObject([[{ authCode: 'CODEowner' }], [{ authCode: '' }]]);
  });

  it('GW-38 sockets of different rights get different documents of one commit', async () => {
    await world.commit(campaign(), hidden);
    const [lead, buyer] = [await enter('lead'), await enter('buyer')];
    for (const client of [lead, buyer])
      for (const scope of ['workspace', 'campaign:campaign', 'me']) await open(client, scope);
    const participants = ['buyer', 'lead'].map((userId) => ({
      userId,
      budget: campaignRow({ id: 'c' }).totalBudget,
      salaryType: 'performance',
      salaryRate: 5,
      cplThreshold: null,
    }));
    const position = await world.commit(
      doc.user(userRow({ id: 'buyer', name: 'Renamed' })),
      doc.campaign(campaignRow({ id: 'campaign', participants })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'lead' })),
    );
    for (const client of [lead, buyer]) {
      for (const scope of ['workspace', 'campaign:campaign']) await client.until(at(client, scope, position));
    }
    await buyer.until(at(buyer, 'me', position));
    const ofKind = (client: LiveClient, scope: string, kind: string): Change[] =>
      client.messages
        .filter((message) => message.scope === scope && message.position === position)
        .flatMap(({ docs }) => docs.filter((one) => one.kind === kind));
    expect(ofKind(lead, 'workspace', 'person').map(({ id }) => id)).toEqual(['buyer']);
    expect(ofKind(buyer, 'workspace', 'person')).toEqual([]);
    expect(ofKind(buyer, 'workspace', 'user')[0]?.doc).toEqual({
      id: 'buyer',
      revision: 0,
      name: 'Renamed',
      role: 'MEDIA_BUYER',
      isActive: true,
    });
    expect(ofKind(lead, 'campaign:campaign', 'earnings').map(({ id }) => id)).toEqual([
      'campaign:buyer',
      'campaign:lead',
    ]);
    expect(ofKind(buyer, 'campaign:campaign', 'earnings')).toEqual([]);
    expect(ofKind(buyer, 'me', 'earnings').map(({ id }) => id)).toEqual(['campaign:buyer']);
    const rates = (client: LiveClient): unknown =>
      ofKind(client, 'campaign:campaign', 'campaign').map(({ doc: content }) =>
        (content as { participants: { salaryRate: unknown }[] }).participants.map(({ salaryRate }) => salaryRate),
      );
    expect(rates(lead)).toEqual([[5, 5]]);
    expect(rates(buyer)).toEqual([[5, null]]);
  });

  it('GW-39 a person who loses or gains rights has the scopes they concern reset, and nothing else', async () => {
    await world.commit(campaign(), doc.contractor(contractorRow({ id: 'contractor' })));
    const client = await enter('buyer');
    for (const scope of ['workspace', 'campaign:campaign', 'contractor:contractor', 'me']) await open(client, scope);
    await world.commit(doc.user(userRow({ id: 'buyer', role: 'TEAM_LEAD' })));
    await client.until(() => client.resets.length === 1);
    expect(client.resets).toEqual(['workspace']);
    await open(client, 'workspace');
    expect(keysOf(client, 'workspace')).toContain('person lead');
    await world.commit(doc.user(userRow({ id: 'buyer', permissions: { settings: true } })));
    await client.until(() => client.resets.length === 5);
    // Without the dashboard others' earnings are closed, so one's own would come in `me`.
    expect(client.resets.slice(1).sort()).toEqual(['campaign:campaign', 'contractor:contractor', 'me', 'workspace']);
    const refused = await client.subscribe('workspace');
    expect(refused.ok || refused.problem.code).toBe('ACCESS_DENIED');
    expect(client.socket.connected).toBe(true);
  });

  it('GW-40 a switch of the licence moves those whom it concerns', async () => {
    await world.commit(campaign());
    const [lead, buyer] = [await enter('lead'), await enter('buyer')];
    for (const client of [lead, buyer]) await open(client, 'campaign:campaign');
    await world.commit(hidden);
    await buyer.until(() => buyer.resets.length === 1);
    const position = await world.commit(doc.placement(placementRow({ id: 'p' })));
    await lead.until(at(lead, 'campaign:campaign', position));
    expect(lead.resets).toEqual([]);
    expect(buyer.messages).toHaveLength(1);
  });

  it('GW-41 an inactive person is out with ACCESS_DENIED, employees of a suspended licence with LICENSE_INACTIVE', async () => {
    const [buyer, lead, owner] = [await enter('buyer'), await enter('lead'), await enter('owner')];
    await open(owner, 'workspace');
    await world.commit(doc.user(userRow({ id: 'buyer', isActive: false })));
    await buyer.until(() => !buyer.socket.connected);
    expect(buyer.ended.map(({ code }) => code)).toEqual(['ACCESS_DENIED']);
    const position = await world.commit(
      doc.license(licenceRow({ id: licenceId, suspended: { reason: 'unpaid', at: '2026-11-01T00:00:00.000Z' } })),
    );
    await lead.until(() => !lead.socket.connected);
    expect(lead.ended.map(({ code }) => code)).toEqual(['LICENSE_INACTIVE']);
    await owner.until(at(owner, 'workspace', position));
    expect(owner.ended).toEqual([]);
  });

  it('GW-42 the end of a session ends its sockets with the reason, and shows in the other ones of the person', async () => {
    const [first, second] = [await world.signIn('buyer'), await world.signIn('buyer')];
    const [one, two] = [await world.connect(first.token), await world.connect(second.token)];
    await open(two, 'me');
    expect(keysOf(two, 'me')).toHaveLength(3);
    await world.credentials.endSession(first.sessionId, 'logged_out');
    await one.until(() => !one.socket.connected);
    expect(one.ended.map(({ code }) => code)).toEqual(['LOGGED_OUT']);
    await two.until(() => two.resets.includes('me'));
    await open(two, 'me');
    expect(keysOf(two, 'me')).toEqual([`session ${second.sessionId}`, 'user buyer']);
    await world.credentials.endSession(second.sessionId, 'revoked');
    await two.until(() => !two.socket.connected);
    expect(two.ended.map(({ code }) => code)).toEqual(['SESSION_REVOKED']);
  });

  it('GW-43 a socket lives as long as its token, and longer when it is renewed in time', async () => {
    const short = await world.signIn('buyer', { lifetime: 2_000 });
    const [left, renewed] = [await world.connect(short.token), await world.connect(short.token)];
    const { token } = await world.signIn('buyer');
    const renew = (client: LiveClient, message: unknown): Promise<{ ok: boolean }> =>
      new Promise((resolve) => {
        client.socket.emit('renew', message as { token: string }, resolve);
      });
    expect(await renew(renewed, { token: (await world.signIn('lead')).token })).toMatchObject({
      ok: false,
      problem: { code: 'UNAUTHENTICATED' },
    });
    expect(await renew(renewed, { token: 'no.token.this' })).toMatchObject({
      ok: false,
      problem: { code: 'UNAUTHENTICATED' },
    });
    expect(await renew(renewed, { token })).toEqual({ ok: true });
    await left.until(() => !left.socket.connected);
    expect(left.ended.map(({ code }) => code)).toEqual(['TOKEN_EXPIRED']);
    expect(renewed.socket.connected).toBe(true);
    expect(renewed.ended).toEqual([]);
  });

  it('GW-44 wrong messages are answered, without an ack by the event problem', async () => {
    const client = await enter('buyer');
    const emit = client.socket.emit.bind(client.socket) as (event: string, ...args: unknown[]) => unknown;
    const answer = (event: string, ...args: unknown[]): Promise<unknown> =>
      new Promise((resolve) => {
        emit(event, ...args, resolve);
      });
    const wrong = { ok: false, problem: { code: 'VALIDATION_FAILED' } };
    for (const message of [
      null,
      5,
      'x',
      [],
      {},
      { scope: 5 },
      { scope: 'elsewhere' },
      { scope: 'campaign:../x' },
      { scope: 'me', since: -1 },
      { scope: 'me', since: '1' },
    ])
      expect(await answer('subscribe', message)).toMatchObject(wrong);
    expect(await answer('subscribe')).toMatchObject(wrong);
    expect(await answer('unsubscribe', {})).toMatchObject(wrong);
    expect(await answer('renew', { token: 5 })).toMatchObject(wrong);
    expect(await answer('nonsense', {})).toMatchObject(wrong);
    emit('subscribe', { scope: 'elsewhere' });
    emit('nonsense');
    emit('presence', { scope: 'workspace', focus: { placementId: 'p', field: 'price', mode: 'dancing' } });
    emit('presence', { scope: 'workspace', focus: null });
    await client.until(() => client.problems.length === 4);
    expect(client.problems.map(({ code }) => code)).toEqual([
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
      'VALIDATION_FAILED',
      'NOT_FOUND',
    ]);
    expect(await answer('unsubscribe', { scope: 'workspace' })).toEqual({ ok: true });
  });

  it('GW-45 too many messages are refused, and that is said once a second; too large ones end the line', async () => {
    await withStoppedClock();
    const client = await enter('buyer');
    const answers: { ok: boolean; problem?: { code: string } }[] = [];
    await new Promise<void>((resolve) => {
      for (let sent = 0; sent < 1_000; sent += 1)
        client.socket.emit('unsubscribe', { scope: 'workspace' }, (answer) => {
          answers.push(answer);
          if (!answer.ok) resolve();
        });
    });
    const other = await enter('lead');
    await open(other, 'workspace');
    const position = await world.commit(doc.channel(channelRow({ id: 'channel' })));
    await other.until(at(other, 'workspace', position));
    expect(answers.filter(({ ok }) => ok).length).toBeLessThanOrEqual(200);
    expect(answers.filter(({ ok }) => !ok).map(({ problem }) => problem?.code)).toEqual(['RATE_LIMITED']);
    expect(client.socket.connected).toBe(true);
    client.socket.emit('unsubscribe', { scope: 'x'.repeat(20_000) }, () => undefined);
    await client.until(() => !client.socket.connected);
  });

  it('GW-79 a socket looks at 64 scopes together; the next one is refused, anew is one of them, and who lets go of one has room', async () => {
    const ids = Array.from({ length: 64 }, (_, index) => `c${index}`);
    await world.commit(...ids.map((id) => doc.campaign(campaignRow({ id }))));
    const client = await enter('buyer');
    for (const id of ids) expect(await client.subscribe(`campaign:${id}`)).toMatchObject({ ok: true });
    expect(await client.subscribe('workspace')).toMatchObject({ ok: false, problem: { code: 'RATE_LIMITED' } });
    await open(client, 'campaign:c0');
    await client.socket.emitWithAck('unsubscribe', { scope: 'campaign:c1' });
    await open(client, 'workspace');
    expect(client.problems).toEqual([]);
  });

  it('GW-70 presence counts as any message, and a flood of it is not answered one by one', async () => {
    await withStoppedClock();
    const client = await enter('buyer');
    for (let sent = 0; sent < 1_000; sent += 1) lineOf(client).send('42["presence",1]');
    await client.until(() => client.problems.some(({ code }) => code === 'RATE_LIMITED'));
    const other = await enter('lead');
    await open(other, 'workspace');
    expect(client.problems.length).toBeLessThanOrEqual(201);
    expect(client.problems.filter(({ code }) => code === 'RATE_LIMITED')).toHaveLength(1);
  });

  it('GW-71 who floods without reading is cut off, and others get their changes meanwhile', async () => {
    const [flooding, other] = [await enter('buyer'), await enter('lead')];
    await open(other, 'workspace');
    const line = lineOf(flooding);
    line.pause();
    const before = process.memoryUsage().rss;
    for (let sent = 0; sent < 50_000; sent += 1) line.send('42["presence",1]');
    const began = scheduledTime();
    const position = await world.commit(doc.channel(channelRow({ id: 'channel' })));
    await other.until(at(other, 'workspace', position));
    expect(began.stop()).toBeLessThan(1_000);
    line.resume();
    await flooding.until(() => !flooding.socket.connected);
    expect(world.live.size()).toBe(1);
    expect(process.memoryUsage().rss - before).toBeLessThan(60 * 2 ** 20);
    await open(other, 'me');
  });

  it.each([
    ['heartbeats nobody asked for', '3', 2_000],
    ['packets of no message', '43[]', 2_000],
    ['entries to rooms that are not there', '40/nowhere,', 20],
    ['bytes', new Uint8Array([1, 2, 3]), 1],
  ])('GW-72 a line with too many packets is cut off: %s', async (_, frame, count) => {
    await withStoppedClock();
    const client = await enter('buyer');
    const other = await enter('lead');
    for (let sent = 0; sent < count; sent += 1) lineOf(client).send(frame);
    await client.until(() => !client.socket.connected);
    await open(other, 'workspace');
    expect(world.live.size()).toBe(1);
  });

  it('GW-73 of presence that waits for its turn the last word counts', async () => {
    await world.commit(campaign());
    const [one, two] = [await enter('buyer'), await enter('lead')];
    for (const client of [one, two]) await open(client, 'campaign:campaign');
    for (let sent = 1; sent <= 190; sent += 1)
      one.socket.emit('presence', {
        scope: 'campaign:campaign',
        focus: { placementId: 'p', field: `field ${sent}`, mode: 'viewing' },
      });
    await two.until(() => two.presences.at(-1)?.people[0]?.focus?.field === 'field 190');
    expect(one.problems).toEqual([]);
  });

  it('GW-46 who leaves a scope hears nothing of it any more', async () => {
    await world.commit(campaign());
    const client = await enter('buyer');
    await open(client, 'campaign:campaign');
    await open(client, 'workspace');
    await new Promise((resolve) => {
      client.socket.emit('unsubscribe', { scope: 'campaign:campaign' }, resolve);
    });
    const before = client.messages.length;
    const position = await world.commit(doc.campaign(campaignRow({ id: 'campaign', name: 'Renamed' })));
    await client.until(at(client, 'workspace', position));
    expect(client.messages.slice(before).map(({ scope }) => scope)).toEqual(['workspace']);
  });

  it('GW-47 presence shows who is where to everybody in the scope, the last word counts, and nobody stays who left', async () => {
    await world.commit(campaign());
    const [one, two, elsewhere] = [await enter('buyer'), await enter('lead'), await enter('owner')];
    for (const client of [one, two]) await open(client, 'campaign:campaign');
    await open(elsewhere, 'workspace');
    const focus = (field: string) => ({ placementId: 'p', field, mode: 'editing' as const });
    for (const field of ['price', 'leads', 'format'])
      one.socket.emit('presence', { scope: 'campaign:campaign', focus: focus(field) });
    await two.until(() => two.presences.at(-1)?.people[0]?.focus?.field === 'format');
    expect(two.presences.at(-1)).toEqual({
      scope: 'campaign:campaign',
      people: [
        { sessionId: expect.any(String) as string, userId: 'buyer', name: 'Person buyer', focus: focus('format') },
      ],
    });
    const late = await enter('analyst');
    await open(late, 'campaign:campaign');
    await late.until(() => late.presences.length > 0);
    expect(late.presences[0]?.people).toHaveLength(1);
    one.close();
    await two.until(() => two.presences.at(-1)?.people.length === 0);
    expect(elsewhere.presences).toEqual([]);
  });

  it('GW-48 a large load comes in parts at one position, only the last of which completes it', async () => {
    const placements = Array.from({ length: 1_200 }, (_, index) => doc.placement(placementRow({ id: `p${index}` })));
    await world.commit(campaign(), ...placements);
    const client = await enter('buyer');
    await open(client, 'campaign:campaign');
    expect(client.messages.length).toBeGreaterThan(2);
    expect(client.messages.every(({ docs }) => docs.length <= 500)).toBe(true);
    expect(client.messages.map(({ last }) => last)).toEqual([...client.messages.slice(1).map(() => false), true]);
    expect(new Set(client.messages.map(({ position }) => position))).toEqual(new Set([world.head()]));
    expect(client.replica('campaign:campaign').docs.size).toBe(1_201);
  });

  it('GW-80 a load in parts tells with each but the last how far it is, and one that needs no parts tells nothing', async () => {
    const placements = Array.from({ length: 600 }, (_, index) => doc.placement(placementRow({ id: `p${index}` })));
    await world.commit(campaign(), ...placements);
    const client = await enter('buyer');
    await open(client, 'campaign:campaign');
    await open(client, 'workspace');
    expect(client.messages.map(({ scope, progress }) => [scope, progress])).toEqual([
      ['campaign:campaign', { sent: 250, total: 601 }],
      ['campaign:campaign', { sent: 500, total: 601 }],
      ['campaign:campaign', undefined],
      ['workspace', undefined],
    ]);
  });

  it('GW-49 what is committed while a load is under way is neither lost nor sent backwards', async () => {
    const placements = Array.from({ length: 3_000 }, (_, index) => doc.placement(placementRow({ id: `p${index}` })));
    await world.commit(campaign(), ...placements);
    const client = await enter('buyer');
    const opening = client.subscribe('campaign:campaign');
    for (let leads = 1; leads <= 40; leads += 1) {
      await world.commit(doc.placement(placementRow({ id: `p${leads}`, leads })));
      if (leads === 20) await opening;
    }
    await client.until(at(client, 'campaign:campaign', world.head()));
    const { docs } = client.replica('campaign:campaign');
    for (let leads = 1; leads <= 40; leads += 1) expect(docs.get(`placement p${leads}`)?.doc).toMatchObject({ leads });
    const completed = client.messages.filter(({ last }) => last).map(({ position }) => position);
    expect(completed).toEqual([...new Set(completed)].sort((a, b) => a - b));
  });

  it('GW-50 rows of a deleted campaign are not in a contractor’s scope', async () => {
    await world.commit(
      campaign(),
      doc.contractor(contractorRow({ id: 'contractor' })),
      doc.placement(placementRow({ id: 'p' })),
      doc.placement(placementRow({ id: 'orphan', campaignId: 'deleted' })),
    );
    const client = await enter('buyer');
    await open(client, 'contractor:contractor');
    expect(keysOf(client, 'contractor:contractor')).toEqual(['contractor contractor', 'placement p']);
  });

  it('GW-51 a new socket of another session shows among one’s own', async () => {
    const one = await enter('buyer');
    await open(one, 'me');
    await enter('buyer');
    await one.until(() => one.resets.includes('me'));
    await open(one, 'me');
    expect(keysOf(one, 'me').filter((key) => key.startsWith('session'))).toHaveLength(2);
    const again = await one.subscribe('me', world.head());
    expect(again).toMatchObject({ ok: true, reset: true });
  });

  it('GW-52 long polling is served too', async () => {
    const client = await enter('buyer', { transports: ['polling'] });
    await open(client, 'workspace');
    const position = await world.commit(doc.channel(channelRow({ id: 'new' })));
    await client.until(at(client, 'workspace', position));
    expect(keysOf(client, 'workspace')).toContain('channel new');
  });

  it('GW-53 stopping tells every socket, closes it, and refuses new ones', async () => {
    const client = await enter('buyer');
    await open(client, 'workspace');
    await world.live.stop();
    await client.until(() => !client.socket.connected);
    expect(client.ended.map(({ code }) => code)).toEqual(['SERVER_STOPPING']);
    expect(world.live.size()).toBe(0);
  });
});

describe('a slow client', () => {
  it('GW-54 gets nothing more while its line is full, holds up nobody, and is caught up by position afterwards', async () => {
    const world = await startWorld({ bufferLimit: 64 * 1024 });
    try {
      await world.commit(doc.campaign(campaignRow({ id: 'campaign' })));
      const [slow, quick] = [
        await world.connect((await world.signIn('buyer')).token),
        await world.connect((await world.signIn('lead')).token),
      ];
      for (const client of [slow, quick]) {
        await client.subscribe('campaign:campaign');
        await client.until(() => client.messages.length === 1);
      }
      lineOf(slow).pause();
      const rounds = 40;
      for (let round = 1; round <= rounds; round += 1) {
        const placements = Array.from({ length: 25 }, (_, index) =>
          doc.placement(placementRow({ id: `p${index}`, leads: round, category: 'x'.repeat(20_000) })),
        );
        const position = await world.commit(...placements);
        await quick.until(() => (quick.replica('campaign:campaign').position ?? 0) >= position);
      }
      expect(slow.messages).toHaveLength(1);
      lineOf(slow).resume();
      await slow.until(() => slow.replica('campaign:campaign').position === world.head());
      expect(slow.messages.length).toBeLessThan(quick.messages.length);
      expect(docsOf(slow, 'campaign:campaign')).toEqual(docsOf(quick, 'campaign:campaign'));
      const positions = slow.messages.filter(({ last }) => last).map(({ position }) => position);
      expect(positions).toEqual([...new Set(positions)].sort((a, b) => a - b));
    } finally {
      await world.stop();
    }
  });

  it('GW-74 who asks and asks while its line is full is cut off', async () => {
    const world = await startWorld({ bufferLimit: 64 * 1024 });
    try {
      await world.commit(doc.campaign(campaignRow({ id: 'campaign' })));
      const [deaf, quick] = [
        await world.connect((await world.signIn('buyer')).token),
        await world.connect((await world.signIn('lead')).token),
      ];
      for (const client of [deaf, quick]) {
        await client.subscribe('campaign:campaign');
        await client.until(() => client.messages.length === 1);
      }
      lineOf(deaf).pause();
      for (let round = 1; round <= 40; round += 1) {
        const placements = Array.from({ length: 25 }, (_, index) =>
          doc.placement(placementRow({ id: `p${index}`, leads: round, category: 'x'.repeat(20_000) })),
        );
        const position = await world.commit(...placements);
        await quick.until(() => (quick.replica('campaign:campaign').position ?? 0) >= position);
      }
      expect(world.live.size()).toBe(2);
      for (let sent = 0; sent < 190; sent += 1) lineOf(deaf).send('42["unsubscribe",{"scope":"workspace"}]');
      await quick.subscribe('workspace');
      await quick.until(() => quick.messages.some(({ scope }) => scope === 'workspace'));
      // What one line has sent may be read after what another one sent later.
      await expect.poll(() => world.live.size()).toBe(1);
    } finally {
      await world.stop();
    }
  });
});
