import { randomBytes } from 'node:crypto';
import { setTimeout as real } from 'node:timers/promises';
import { partialWrites } from '@zakup/command/compensation/partial-writes';
import { runProcesses } from '@zakup/command/processes/run-processes';
import { commandService } from '@zakup/command/testing/command-service';
import { givenAdmin, givenLicence, givenPerson, ownerPassword, personPassword } from '@zakup/command/testing/given';
import { testClock } from '@zakup/command/testing/test-clock';
import { accessTokens } from '@zakup/credentials/access-token';
import type { LicenseWire } from '@zakup/contracts/wire-entities';
import { startWorld } from '@zakup/gateway/testing/world';
import { runProjector } from '@zakup/projector/run-projector';
import { describe, expect, test } from 'vitest';

const minute = 60_000;
const day = 24 * 60 * minute;
const begin = '2026-11-21T09:00:00.000Z';

/** Command, processes, projector and gateway on stores in memory, under one clock. */
const system = async () => {
  const service = await commandService();
  const clock = testClock(begin);
  const stopping = new AbortController();
  const { signal } = stopping;
  const { eventStore, readStore, credentials } = service;
  const projector = runProjector({ eventStore, readStore, partition: 'all', fence: 1, signal, now: Date.now });
  const processes = runProcesses({
    eventStore: service.commandLog,
    partialWrites,
    readStore,
    now: clock.now,
    wait: clock.wait,
    signal,
    log: { info: () => undefined, warn: () => undefined },
  });
  await processes.caughtUp;
  const tokens = accessTokens({ secret: randomBytes(32).toString('hex'), clock: clock.now });
  const world = await startWorld({ deps: { eventStore, readStore, credentials, tokens, now: clock.now } });
  return {
    service,
    clock,
    pass: (milliseconds: number): void => {
      service.advance(milliseconds);
      clock.advance(milliseconds);
    },
    /** A socket of the person's open session. */
    enter: async (userId: string, licenceId: string) => {
      const [session] = await credentials.sessionsOf(userId, clock.now());
      if (session === undefined) throw new Error(`${userId} is not signed in`);
      await projector.waitFor(await eventStore.head());
      return world.connect(
        tokens.issue({
          userId,
          sessionId: session.id,
          licenceId,
          role: 'hint',
          passwordChangeOnly: false,
          sessionExpiresAt: session.expiresAt,
        }),
      );
    },
    stop: async (): Promise<void> => {
      await world.stop();
      await processes.stop();
      await projector.stop();
      stopping.abort();
      await service.close();
    },
  };
};

