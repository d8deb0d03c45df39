import { healthData } from '@zakup/contracts/calls/replies';
import { noticeNames } from '@zakup/contracts/notices';
import { adminLicenseSchema, licenseSchema } from '@zakup/contracts/wire-entities';
import { sampleEvent } from '@zakup/event-store/contract-suite';
import { inMemoryEventStore } from '@zakup/event-store/in-memory';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { docOf, licenceRow, userRow } from '../testing/rows.ts';
import { licenceId, startWorld, type World } from '../testing/world.ts';

const doc = docOf(licenceId);
const day = 86_400_000;
const minute = 60_000;
const begin = Date.now();
const inDays = (days: number): string => new Date(begin + days * day).toISOString();

describe('what the gateway tells of a licence', () => {
  let world: World;
  beforeEach(async () => {
    world = await startWorld();
  });
  afterEach(() => world.stop());

  const tokenOf = async (userId: string): Promise<string> => (await world.signIn(userId)).token;
  const licenceAs = async (userId: string, query = '') => world.get(`/license${query}`, await tokenOf(userId));
  const adminToken = async (): Promise<string> => {
    await world.credentials.setAdmin('admin', 'long enough');
    const stamp = (await world.credentials.adminStamp()) ?? '';
    const sessionId = (await world.credentials.openAdminSession(stamp, Date.now())) ?? '';
    return world.tokens.issueAdmin({ login: 'admin', sessionId });
  };

  it('CML-20 everybody sees the licence with its key masked; only the owner may see the whole', async () => {
    for (const userId of ['owner', 'lead', 'buyer', 'analyst']) {
      const { status, body } = await licenceAs(userId);
      const license = licenseSchema.strict().parse(body.data['license']);
      expect([status, license.licenseKey, license.ceoLoginCode]).toEqual([200, 'LICENSE-••••-••••-••••-7Q4K', null]);
      expect([license.ownerEmail, license.ownerTelegram]).toEqual([licenceRow({ id: licenceId }).ownerEmail, '']);
    }
    const revealed = await licenceAs('owner', '?reveal=true');
    expect(revealed.body.data['license']).toMatchObject({
      licenseKey: 'LICENSE-AAAA-BBBB-CCCC-7Q4K',
      ceoLoginCode: 'ABCDEFGHJKLM',
      ownerTelegram: licenceRow({ id: licenceId }).ownerTelegram,
    });
    for (const userId of ['lead', 'buyer', 'analyst']) {
      const { status, body } = await licenceAs(userId, '?reveal=true');
      expect([status, body.code]).toEqual([403, 'ACCESS_DENIED']);
    }
    expect((await licenceAs('lead', '?reveal=false')).status).toBe(200);
    expect((await licenceAs('owner', '?reveal=yes')).status).toBe(422);
    expect((await licenceAs('owner', '?key=true')).status).toBe(422);
    expect((await world.get('/license')).status).toBe(401);
  });

  it('SHL-1 those whom the operator named are told so, the owner by the address of the licence; open sessions are counted', async () => {
    const named = await startWorld({ deps: { adminEmails: ['boss@example.org', 'buyer@example.org'] } });
    onTestFinished(() => named.stop());
    await named.commit(
      doc.license(licenceRow({ id: licenceId, ownerEmail: 'Boss@example.org' })),
      doc.user(userRow({ id: 'buyer', email: 'Buyer@example.org', role: 'MEDIA_BUYER' })),
    );
    const told = async (at: World, userId: string) => {
      const { token } = await at.signIn(userId);
      return (await at.get('/auth/session', token)).body.data['admin'];
    };
    expect(await Promise.all(['owner', 'buyer', 'lead'].map((userId) => told(named, userId)))).toEqual([
      true,
      true,
      false,
    ]);
    expect(await told(world, 'owner')).toBe(false);
    const { token } = await named.signIn('lead');
    expect((await named.get('/license', token)).body.data['openSessions']).toBe(4);
  });

  it('CML-1141 openSessions is the number that the limit counts, and the owner’s stand beside it', async () => {
    await world.signIn('owner', { via: 'owner' });
    await world.signIn('owner', { via: 'licence' });
    const { token } = await world.signIn('lead');
    await world.signIn('buyer');
    const counted = { openSessions: 2, ownerSessions: 2 };
    expect((await world.get('/license', token)).body.data).toMatchObject(counted);
    const { licenses } = (await world.get('/admin/licenses', await adminToken())).body.data;
    expect(licenses).toMatchObject([{ id: licenceId, ...counted }]);
  });

  it('ADM-3497 the admin sees each of many licences once, the newest first', async () => {
    const ids = Array.from({ length: 45 }, (_, index) => `3f-${String(index).padStart(2, '0')}`);
    const rows = ids.map((id, index) => licenceRow({ id, createdAt: inDays(index + 1) }));
    await world.commit(...rows.map((row) => doc.license(row)));
    const { licenses } = (await world.get('/admin/licenses', await adminToken())).body.data;
    const listed = (licenses as readonly { readonly id: string }[]).map(({ id }) => id);
    expect(listed).toEqual([...ids.toReversed(), licenceId]);
  });

  it('CML-21 it stands where the clock puts it, also before anything of it is recorded', async () => {
    const token = await tokenOf('owner');
    const standing = async (ended: number) => {
      const expiresAt = Date.now() - ended;
      await world.commit(doc.license(licenceRow({ id: licenceId, expiresAt: new Date(expiresAt).toISOString() })));
      const { license } = (await world.get('/license', token)).body.data as { license: Record<string, unknown> };
      const { readOnly } = (await world.get('/auth/session', token)).body.data;
      const graceEnd = new Date(expiresAt + 7 * day).toISOString();
      expect(license['gracePeriodExpiresAt']).toBe(license['gracePeriodUsed'] === true ? graceEnd : null);
      return [license['status'], license['isActive'], license['gracePeriodUsed'], readOnly];
    };
    expect(await standing(-minute)).toEqual(['active', true, false, null]);
    expect(await standing(0)).toEqual(['grace_period', true, true, null]);
    expect(await standing(7 * day - minute)).toEqual(['grace_period', true, true, null]);
    expect(await standing(7 * day)).toEqual(['expired', false, true, { reason: 'licence' }]);
  });

  it('CML-22 the admin sees who asks for a renewal, why a licence is suspended, and what is still open', async () => {
    const suspended = { reason: 'долг', at: inDays(-1) };
    await world.commit(doc.license(licenceRow({ id: licenceId, suspended, renewalRequestedAt: inDays(-2) })));
    const token = await adminToken();
    const listed = async () => {
      const { licenses } = (await world.get('/admin/licenses', token)).body.data;
      const sessions = { openSessions: z.number(), ownerSessions: z.number() };
      const more = { ...sessions, ownerSecondFactor: z.boolean(), lastActiveAt: z.null() };
      const schema = adminLicenseSchema.extend(more).strict();
      return z.array(schema).parse(licenses);
    };
    expect(await listed()).toMatchObject([
      { id: licenceId, status: 'suspended', suspension: suspended, renewalRequestedAt: inDays(-2), pendingCode: null },
    ]);
    await world.commit(doc.license(licenceRow({ id: licenceId, renewalRequestedAt: null })));
    expect(await listed()).toMatchObject([{ status: 'active', suspension: null, renewalRequestedAt: null }]);
  });

  it('CML-23 a row of before terms were followed is shown as well', async () => {
    const old = licenceRow({ id: licenceId, expiresAt: inDays(-3), graceUsed: true, graceUntil: inDays(4) });
    await world.commit(doc.license(old));
    expect((await licenceAs('owner')).body.data['license']).toMatchObject({
      status: 'grace_period',
      gracePeriodExpiresAt: inDays(4),
      renewalRequestedAt: null,
    });
  });

  it('CML-24 health tells how far the read models are behind, in events and in milliseconds', async () => {
    const recordedAt = Date.now() - 5_000;
    const eventStore = inMemoryEventStore({ clock: () => recordedAt });
    const behind = await startWorld({ deps: { eventStore } });
    onTestFinished(async () => {
      await behind.stop();
      await eventStore.close();
    });
    await behind.credentials.setAdmin('admin', 'long enough');
    const stamp = (await behind.credentials.adminStamp()) ?? '';
    const sessionId = (await behind.credentials.openAdminSession(stamp, Date.now())) ?? '';
    const token = behind.tokens.issueAdmin({ login: 'admin', sessionId });
    const projection = async () => (await behind.get('/admin/health', token)).body.data['projection'];
    const append = () =>
      eventStore.append([
        { stream: 'campaign-0a~1', expectedRevision: 'any', events: [sampleEvent('0a', 'CampaignCompleted', {})] },
      ]);
    await append();
    expect(await projection()).toEqual({ position: 1, head: 1, lagEvents: 0, lagMilliseconds: 0 });
    await append();
    const { lagMilliseconds, ...rest } = z.record(z.string(), z.number()).parse(await projection());
    expect(rest).toEqual({ position: 1, head: 2, lagEvents: 1 });
    expect(lagMilliseconds).toBeGreaterThanOrEqual(5_000);
  });

  it('CML-3429 health tells the last hour, what each service did, and the sizes of stores that are at hand', async () => {
    const services = [
      { name: 'command', ok: true, changesPerMinute: 9, p99Milliseconds: 6.2, telegramBot: false },
    ] as const;
    const storeBytes = { events: 4_096, readModels: 8_192 };
    const measured = await startWorld({
      deps: { services: async () => services, storeBytes: async () => storeBytes },
    });
    onTestFinished(() => measured.stop());
    const present = Math.floor(Date.now() / minute) * minute;
    const noted = { since: present, minutes: [{ at: present, events: 3, lagMilliseconds: 12 }] };
    await measured.readStore.note(noticeNames.lag, noted);
    await measured.credentials.setAdmin('admin', 'long enough');
    const stamp = (await measured.credentials.adminStamp()) ?? '';
    const sessionId = (await measured.credentials.openAdminSession(stamp, Date.now())) ?? '';
    const { data } = (await measured.get('/admin/health', measured.tokens.issueAdmin({ login: 'admin', sessionId })))
      .body;
    const at = new Date(present).toISOString();
    expect(healthData.strict().parse(data)).toMatchObject({
      services,
      storeBytes,
      projection: { lastHour: { since: at, events: 3, minutes: [{ at, lagMilliseconds: 12 }] } },
    });
  });
});
