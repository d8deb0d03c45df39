import { randomBytes } from 'node:crypto';
import { aSession, suiteOptions } from '@zakup/credentials/contract-suite';
import { type Credentials, CredentialsUnavailable, type SessionEnd } from '@zakup/credentials/credentials';
import { mongoCredentials } from '@zakup/credentials/mongodb/mongo-credentials';
import { ClientSession, MongoClient, MongoNetworkError } from 'mongodb';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { endedAt } from '../support/mongodb-standin/ended-socket.ts';
import { startMongoDbStandIn } from '../support/mongodb-standin/mongodb-standin.ts';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const start = Date.UTC(2025, 0, 1);
const licenceId = '3flicence';
const roomy = { maxConcurrentSessions: 100, endOldest: false };
const hashing = { memoryCost: 8, timeCost: 1 };
const lost = 'session changes are not followed, every look-up reads the store';
const mended = 'session changes are followed again';
const credentialsOfServer = { user: 'zakup', password: 'geheim-77' };

const standIn = await startMongoDbStandIn();
const { faults } = standIn;
const closed = await startMongoDbStandIn({ credentials: credentialsOfServer });
afterAll(async () => {
  await standIn.stop();
  await closed.stop();
});

describe('Credentials in MongoDB when the server misbehaves (stand-in)', () => {
  let url = '';
  let here: Credentials;
  let there: Credentials;
  let logged: string[] = [];
  const further: { close(): Promise<void> }[] = [];

  const another = async (patience?: number, more = ''): Promise<Credentials> => {
    const made = await mongoCredentials({
      ...suiteOptions,
      hashing,
      url: url + more,
      ...(patience !== undefined && { patience }),
      log: {
        warn: (_about, message) => logged.push(message),
        info: (_about, message) => logged.push(message),
      },
    });
    further.push(made);
    return made;
  };

  beforeEach(async () => {
    url = standIn.url(`zakup_credentials_${randomBytes(6).toString('hex')}`);
    logged = [];
    [here, there] = await Promise.all([another(), another()]);
  });
  afterEach(async () => {
    faults.delay(0);
    faults.allow();
    faults.conflict(0);
    for (const one of further.splice(0)) await one.close();
    const client = new MongoClient(url);
    await client.db().dropDatabase();
    await client.close();
  });

  const openedIn = async (credentials: Credentials, id: string, more: Parameters<typeof aSession>[1] = {}) => {
    const opened = await credentials.openSession(aSession(id, more), roomy);
    if (opened.kind !== 'opened') throw new Error(`session ${id} was not opened`);
    return opened.refreshToken;
  };
  const endsIn = (credentials: Credentials): SessionEnd[] => {
    const ends: SessionEnd[] = [];
    credentials.onSessionEnded((end) => ends.push(end));
    return ends;
  };
  const idsOf = (ends: readonly SessionEnd[]): readonly string[] => ends.map(({ sessionId }) => sessionId);
  const finds = (): number => faults.counts().commands['find'] ?? 0;

  it('MCR-20 a look-up of a known session asks the store for nothing', async () => {
    await openedIn(here, 's1');
    await there.session('s1', start);
    const before = finds();
    for (let count = 0; count < 1_000; count += 1) await there.session('s1', start + count);
    expect(finds()).toBe(before);
  });

  it('MCR-21 a change stream that ends is taken up again where it was, and no end is missed', async () => {
    const ends = endsIn(there);
    const expected: string[] = [];
    for (let round = 0; round < 8; round += 1) {
      const id = `s${round}`;
      await openedIn(here, id);
      expect(await there.session(id, start)).not.toBeNull();
      if (round % 2 === 0) faults.endChangeStreams('resumable');
      await here.endSession(id, 'revoked');
      if (round % 2 === 1) faults.endChangeStreams('resumable');
      expected.push(id);
    }
    await expect.poll(() => idsOf(ends)).toEqual(expected);
  });

  it('MCR-22 where the stream cannot go on, all is read again and the missed ends are told once', async () => {
    const ends = endsIn(there);
    for (const id of ['s1', 's2', 's3']) {
      await openedIn(here, id);
      await there.session(id, start);
    }
    faults.endChangeStreams('history lost');
    await here.endSession('s1', 'logged_out');
    await here.endSession('s2', 'logged_out');
    expect(await there.session('s3', start)).not.toBeNull();
    await expect.poll(() => [...idsOf(ends)].sort()).toEqual(['s1', 's2']);
    await expect.poll(() => logged.length).toBe(4);
    await here.endSession('s3', 'logged_out');
    await expect.poll(() => idsOf(ends).at(-1)).toBe('s3');
    expect(ends).toHaveLength(3);
    expect(new Set(logged)).toEqual(new Set([lost, mended]));
  });

  it('MCR-23 while there is no stream every look-up reads the store, and tells of an end that it finds', async () => {
    const ends = endsIn(there);
    const ids = ['s1', 's2', 's3', 's4'];
    for (const id of ids) {
      await openedIn(here, id);
      await there.session(id, start);
    }
    // Each attempt of either at a new stream takes two of these: the driver asks once more by itself.
    for (let nth = 1; nth <= 24; nth += 1) faults.dropDuring('aggregate', nth);
    faults.endChangeStreams('history lost');
    await expect.poll(() => logged).toEqual([lost, lost]);
    for (const id of ids.slice(1)) {
      await here.endSession(id, 'logged_out');
      expect(await there.session(id, start)).toBeNull();
      expect(idsOf(ends).at(-1)).toBe(id);
      expect((await there.session('s1', start))?.id).toBe('s1');
    }
    expect(logged).toEqual([lost, lost]);
    await expect.poll(() => logged).toEqual([lost, lost, mended, mended]);
    await here.endSession('s1', 'logged_out');
    await expect.poll(() => idsOf(ends)).toEqual(['s2', 's3', 's4', 's1']);
  });

  it('MCR-35 nor is memory trusted when the stream has been silent for a second', async () => {
    await openedIn(here, 's1');
    await there.session('s1', start);
    faults.delay(1_500);
    const findsOfOne = async (): Promise<number> => {
      const before = finds();
      expect((await there.session('s1', start))?.id).toBe('s1');
      return finds() - before;
    };
    await expect.poll(findsOfOne).toBe(1);
    faults.delay(0);
    await expect.poll(findsOfOne).toBe(0);
  });

  it('MCR-24 a storm of write conflicts is weathered: each thing happens and is told once', async () => {
    const ends = endsIn(here);
    faults.conflict(12);
    const token = await openedIn(here, 's1');
    faults.conflict(12);
    const refreshed = await here.refresh(token, start + 60_000);
    expect(refreshed.kind).toBe('refreshed');
    faults.conflict(12);
    await here.endSession('s1', 'logged_out');
    expect(ends.map(({ reason }) => reason)).toEqual(['logged_out']);
    expect(await here.countSessions(licenceId, start)).toEqual({ seats: 0, owner: 0 });
  });

  it('MCR-25 a storm that does not end is given up within the patience, and leaves nothing', async () => {
    const impatient = await another(2_000);
    faults.conflict(1_000_000);
    const began = scheduledTime();
    await expect(impatient.openSession(aSession('s1'), roomy)).rejects.toThrow(CredentialsUnavailable);
    expect(began.stop()).toBeLessThan(3_500);
    faults.conflict(0);
    expect(await here.countSessions(licenceId, start)).toEqual({ seats: 0, owner: 0 });
  });

  it('MCR-26 a connection that is cut during the commit, before or behind it, opens one session and tells of one end', async () => {
    for (const carriedOut of ['carried out', 'not carried out'] as const) {
      const ends = endsIn(here);
      const id = `s ${carriedOut}`;
      // The driver asks once more by itself.
      const cut = (): void => {
        for (const nth of [1, 2, 3]) faults.dropDuring('commitTransaction', nth, carriedOut);
      };
      cut();
      const token = await openedIn(here, id, { userId: id });
      expect((await there.sessionsOf(id, start)).map((session) => session.id)).toEqual([id]);
      cut();
      const refreshed = await here.refresh(token, start);
      const next = refreshed.kind === 'refreshed' ? refreshed.refreshToken : '';
      expect((await there.sessionOfRefreshToken(next))?.id).toBe(id);
      cut();
      await here.endSession(id, 'logged_out');
      expect(ends.map(({ sessionId, reason }) => [sessionId, reason])).toEqual([[id, 'logged_out']]);
      expect(await there.countSessions(licenceId, start)).toEqual({ seats: 0, owner: 0 });
    }
  });

  it('MCR-36 a commit whose answer the driver gave up without a label is asked for again: it happens once', async () => {
    const commit = Reflect.get(ClientSession.prototype, 'commitTransaction');
    let given = 0;
    const commits = vi.spyOn(ClientSession.prototype, 'commitTransaction').mockImplementation(async function (
      this: ClientSession,
    ) {
      await commit.call(this);
      given += 1;
      if (given === 1) throw new MongoNetworkError('Connection pool was cleared');
    });
    onTestFinished(() => commits.mockRestore());
    await openedIn(here, 's1');
    expect(given).toBe(2);
    given = 0;
    const ends = endsIn(here);
    await here.endSession('s1', 'logged_out');
    expect(given).toBe(2);
    expect(await here.session('s1', start)).toBeNull();
    expect(ends.map(({ sessionId, reason }) => [sessionId, reason])).toEqual([['s1', 'logged_out']]);
    expect(await here.countSessions(licenceId, start)).toEqual({ seats: 0, owner: 0 });
  });

  it('MCR-27 a connection that is cut between the steps of a transaction is not noticed', async () => {
    for (const command of ['find', 'update', 'delete'] as const) {
      const before = await openedIn(here, `a ${command}`);
      for (const nth of [1, 2]) {
        faults.dropDuring(command, nth, nth === 1 ? 'carried out' : 'not carried out');
      }
      const [opened, refreshed] = [await openedIn(here, `b ${command}`), await here.refresh(before, start)];
      expect([typeof opened, refreshed.kind]).toEqual(['string', 'refreshed']);
      expect(await here.endSessionsOf('anna', 'revoked')).toBe(2);
    }
  });

  it('MCR-28 a primary that steps down is waited for, and no end is missed', async () => {
    const ends = endsIn(there);
    const token = await openedIn(here, 's1');
    await openedIn(here, 's2');
    await there.session('s2', start);
    const back = faults.stepDown(700);
    const [refreshed] = await Promise.all([here.refresh(token, start), here.endSession('s2', 'logged_out')]);
    await back;
    expect(refreshed.kind).toBe('refreshed');
    await expect.poll(() => idsOf(ends)).toEqual(['s2']);
    expect((await there.session('s1', start))?.id).toBe('s1');
  });

  it('MCR-29 a server that starts again is found again, with everything, and no end is missed', async () => {
    const ends = endsIn(there);
    for (const id of ['s1', 's2']) {
      await openedIn(here, id);
      await there.session(id, start);
    }
    const back = faults.restart(500);
    await here.endSession('s1', 'logged_out');
    await back;
    await expect.poll(() => idsOf(ends)).toEqual(['s1']);
    expect(await there.session('s1', start)).toBeNull();
    expect((await there.session('s2', start))?.id).toBe('s2');
    await here.endSession('s2', 'logged_out');
    await expect.poll(() => idsOf(ends)).toEqual(['s1', 's2']);
  });

  it('MCR-30 a server that refuses makes each request unavailable within seconds, and nothing worse; then all works again', async () => {
    const token = await openedIn(here, 's1');
    faults.refuse('shutting down');
    const began = scheduledTime();
    const requests = [
      here.openSession(aSession('s2'), roomy),
      here.session('unknown', start),
      here.sessionsOf('anna', start),
      here.countSessions(licenceId, start),
      here.refresh(token, start),
      here.sessionOfRefreshToken(token),
      here.endSession('s1', 'revoked'),
      here.endSessionsOf('anna', 'revoked'),
      here.setPassword({ userId: 'anna', licenceId, temporary: false, validUntil: null }, 'x'),
      here.checkPassword(['anna'], 'x', start),
      here.makeActivationCode(licenceId, 'owner', start),
      here.checkActivationCode(licenceId, '000000', start),
      here.openTicket(licenceId, start),
      here.ticket('x', start, { use: true }),
      here.adminStamp(),
    ];
    const answers = await Promise.allSettled(requests);
    expect(began.stop()).toBeLessThan(8_000);
    for (const answer of answers) {
      expect(answer.status === 'rejected' ? answer.reason : answer).toBeInstanceOf(CredentialsUnavailable);
      expect(String(answer.status === 'rejected' ? answer.reason : '')).toContain('MongoDB 127.0.0.1');
    }
    faults.allow();
    await expect
      .poll(() => here.refresh(token, start).catch(() => null))
      .toMatchObject({
        kind: 'refreshed',
      });
    expect(await here.countSessions(licenceId, start)).toEqual({ seats: 1, owner: 0 });
  });

  it('MCR-31 a silent server makes a request unavailable within the patience, and what came too late is not carried out', async () => {
    const impatient = await another(2_000);
    await openedIn(here, 's1');
    await impatient.session('s1', start);
    const ends = endsIn(impatient);
    faults.delay(5_000);
    const began = scheduledTime();
    await expect(impatient.endSession('s1', 'logged_out')).rejects.toThrow(CredentialsUnavailable);
    expect(began.stop()).toBeLessThan(3_500);
    faults.delay(0);
    await expect
      .poll(() => impatient.countSessions(licenceId, start).catch(() => null))
      .toEqual({ seats: 1, owner: 0 });
    expect(ends).toEqual([]);
    await impatient.endSession('s1', 'logged_out');
    expect(idsOf(ends)).toEqual(['s1']);
  });

  it.each(
    ['update', 'commitTransaction'].flatMap((command) => [[command, 'ended'] as const, [command, 'closed'] as const]),
  )('MCR-38 when %s is sent on a connection that is %s: what is written is there once', async (command, how) => {
    const undo = endedAt(standIn.port, command, how);
    try {
      await openedIn(here, 's1');
    } finally {
      expect(undo()).toBe(true);
    }
    expect(await there.countSessions(licenceId, start)).toEqual({ seats: 1, owner: 0 });
  });

  it('MCR-37 a call waits for a connection that others use as long as for an answer', async () => {
    const narrow = await another(30_000, '&maxPoolSize=1');
    faults.delay(1_200);
    const counts = await Promise.all(Array.from({ length: 4 }, () => narrow.countSessions(licenceId, start)));
    expect(counts).toEqual(Array.from({ length: 4 }, () => ({ seats: 0, owner: 0 })));
    faults.delay(0);
  });

  it('MCR-32 a server that is away at the opening is unavailable within seconds, by name and without the password', async () => {
    const gone = await startMongoDbStandIn();
    const address = gone.url('zakup').replace('mongodb://', 'mongodb://anna:geheim-77@');
    await gone.stop();
    const began = scheduledTime();
    const refusal = await mongoCredentials({ ...suiteOptions, url: address }).catch((error: unknown) => error);
    expect(began.stop()).toBeLessThan(6_000);
    expect(refusal).toBeInstanceOf(CredentialsUnavailable);
    expect(String(refusal)).toContain(`127.0.0.1:${gone.port}/zakup`);
    expect(String(refusal)).not.toContain('geheim');
  });

  it('MCR-33 wrong and missing credentials are told at the opening, right ones open', async () => {
    const withUser = (user: string): string => closed.url('zakup').replace('mongodb://', `mongodb://${user}`);
    for (const user of ['zakup:wrong-88@', 'nobody:geheim-77@']) {
      const given = `${withUser(user)}&authSource=admin`;
      const refusal = await mongoCredentials({ ...suiteOptions, url: given }).catch((error: unknown) => error);
      expect(refusal).not.toBeInstanceOf(CredentialsUnavailable);
      expect(String(refusal)).toMatch(/127\.0\.0\.1:\d+\/zakup does not accept the credentials/);
      expect(String(refusal)).not.toMatch(/geheim|wrong-88/);
    }
    await expect(mongoCredentials({ ...suiteOptions, url: withUser('') })).rejects.toThrow(
      /does not accept the credentials/,
    );
    const right = await mongoCredentials({
      ...suiteOptions,
      url: `${withUser('zakup:geheim-77@')}&authSource=admin`,
    });
    expect(await right.hasAdmin()).toBe(false);
    await right.close();
  });

  it('MCR-34 closing waits for no server', async () => {
    const leaving = await another();
    faults.delay(60_000);
    const began = scheduledTime();
    await leaving.close();
    await leaving.close();
    expect(began.stop()).toBeLessThan(3_000);
  });
});