describe('a licence from the command to the sockets', () => {
  test('CML-40 what happens to a licence is at every open socket within a second', async () => {
    const { service, enter, clock, pass, stop } = await system();
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const [owner, buyer] = [await enter(licence.ownerId, licence.id), await enter(person.id, licence.id)];
    for (const client of [owner, buyer]) expect((await client.subscribe('workspace')).ok).toBe(true);
    const shown = (client: typeof owner): LicenseWire | undefined =>
      client.replica('workspace').docs.get(`license ${licence.id}`)?.doc as LicenseWire | undefined;
    const within = async (holds: () => boolean, ...clients: readonly (typeof owner)[]): Promise<void> => {
      const late = new AbortController();
      const second = real(1_000, 'late', { signal: late.signal });
      const seen = Promise.all(clients.map((client) => client.until(holds))).then(() => 'in time');
      expect(await Promise.race([second, seen])).toBe('in time');
      second.catch(() => undefined);
      late.abort();
    };
    await within(() => shown(owner)?.status === 'active' && shown(buyer)?.status === 'active', owner, buyer);

    // Tokens live for minutes: rather than the clock, the end of the term is moved.
    const admin = await givenAdmin(service);
    const renew = async (to: number): Promise<void> => {
      const expiresAt = new Date(to).toISOString();
      await service.call('POST', `/admin/licenses/${licence.id}/renew`, { expiresAt }, { token: admin });
      await within(() => shown(owner)?.expiresAt === expiresAt && shown(buyer)?.expiresAt === expiresAt, owner, buyer);
    };
    await renew(clock.now() + minute);
    pass(minute);
    await within(
      () => shown(owner)?.status === 'grace_period' && shown(buyer)?.status === 'grace_period',
      owner,
      buyer,
    );
    await renew(clock.now() - 7 * day + minute);
    pass(minute);
    await within(() => shown(owner)?.status === 'expired' && shown(buyer)?.status === 'expired', owner, buyer);

    expect((await service.call('POST', '/license/renewal-request', {}, { token: licence.owner })).status).toBe(200);
    await within(() => shown(owner)?.renewalRequestedAt !== null, owner);
    await renew(clock.now() + 100 * day);
    expect(shown(buyer)).toMatchObject({ status: 'active', renewalRequestedAt: null });

    await service.call('POST', `/admin/licenses/${licence.id}/suspend`, { reason: 'долг' }, { token: admin });
    await within(() => buyer.ended.length > 0 && shown(owner)?.status === 'suspended', owner, buyer);
    expect(buyer.ended).toEqual([{ code: 'LICENSE_INACTIVE', message: 'Лицензия приостановлена' }]);
    expect(owner.ended).toEqual([]);
    await expect(enter(person.id, licence.id)).rejects.toThrow('Лицензия приостановлена');
    await service.call('POST', `/admin/licenses/${licence.id}/resume`, {}, { token: admin });
    await within(() => shown(owner)?.status === 'active', owner);
    const back = await enter(person.id, licence.id);
    expect((await back.subscribe('workspace')).ok).toBe(true);
    await within(() => shown(back)?.status === 'active', back);
    await stop();
  });

  test('CML-41 a licence that its owner closes: everybody sees when, at that instant its people are shut out, its owner reads', async () => {
    const { service, enter, clock, pass, stop } = await system();
    const licence = await givenLicence(service);
    const person = await givenPerson(service, licence, 'MEDIA_BUYER');
    const early = [await enter(licence.ownerId, licence.id), await enter(person.id, licence.id)];
    const shown = (client: (typeof early)[number]): LicenseWire | undefined =>
      client.replica('workspace').docs.get(`license ${licence.id}`)?.doc as LicenseWire | undefined;
    const closesAt = new Date(clock.now() + 7 * day).toISOString();
    for (const client of early) {
      expect((await client.subscribe('workspace')).ok).toBe(true);
      await client.until(() => shown(client)?.closesAt === null);
    }
    await service.call('POST', '/license/close', { reason: 'Переезжаем' }, { token: licence.owner });
    for (const client of early) await client.until(() => shown(client)?.closesAt === closesAt);
    await service.call('POST', '/license/close/cancel', undefined, { token: licence.owner });
    for (const client of early) await client.until(() => shown(client)?.closesAt === null);
    await service.call('POST', '/license/close', {}, { token: licence.owner });

    // Tokens live for minutes: whoever is here at the end has come in shortly before.
    pass(7 * day - minute);
    await service.call('POST', '/auth/ceo-login', { loginCode: licence.ownerCode, password: ownerPassword });
    const login = { authCode: person.authCode, password: personPassword };
    await service.call('POST', '/auth/employee-login', login);
    const [owner, buyer] = [await enter(licence.ownerId, licence.id), await enter(person.id, licence.id)];
    for (const client of [owner, buyer]) {
      expect((await client.subscribe('workspace')).ok).toBe(true);
      await client.until(() => shown(client)?.status === 'active');
    }
    pass(minute);
    await owner.until(() => shown(owner)?.status === 'expired');
    await buyer.until(() => buyer.ended.length > 0);
    expect(buyer.ended[0]?.code).toBe('LICENSE_INACTIVE');
    expect([owner.ended, shown(owner)?.closesAt !== null]).toEqual([[], true]);
    await stop();
  });
});
