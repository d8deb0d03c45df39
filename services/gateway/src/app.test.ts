import { positionSchema } from '@zakup/contracts/position';
import {
  analyticsSchema,
  campaignSchema,
  channelSchema,
  contractorSchema,
  creativeSchema,
  earningsSchema,
  licenseSchema,
  personSchema,
  placementSchema,
  sessionSchema,
  userSchema,
} from '@zakup/contracts/wire-entities';
import { problemBodySchema } from '@zakup/contracts/problems';
import { defaultLicenceSettings } from '@zakup/domain/licence/licence-defaults';
import { kopecks } from '@zakup/domain/money';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
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
} from './testing/rows.ts';
import { licenceId, startWorld, type World } from './testing/world.ts';

const doc = docOf(licenceId);
const foreign = '0b-foreign';
const foreignDoc = docOf(foreign);

describe('reads over HTTP', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.stop());

  const tokenOf = async (userId: string): Promise<string> => (await world.signIn(userId)).token;
  const get = async (path: string, userId = 'owner') => world.get(path, await tokenOf(userId));

  /** A campaign with placements, everything around it, and the like in another licence. */
  const fill = (): Promise<number> =>
    world.commit(
      doc.channel(channelRow({ id: 'channel' })),
      doc.campaign(
        campaignRow({
          id: 'campaign',
          participants: [
            {
              userId: 'buyer',
              budget: kopecks(0),
              salaryType: 'performance',
              salaryRate: 7,
              cplThreshold: kopecks(9_000),
            },
            { userId: 'lead', budget: kopecks(0), salaryType: 'budget', salaryRate: 9, cplThreshold: null },
          ],
        }),
      ),
      doc.campaign(campaignRow({ id: 'other', name: 'Other', channelId: 'second' })),
      doc.creative(creativeRow({ id: 'creative', name: 'Кот' })),
      doc.creative(creativeRow({ id: 'resting', isActive: false })),
      doc.user(userRow({ id: 'gone', isActive: false })),
      doc.contractor(
        contractorRow({
          id: 'contractor',
          notes: [noteRow({ id: 'note', contractorId: 'contractor', note: 'Торгуется' })],
          totals: {
            spent: kopecks(30_000),
            leads: 4,
            placements: 3,
            days: { '2026-11-20': 1, '2026-11-21': 1, '2026-11-22': 1 },
            campaigns: { campaign: 2, other: 1 },
          },
        }),
      ),
      doc.contractor(contractorRow({ id: 'zebra', adminUsername: '@Zebra' })),
      doc.contractor(contractorRow({ id: 'asleep', isActive: false })),
      doc.placement(
        placementRow({ id: 'p1', date: '2026-11-20', price: kopecks(20_000), leads: 3, paymentStatus: 'paid' }),
      ),
      doc.placement(
        placementRow({
          id: 'p2',
          contractorId: 'zebra',
          date: '2026-11-22',
          price: kopecks(5_050),
          creativeId: 'creative',
        }),
      ),
      doc.placement(placementRow({ id: 'p3', date: '2026-11-21', leads: 1, buyerId: 'lead', category: 'Видео' })),
      doc.placement(placementRow({ id: 'p4', date: '2026-11-22', campaignId: 'other' })),
      doc.analytics(
        analyticsRow({
          campaignId: 'campaign',
          paid: kopecks(20_000),
          total: { spent: kopecks(35_050), leads: 4, placements: 3 },
          byBuyer: {
            buyer: { spent: kopecks(25_050), leads: 3, placements: 2 },
            lead: { spent: kopecks(10_000), leads: 1, placements: 1 },
          },
          byCreative: {
            NO_CREATIVE: { spent: kopecks(30_000), leads: 4, placements: 2 },
            creative: { spent: kopecks(5_050), leads: 0, placements: 1 },
          },
        }),
      ),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'buyer' })),
      doc.earnings(earningsRow({ campaignId: 'campaign', userId: 'lead' })),
      foreignDoc.license(licenceRow({ id: foreign, licenseKey: 'LICENSE-XXXX-XXXX-XXXX-XXXX' })),
      foreignDoc.user(userRow({ id: 'stranger', role: 'CEO', isOwner: true })),
      foreignDoc.campaign(campaignRow({ id: 'foreign-campaign' })),
      foreignDoc.contractor(contractorRow({ id: 'foreign-contractor' })),
      foreignDoc.placement(placementRow({ id: 'foreign-placement', campaignId: 'foreign-campaign' })),
    );

  it('GW-1 every answer carries success, error, data and the position it is complete to', async () => {
    const position = await fill();
    for (const path of [
      '/users',
      '/channels',
      '/campaigns',
      '/creatives',
      '/contractors',
      '/contractors/contractor',
      '/campaigns/campaign/placements',
      '/placements/p1',
      '/campaigns/campaign/analytics',
      '/campaigns/campaign/earnings',
      '/license',
      '/auth/session',
      '/auth/sessions',
    ]) {
      const { status, body, headers } = await get(path);
      expect([path, status, body.success, body.error, body.position]).toEqual([path, 200, true, null, position]);
      expect(headers.get('cache-control')).toBe('no-store');
      expect(positionSchema.parse(body.position)).toBe(position);
    }
  });

  it('GW-2 people are four members, and everything to those who may read people', async () => {
    await fill();
    const few = z.array(userSchema.strict()).parse((await get('/users', 'buyer')).body.data['users']);
    expect(few.map(({ id }) => id)).toEqual(['analyst', 'buyer', 'lead', 'owner']);
    const whole = z
      .array(personSchema.strict())
      .parse((await get('/users?includeInactive=true', 'lead')).body.data['users']);
    expect(whole.map(({ id }) => id)).toContain('gone');
    expect(whole.every((person) => person.licenseId === licenceId)).toBe(true);
  });

  it('GW-60 the owner’s code is read by the owner alone', async () => {
    const codes = async (viewer: string) => {
      const { body } = await get('/users', viewer);
      const people = z.array(personSchema.strict()).parse(body.data['users']);
      return ['owner', 'buyer'].map((id) => people.find((person) => person.id === id)?.authCode);
    };
    expect(await codes('owner')).toEqual(['CODEowner', 'CODEbuyer']);
    expect(await codes('lead')).toEqual(['', 'CODEbuyer']);
    expect((await get('/auth/session', 'owner')).body.data['user']).toMatchObject({ authCode: 'CODEowner' });
  });

  it('GW-3 lists hold what is active, all of it on request; campaigns and creatives also at the top', async () => {
    await fill();
    const { body: channels } = await get('/channels', 'buyer');
    expect(
      z
        .array(channelSchema.strict())
        .parse(channels.data['channels'])
        .map(({ id }) => id),
    ).toEqual(['channel']);
    const { body: campaigns } = await get('/campaigns', 'buyer');
    expect(z.array(campaignSchema.strict()).parse(campaigns['campaigns'])).toHaveLength(2);
    expect(campaigns.data['campaigns']).toEqual(campaigns['campaigns']);
    const { body: creatives } = await get('/creatives', 'buyer');
    expect(
      z
        .array(creativeSchema.strict())
        .parse(creatives['creatives'])
        .map(({ id }) => id),
    ).toEqual(['creative']);
    expect(creatives.data['creatives']).toEqual(creatives['creatives']);
    expect((await get('/creatives?includeInactive=true')).body.data['creatives']).toHaveLength(2);
    const { body: contractors } = await get('/contractors', 'buyer');
    expect(z.array(contractorSchema.strict()).parse(contractors.data['contractors'])).toHaveLength(2);
    expect((await get('/contractors?includeInactive=true')).body.data['contractors']).toHaveLength(3);
  });

  it('GW-4 a contractor comes with history, newest first and without deleted campaigns, and notes', async () => {
    await fill();
    const { body } = await get('/contractors/contractor', 'buyer');
    expect(contractorSchema.parse(body.data['contractor']).averageCostPerLead).toBe(75);
    expect(body.data['notes']).toEqual([expect.objectContaining({ id: 'note', note: 'Торгуется' })]);
    expect(body.data['history']).toEqual([
      expect.objectContaining({ placementId: 'p4', campaignId: 'other', campaignName: 'Other', date: '2026-11-22' }),
      expect.objectContaining({
        placementId: 'p3',
        campaignName: 'Campaign campaign',
        price: 100,
        leads: 1,
        costPerLead: 100,
      }),
      expect.objectContaining({ placementId: 'p1', price: 200, leads: 3, costPerLead: 66.67 }),
    ]);
    const ofChannel = await get('/contractors/contractor?channelId=second');
    expect(ofChannel.body.data['history']).toEqual([expect.objectContaining({ placementId: 'p4' })]);
    await world.commit(doc.gone('campaign', 'other', ['workspace', 'campaign:other']));
    const after = await get('/contractors/contractor');
    expect(after.body.data['history']).toHaveLength(2);
    expect((await get('/placements/p4')).status).toBe(404);
  });

  it('GW-5 placements are filtered, searched, sorted and paged', async () => {
    await fill();
    const ids = async (query: string): Promise<readonly [readonly string[], unknown]> => {
      const { body, status } = await get(`/campaigns/campaign/placements${query}`, 'analyst');
      expect(status).toBe(200);
      const rows = z.array(placementSchema.strict()).parse(body.data['placements']);
      return [rows.map(({ id }) => id), body.data['total']];
    };
    expect(await ids('')).toEqual([['p1', 'p3', 'p2'], 3]);
    expect(await ids('?sortOrder=desc&pageSize=2')).toEqual([['p2', 'p3'], 3]);
    expect(await ids('?sortOrder=desc&pageSize=2&page=2')).toEqual([['p1'], 3]);
    expect(await ids('?sortBy=price')).toEqual([['p2', 'p3', 'p1'], 3]);
    expect(await ids('?sortBy=costPerLead&sortOrder=desc')).toEqual([['p3', 'p1', 'p2'], 3]);
    expect(await ids('?sortBy=contractorId')).toEqual([['p1', 'p3', 'p2'], 3]);
    expect(await ids('?sortBy=creativeId&pageSize=1')).toEqual([['p1'], 3]);
    expect(await ids('?sortBy=creativeId&sortOrder=desc&pageSize=1')).toEqual([['p2'], 3]);
    expect(await ids('?contractorId=zebra')).toEqual([['p2'], 1]);
    expect(await ids('?paymentStatus=paid')).toEqual([['p1'], 1]);
    expect(await ids('?creativeId=NO_CREATIVE&category=%D0%92%D0%B8%D0%B4%D0%B5%D0%BE')).toEqual([['p3'], 1]);
    expect(await ids('?buyerId=lead&format=1/24&status=PENDING')).toEqual([['p3'], 1]);
    expect(await ids('?dateFrom=2026-11-21&dateTo=2026-11-21')).toEqual([['p3'], 1]);
    expect(await ids('?priceFrom=50,5&priceTo=100')).toEqual([['p3', 'p2'], 2]);
    expect(await ids('?search=%D0%BA%D0%9E%D1%82')).toEqual([['p2'], 1]);
    expect(await ids('?search=ZEBRA&sortBy=buyerId')).toEqual([['p2'], 1]);
    expect(await ids('?page=7')).toEqual([[], 3]);
  });

  it('GW-1688 a placement is found by its comment, and one that an earlier release folded has none', async () => {
    await fill();
    const { comment: _, postUrl: __, ...earlier } = placementRow({ id: 'p8' });
    await world.commit(
      doc.placement(placementRow({ id: 'p9', comment: 'Пост в Ёлке\nв 18:00', postUrl: 'https://t.me/some/9' })),
      doc.placement(earlier as ReturnType<typeof placementRow>),
    );
    const rows = async (search: string) => {
      const query = new URLSearchParams({ search, pageSize: '100' }).toString();
      return (await get(`/campaigns/campaign/placements?${query}`, 'analyst')).body.data['placements'];
    };
    expect(await rows('ёлке')).toMatchObject([
      { id: 'p9', comment: 'Пост в Ёлке\nв 18:00', postUrl: 'https://t.me/some/9' },
    ]);
    expect(await rows('t.me/some/9')).toEqual([]);
    expect((await get('/placements/p8', 'analyst')).body.data['placement']).toMatchObject({
      comment: '',
      postUrl: null,
    });
  });

  it('GW-81 rows of an equal day stand oldest first while dates rise and newest first while they fall, stored and searched alike', async () => {
    await world.commit(
      doc.campaign(campaignRow({ id: 'campaign' })),
      ...['b', 'a', 'c'].map((id, index) =>
        doc.placement(
          placementRow({ id, date: '2026-11-20', createdAt: `2026-11-20T09:0${index === 2 ? 1 : 0}:00.000Z` }),
        ),
      ),
    );
    for (const search of ['', '&search=мемы']) {
      const ids = async (query: string) => {
        const { body } = await get(`/campaigns/campaign/placements?sortBy=${query}`, 'analyst');
        return (body.data['placements'] as readonly { id: string }[]).map(({ id }) => id);
      };
      expect(await ids(`date&sortOrder=asc${search}`)).toEqual(['a', 'b', 'c']);
      expect(await ids(`date&sortOrder=desc${search}`)).toEqual(['c', 'b', 'a']);
      expect(await ids(`category&sortOrder=desc${search}`)).toEqual(['c', 'b', 'a']);
      expect(await ids(`buyerId&sortOrder=desc${search}`)).toEqual(['c', 'b', 'a']);
    }
  });

  it('GW-6 one placement is what the socket sends of it', async () => {
    await fill();
    const { body } = await get('/placements/p1', 'buyer');
    expect(placementSchema.strict().parse(body.data['placement'])).toMatchObject({
      id: 'p1',
      price: 200,
      costPerLead: 66.67,
    });
  });

  it('GW-7 analytics come with the top three and the key indicators', async () => {
    await fill();
    const { body } = await get('/campaigns/campaign/analytics', 'buyer');
    const report = analyticsSchema.parse(body.data);
    expect(report.summary).toEqual({
      totalBudget: 10_000,
      spentBudget: 350.5,
      remainingBudget: 9649.5,
      averageCostPerLead: 87.63,
      totalLeads: 4,
      totalPlacements: 3,
      paidBudget: 200,
      unpaidBudget: 150.5,
    });
    expect(body.data['topBuyers']).toMatchObject([report.byBuyer[0], report.byBuyer[1]]);
    expect(body.data['topCreatives']).toEqual([expect.objectContaining({ creativeId: 'creative' })]);
    expect(body.data['indicators']).toEqual({
      budgetUsePercent: 3.51,
      leadsPerPlacement: 1.33,
      placementsPerBuyer: 1.5,
      budgetPerCreative: 350.5,
      roi: 14.12,
      conversionRate: 133.33,
    });
    const empty = await get('/campaigns/other/analytics');
    expect(empty.body.data).toMatchObject({ id: 'other', summary: { totalBudget: 10_000, spentBudget: 0 }, byDay: [] });
  });

  it('GW-8 earnings and terms of others are hidden where the switch says so', async () => {
    await fill();
    const idsOf = async (userId: string) =>
      z
        .array(earningsSchema)
        .parse((await get('/campaigns/campaign/earnings', userId)).body.data['earnings'])
        .map((row) => row.userId);
    const termsOf = async (userId: string) => {
      const campaigns = z.array(campaignSchema).parse((await get('/campaigns', userId)).body['campaigns']);
      return campaigns.find(({ id }) => id === 'campaign')?.participants.map(({ salaryRate }) => salaryRate);
    };
    expect(await idsOf('buyer')).toEqual(['buyer', 'lead']);
    expect(await termsOf('buyer')).toEqual([7, 9]);
    const settings = { ...defaultLicenceSettings, earningsVisible: false };
    await world.commit(doc.license(licenceRow({ id: licenceId, settings })));
    expect(await idsOf('buyer')).toEqual(['buyer']);
    expect(await termsOf('buyer')).toEqual([7, null]);
    expect(await idsOf('lead')).toEqual(['buyer', 'lead']);
    expect(await termsOf('lead')).toEqual([7, 9]);
  });

  it('GW-9 the licence key is masked, and whole to the owner on request only', async () => {
    const masked = licenseSchema.parse((await get('/license', 'buyer')).body.data['license']);
    expect([masked.licenseKey, masked.ceoLoginCode]).toEqual(['LICENSE-••••-••••-••••-7Q4K', null]);
    const revealed = licenseSchema.parse((await get('/license?reveal=true')).body.data['license']);
    expect([revealed.licenseKey, revealed.ceoLoginCode]).toEqual(['LICENSE-AAAA-BBBB-CCCC-7Q4K', 'ABCDEFGHJKLM']);
    expect((await get('/license?reveal=true', 'lead')).status).toBe(403);
    expect((await get('/license?reveal=maybe')).status).toBe(422);
  });

  it('GW-10 the session tells who, where, with which rights and why nothing can be changed', async () => {
    const { body } = await get('/auth/session', 'buyer');
    expect(personSchema.strict().parse(body.data['user'])).toMatchObject({ id: 'buyer', authCode: 'CODEbuyer' });
    expect(licenseSchema.strict().parse(body.data['license']).status).toBe('active');
    expect(body.data['permissions']).toEqual({
      dashboard: true,
      analytics: true,
      contractors: false,
      creatives: false,
      settings: false,
      campaigns: false,
      reports: false,
      capabilities: false,
    });
    expect([body.data['position'], body.data['readOnly']]).toEqual([body.position, null]);
    const expired = { id: licenceId, expiresAt: '2026-01-01T00:00:00.000Z', features: ['settings'] };
    await world.commit(doc.license(licenceRow(expired)));
    const after = await get('/auth/session');
    expect(after.body.data['readOnly']).toEqual({ reason: 'licence' });
    expect(after.body.data['permissions']).toMatchObject({ dashboard: true, settings: true, analytics: false });
  });

  it('GW-11 own sessions only, the asking one marked', async () => {
    const [other, asking] = [await world.signIn('buyer'), await world.signIn('buyer')];
    await world.signIn('lead');
    const { body } = await world.get('/auth/sessions', asking.token);
    const sessions = z.array(sessionSchema.strict()).parse(body.data['sessions']);
    expect(new Map(sessions.map(({ id, current }) => [id, current]))).toEqual(
      new Map([
        [other.sessionId, false],
        [asking.sessionId, true],
      ]),
    );
  });

  it('GW-12 the admin sees whole licences with codes and seats, and true figures; tokens of the other realm are 401', async () => {
    await fill();
    await world.credentials.setAdmin('admin', 'long enough');
    await world.signIn('buyer');
    const requested = await world.credentials.makeActivationCode(licenceId, 'owner', Date.now());
    const stamp = (await world.credentials.adminStamp()) ?? '';
    const sessionId = (await world.credentials.openAdminSession(stamp, Date.now())) ?? '';
    const token = world.tokens.issueAdmin({ login: 'admin', sessionId });
    const { body } = await world.get('/admin/licenses', token);
    const licences = body.data['licenses'] as { id: string; openSessions: number; licenseKey: string }[];
    expect(licences).toHaveLength(2);
    expect(licences.find(({ id }) => id === licenceId)).toMatchObject({
      licenseKey: 'LICENSE-AAAA-BBBB-CCCC-7Q4K',
      openSessions: 1,
      ownerSessions: 0,
      pendingCode: { code: requested.kind === 'made' ? requested.code : '' },
    });
    const client = await world.connect(await tokenOf('owner'));
    world.appendOnly();
    const health = await world.get('/admin/health', token);
    expect(health.body.data).toMatchObject({
      projection: { position: 2, head: 3, lagEvents: 1 },
      sockets: 1,
      events: 3,
      services: [{ name: 'gateway', ok: true }],
    });
    client.close();
    expect((await world.get('/admin/licenses')).status).toBe(401);
    expect((await get('/admin/licenses')).status).toBe(401);
    expect((await world.get('/users', token)).status).toBe(401);
    await world.credentials.setAdmin('admin', 'another one');
    expect((await world.get('/admin/health', token)).status).toBe(401);
  });

  it('GW-13 without a token, with a wrong one or after the session ended: 401', async () => {
    expect((await world.get('/users')).status).toBe(401);
    expect((await world.get('/users', 'a.b.c')).status).toBe(401);
    const { token, sessionId } = await world.signIn('buyer');
    expect((await world.get('/users', token)).status).toBe(200);
    await world.credentials.endSession(sessionId, 'logged_out');
    const { status, body, headers } = await world.get('/users', token);
    expect(status).toBe(401);
    expect(headers.get('content-type')).toContain('application/problem+json');
    expect(problemBodySchema.parse(body).code).toBe('UNAUTHENTICATED');
    const nobody = await world.signIn('nobody');
    expect((await world.get('/users', nobody.token)).status).toBe(401);
  });

  it('GW-14 a session with a one-time password reads only itself', async () => {
    const { token } = await world.signIn('buyer', { passwordChangeOnly: true });
    const refused = await world.get('/users', token);
    expect([refused.status, refused.body.code]).toEqual([403, 'PASSWORD_CHANGE_REQUIRED']);
    expect((await world.get('/auth/sessions', token)).status).toBe(403);
    const own = await world.get('/auth/session', token);
    expect([own.status, own.body.data['passwordChangeRequired']]).toEqual([200, true]);
    const ordinary = await world.signIn('buyer');
    expect((await world.get('/auth/session', ordinary.token)).body.data).not.toHaveProperty('passwordChangeRequired');
  });

  it('GW-15 rights are as the read models tell now: closed permissions, inactive people, a suspended licence', async () => {
    await fill();
    const { token } = await world.signIn('buyer');
    await world.commit(doc.user(userRow({ id: 'buyer', permissions: { analytics: true } })));
    for (const path of ['/users', '/campaigns/campaign/placements', '/placements/p1', '/campaigns/campaign/earnings']) {
      const { status, body } = await world.get(path, token);
      expect([path, status, body.code]).toEqual([path, 403, 'ACCESS_DENIED']);
    }
    expect((await world.get('/campaigns/campaign/analytics', token)).status).toBe(200);
    const suspended = { reason: 'unpaid', at: '2026-11-01T00:00:00.000Z' };
    await world.commit(doc.license(licenceRow({ id: licenceId, suspended })));
    expect((await world.get('/license', token)).body.code).toBe('LICENSE_INACTIVE');
    expect((await get('/users', 'owner')).status).toBe(200);
    await world.commit(doc.user(userRow({ id: 'buyer', isActive: false })));
    expect((await world.get('/auth/session', token)).status).toBe(401);
  });

  it('GW-16 ids of another licence answer exactly as ids that do not exist', async () => {
    await fill();
    for (const [own, absent] of [
      ['/campaigns/foreign-campaign/placements', '/campaigns/absent/placements'],
      ['/campaigns/foreign-campaign/analytics', '/campaigns/absent/analytics'],
      ['/campaigns/foreign-campaign/earnings', '/campaigns/absent/earnings'],
      ['/contractors/foreign-contractor', '/contractors/absent'],
      ['/placements/foreign-placement', '/placements/absent'],
    ] as const) {
      const [a, b] = [await get(own), await get(absent)];
      expect([own, a.status]).toEqual([own, 404]);
      expect({ ...a.body, instance: '' }).toEqual({ ...b.body, instance: '' });
    }
  });

  it('GW-17 refusals in order: 401, 403, 404, 422', async () => {
    await fill();
    const closed = { permissions: { settings: true } };
    await world.commit(doc.user(userRow({ id: 'closed', ...closed })));
    expect((await world.get('/campaigns/absent/placements?nonsense=1')).status).toBe(401);
    expect((await get('/campaigns/absent/placements?nonsense=1', 'closed')).status).toBe(403);
    expect((await get('/campaigns/absent/placements?nonsense=1')).status).toBe(404);
    expect((await get('/campaigns/absent/placements?after=999')).status).toBe(404);
    expect((await get('/campaigns/campaign/placements?nonsense=1')).status).toBe(422);
  });

  it('GW-18 unknown query names, sort fields and wrong values are 422 and say where', async () => {
    await fill();
    for (const [query, pointer] of [
      ['nonsense=1', '/nonsense'],
      ['sortBy=secret', '/sortBy'],
      ['sortOrder=up', '/sortOrder'],
      ['page=0', '/page'],
      ['page=1.5', '/page'],
      ['pageSize=501', '/pageSize'],
      ['dateFrom=2026-02-30', '/dateFrom'],
      ['priceFrom=abc', '/priceFrom'],
      ['buyerId=', '/buyerId'],
      ['buyerId=a&buyerId=', '/buyerId'],
      ['category=a&category=b&category=' + 'x'.repeat(101), '/category'],
      [Array.from({ length: 151 }, (_, index) => `format=${index}`).join('&'), '/format'],
      ['contractorId=a&contractorId=b', '/contractorId'],
      ['statusNot=a&statusNot=b', '/statusNot'],
      ['leadsFrom=1.5', '/leadsFrom'],
      ['leadsTo=-1', '/leadsTo'],
      ['leadsTo=1&leadsTo=2', '/leadsTo'],
      ['cplFrom=1.234', '/cplFrom'],
      ['cplTo=-1', '/cplTo'],
      ['cplTo=1&cplTo=2', '/cplTo'],
      ['after=-1', '/after'],
      ['after=1&after=2', '/after'],
      ['__proto__=1', '/__proto__'],
    ] as const) {
      const { status, body } = await get(`/campaigns/campaign/placements?${query}`);
      expect([query, status, body.errors?.[0]?.pointer]).toEqual([query, 422, pointer]);
    }
    for (const path of ['/users?includeInactive=1', '/channels?x=1', '/placements/p1?x=1', '/auth/session?x=1'])
      expect((await get(path)).status).toBe(422);
  });

  it('GW-19 after waits until the read models have reached it', async () => {
    const position = world.appendOnly();
    const token = await tokenOf('owner');
    const asked = world.get(`/channels?after=${position}`, token);
    const answered = world.get('/channels', token);
    expect((await answered).body.data['channels']).toEqual([]);
    await world.commitAt(position, [doc.channel(channelRow({ id: 'new' }))]);
    const { status, body } = await asked;
    expect([status, body.position]).toEqual([200, position]);
    expect(body.data['channels']).toHaveLength(1);
  });

  it('GW-20 after that the read models do not reach in time is 503, beyond the head of the log 422 at once', async () => {
    const position = world.appendOnly();
    const late = await get(`/channels?after=${position}`);
    expect([late.status, late.body.code, late.headers.get('retry-after')]).toEqual([503, 'UNAVAILABLE', '1']);
    const ahead = await get(`/channels?after=${position + 1}`);
    expect([ahead.status, ahead.body.errors?.[0]?.pointer]).toEqual([422, '/after']);
  });

  it('GW-21 somebody who signs in before the read models know them is waited for', async () => {
    const { token } = await world.signIn('fresh');
    const position = world.appendOnly();
    const asked = world.get('/auth/session', token);
    await world.commitAt(position, [doc.user(userRow({ id: 'fresh' }))]);
    expect((await asked).status).toBe(200);
  });

  it('GW-75 an id with a broken escape is an id that does not exist, where its turn comes', async () => {
    const { token } = await world.signIn('buyer');
    expect((await world.get('/placements/%ff')).status).toBe(401);
    expect((await world.get('/placements/%ff', token)).status).toBe(404);
    expect((await world.get('/placements/%E0%A4%A', token)).status).toBe(404);
  });

  it('GW-76 the word Bearer is read in any case', async () => {
    const { token } = await world.signIn('buyer');
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const response = await fetch(`${world.address}/api/users`, { headers: { Authorization: `${scheme} ${token}` } });
      expect([scheme, response.status]).toEqual([scheme, 200]);
    }
  });

  it('GW-22 HEAD answers as GET without a body; other methods and unknown paths are left to others', async () => {
    const headers = { Authorization: `Bearer ${await tokenOf('owner')}` };
    const head = await fetch(`${world.address}/api/channels`, { method: 'HEAD', headers });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect((await fetch(`${world.address}/api/channels`, { method: 'POST', headers })).status).toBe(404);
    expect((await get('/nowhere')).status).toBe(404);
    expect((await get('/placements')).status).toBe(404);
  });
});
