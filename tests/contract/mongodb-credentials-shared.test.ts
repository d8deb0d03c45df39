import { randomBytes } from 'node:crypto';
import { aSession, suiteOptions } from '@zakup/credentials/contract-suite';
import type { Credentials, SessionEnd } from '@zakup/credentials/credentials';
import { mongoCredentials } from '@zakup/credentials/mongodb/mongo-credentials';
import { type Db, MongoClient } from 'mongodb';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mongoDbServer } from '../support/mongodb-server.ts';
import { scheduledTime } from '@zakup/service-kit/testing/scheduled-time';

const start = Date.UTC(2025, 0, 1);
const minute = 60_000;
const day = 24 * 60 * minute;
const licenceId = '3flicence';
const roomy = { maxConcurrentSessions: 100, endOldest: false };
const record = { userId: 'anna', licenceId, temporary: false, validUntil: null };
const hashing = { memoryCost: 8, timeCost: 1 };

const server = await mongoDbServer();
afterAll(() => server.stop());

describe(`Credentials in MongoDB, two processes' worth (${server.kind})`, () => {
  let url = '';
  let client: MongoClient;
  let database: Db;
  let here: Credentials;
  let there: Credentials;
  const further: Credentials[] = [];
  /** Milliseconds: what a hundred races of one document take on a busy machine is not what they are about. */
  const patience = 60_000;

  const another = async (): Promise<Credentials> => {
    const made = await mongoCredentials({ ...suiteOptions, hashing, url, patience });
    further.push(made);
    return made;
  };

  beforeEach(async () => {
    url = server.url(`zakup_credentials_${randomBytes(6).toString('hex')}`);
    client = new MongoClient(url);
    database = client.db();
    [here, there] = await Promise.all([another(), another()]);
  });
  afterEach(async () => {
    for (const one of further.splice(0)) await one.close();
    await database.dropDatabase();
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
  /** Asks both by turns, all at once. */
  const inBoth = <Answer>(
    count: number,
    ask: (credentials: Credentials, index: number) => Promise<Answer>,
  ): Promise<readonly Answer[]> =>
    Promise.all(Array.from({ length: count }, (_, index) => ask(index % 2 === 0 ? here : there, index)));
  const stored = (collection: string): Promise<number> => database.collection(collection).countDocuments();

  it('MCR-1 a session opened in one is found in the other at once, and its end told within a second', async () => {
    for (let round = 0; round < 10; round += 1) {
      const id = `s${round}`;
      await openedIn(here, id);
      expect((await there.session(id, start))?.id).toBe(id);
      const ended = new Promise<SessionEnd>((resolve) => {
        const stop = there.onSessionEnded((end) => {
          stop();
          resolve(end);
        });
      });
      const began = scheduledTime();
      await here.endSession(id, 'logged_out');
      expect(await ended).toEqual({ sessionId: id, userId: 'anna', licenceId, reason: 'revoked' });
      expect(began.stop()).toBeLessThan(1_000);
      expect(await there.session(id, start)).toBeNull();
      expect(await here.session(id, start)).toBeNull();
    }
  });

  it('MCR-2 a session that was never looked up here is told of as well, and one’s own end only once', async () => {
    const [endsHere, endsThere] = [endsIn(here), endsIn(there)];
    await openedIn(here, 's1');
    await here.endSession('s1', 'logged_out');
    await expect.poll(() => endsThere).toEqual([{ sessionId: 's1', userId: 'anna', licenceId, reason: 'revoked' }]);
    await openedIn(there, 's2');
    await there.endSession('s2', 'reused');
    await expect.poll(() => endsHere.map(({ sessionId }) => sessionId)).toEqual(['s1', 's2']);
    expect(endsHere.map(({ reason }) => reason)).toEqual(['logged_out', 'revoked']);
    expect(endsThere.map(({ reason }) => reason)).toEqual(['revoked', 'reused']);
  });

  it('MCR-3 twenty parallel openings in two never exceed the limit', async () => {
    const seats = { maxConcurrentSessions: 7, endOldest: false };
    const opened = await inBoth(20, (one, index) =>
      one.openSession(aSession(`s${index}`, { userId: `u${index % 5}` }), seats),
    );
    expect(opened.filter((one) => one.kind === 'opened')).toHaveLength(7);
    expect(await there.countSessions(licenceId, start)).toEqual({ seats: 7, owner: 0 });
    expect(await stored('refresh_tokens')).toBe(7);
    const last = { maxConcurrentSessions: 7, endOldest: true };
    await inBoth(10, (one, index) =>
      one.openSession(aSession(`t${index}`, { userId: 'u0', createdAt: start + 1 }), last),
    );
    expect(await here.countSessions(licenceId, start + 1)).toEqual({ seats: 7, owner: 0 });
  });

  it('MCR-4 a refresh raced over two answers one new token, and a late one ends the session in both', async () => {
    const token = await openedIn(here, 's1');
    const ends = endsIn(there);
    const refreshed = await inBoth(10, (one, index) => one.refresh(token, start + index));
    const tokens = new Set(refreshed.map((one) => (one.kind === 'refreshed' ? one.refreshToken : one.kind)));
    expect(tokens.size).toBe(1);
    expect(await stored('refresh_tokens')).toBe(2);
    expect((await here.refresh(token, start + minute)).kind).toBe('reused');
    await expect.poll(() => ends.map(({ reason }) => reason)).toEqual(['revoked']);
    for (const one of [here, there]) {
      expect(await one.session('s1', start)).toBeNull();
      expect(await one.refresh([...tokens][0] ?? '', start + minute)).toEqual({ kind: 'invalid' });
    }
    expect(await stored('refresh_tokens')).toBe(0);
  });

  it('SIG-16 a hundred guesses raced over two, from a hundred addresses, are ten; a device known in one is known in the other', async () => {
    const guess = (address: string, device: string | null = null) => ({
      account: 'anna',
      address,
      device,
      everywhere: 'account' as const,
    });
    const begun = await inBoth(100, (one, index) => one.beginTry(guess(`10.0.${index}.1`), start));
    expect(begun.filter(({ kind }) => kind === 'begun')).toHaveLength(10);
    const { token } = await here.rememberDevice(null, 'anna', start);
    expect(await there.knowsDevice(token, 'anna', start)).toBe(true);
    expect((await there.beginTry(guess('10.0.0.1', token), start)).kind).toBe('begun');
    const sprayed = await inBoth(40, (one, index) =>
      one.beginTry({ ...guess('10.9.0.1'), account: `a${index}` }, start),
    );
    expect(sprayed.filter(({ kind }) => kind === 'begun')).toHaveLength(40);
    const repeated = await inBoth(40, (one, index) =>
      one.beginTry({ ...guess('10.9.0.1'), account: `a${index}` }, start),
    );
    expect(repeated.filter(({ kind }) => kind === 'begun')).toHaveLength(0);
    const anew = await another();
    expect((await anew.beginTry(guess('10.1.1.1'), start)).kind).toBe('wait');
  });

  it('MCR-5 a refresh raced by an end leaves no token behind', async () => {
    for (let round = 0; round < 10; round += 1) {
      const token = await openedIn(here, `s${round}`);
      await Promise.all([here.refresh(token, start + minute), there.endSession(`s${round}`, 'logged_out')]);
    }
    expect(await stored('sessions')).toBe(0);
    expect(await stored('refresh_tokens')).toBe(0);
  });

  it('MCR-6 a ticket is used once, and five wrong tries in both together spend a code', async () => {
    const made = await here.makeActivationCode(licenceId, 'owner', start);
    const code = made.kind === 'made' ? made.code : '';
    const wrong = code === '000000' ? '000001' : '000000';
    const tickets = [await here.openTicket(licenceId, start), await there.openTicket(licenceId, start)];
    const uses = await inBoth(8, (one, index) =>
      one.ticket(tickets[index % 3 === 0 ? 0 : 1]?.ticket ?? '', start, { use: true }),
    );
    expect(uses.filter((use) => use !== null)).toEqual([{ licenceId }]);
    expect(await there.checkActivationCode(licenceId, code, start)).toEqual({ kind: 'spent' });

    await there.makeActivationCode(licenceId, 'owner', start + minute);
    const tries = await inBoth(12, (one) => one.checkActivationCode(licenceId, wrong, start + minute));
    expect(tries.filter((one) => one.kind === 'wrong').length).toBeLessThanOrEqual(5);
    expect(tries.filter((one) => one.kind === 'spent').length).toBeGreaterThanOrEqual(7);
  });

  it('MCR-7 a first password and an admin set in both at once are set once', async () => {
    const firsts = ['пароль-1', 'пароль-2', 'пароль-3', 'пароль-4'];
    const set = await inBoth(firsts.length, (one, index) => one.setFirstPassword(record, firsts[index] ?? ''));
    expect(set.filter(Boolean)).toHaveLength(1);
    const right = firsts[set.indexOf(true)] ?? '';
    expect((await there.checkPassword(['anna'], right, start)).kind).toBe('right');
    await Promise.all([here.setAdmin('root', 'secret-1'), there.setAdmin('admin', 'secret-2')]);
    expect(await stored('admins')).toBe(1);
    expect(await here.adminStamp()).toBe(await there.adminStamp());
  });

  it('MCR-8 a new password ends the sessions in both, and the one that goes on is over in both at its moment', async () => {
    for (const id of ['s1', 's2']) await openedIn(here, id);
    const ends = endsIn(there);
    for (const id of ['s1', 's2']) expect(await there.session(id, start)).not.toBeNull();
    const keep = { sessionId: 's1', until: start + 40, now: start };
    await here.setPassword(record, 'пароль-2', { reason: 'password_changed', keep });
    await expect.poll(() => ends.map(({ sessionId }) => sessionId)).toEqual(['s2', 's1']);
    expect(await there.session('s1', start)).toBeNull();
    expect(await stored('refresh_tokens')).toBe(0);
  });

  it('MCR-9 what has expired is removed behind the next opening, of every licence, with its tokens', async () => {
    for (let index = 0; index < 5; index += 1) await openedIn(here, `s${index}`, { licenceId: `3f${index}` });
    await here.openTicket('3f1', start);
    const tomorrow = start + 2 * day;
    await openedIn(there, 'late', { createdAt: tomorrow, expiresAt: tomorrow + day });
    await there.openTicket('3f2', tomorrow);
    await expect.poll(() => stored('sessions')).toBe(1);
    expect(await stored('refresh_tokens')).toBe(1);
    expect(await stored('activation_tickets')).toBe(1);
  });

  it('MCR-10 everything is there after both are gone, and no secret lies readable in the database', async () => {
    await here.setPassword(record, 'tundra-93-kivi-48');
    await here.setAdmin('admin', 'admin-secret-77');
    const token = await openedIn(here, 's1');
    const rotated = await here.refresh(token, start);
    const made = await here.makeActivationCode(licenceId, 'owner', start);
    const { ticket } = await here.openTicket(licenceId, start);
    const stamp = await here.adminStamp();
    await here.close();
    await there.close();

    const after = await another();
    expect(await after.checkPassword(['anna'], 'tundra-93-kivi-48', start)).toEqual({ kind: 'right', record });
    expect(await after.checkAdmin('admin', 'admin-secret-77')).toBe(true);
    expect(await after.adminStamp()).toBe(stamp);
    expect(await after.session('s1', start)).toEqual({ ...aSession('s1'), lastSeenAt: start });
    expect(await after.refresh(token, start + 5_000)).toEqual(rotated);
    const pending = made.kind === 'made' ? { code: made.code, expiresAt: made.expiresAt } : null;
    expect(await after.pendingActivationCode(licenceId, start)).toEqual(pending);
    expect(await after.ticket(ticket, start)).toEqual({ licenceId });

    const names = ['passwords', 'sessions', 'refresh_tokens', 'activation_codes', 'activation_tickets', 'admins'];
    const texts = await Promise.all(
      names.map(async (name) => JSON.stringify(await database.collection(name).find().toArray())),
    );
    expect(texts.filter((text) => text === '[]')).toEqual([]);
    const refreshToken = rotated.kind === 'refreshed' ? rotated.refreshToken : '';
    const secrets = ['tundra-93-kivi-48', 'admin-secret-77', token, refreshToken, ticket, pending?.code ?? ''];
    for (const secret of secrets) expect(texts.join('').includes(secret)).toBe(false);
  });

  it('MCR-11 the indexes are there; another one of a name, and a newer layout, are refused', async () => {
    const indexed = async (name: string): Promise<readonly unknown[]> =>
      (await database.collection(name).listIndexes().toArray()).map(({ key }) => key as unknown);
    expect(await indexed('sessions')).toEqual([{ _id: 1 }, { userId: 1 }, { licenceId: 1 }]);
    expect(await indexed('refresh_tokens')).toEqual([{ _id: 1 }, { sessionId: 1 }]);
    await database.collection('activation_tickets').dropIndex('by_licenceId');
    await database.collection('activation_tickets').createIndex({ expiresAt: 1 }, { name: 'by_licenceId' });
    await expect(another()).rejects.toThrow(/activation_tickets has another index/);
    await database.collection<{ _id: string }>('credentials_meta').replaceOne({ _id: 'layout' }, { version: 9 });
    await expect(another()).rejects.toThrow(/written by a newer version \(9/);
  });

  it('MCR-12 sessions that are changed from outside are read again', async () => {
    await openedIn(here, 's1');
    await openedIn(here, 's2');
    const ends = endsIn(there);
    const sessions = database.collection<{ _id: string }>('sessions');
    await sessions.updateOne({ _id: 's1' }, { $set: { expiresAt: start + minute } });
    await expect.poll(() => there.session('s1', start + minute)).toBeNull();
    await sessions.deleteOne({ _id: 's2' });
    await expect.poll(() => ends.map(({ sessionId }) => sessionId)).toEqual(['s2']);
  });

  it('MCR-13 a short key is refused, and a URL that cannot be used without saying its password', async () => {
    await expect(mongoCredentials({ ...suiteOptions, url, key: new Uint8Array(31) })).rejects.toThrow(RangeError);
    const wrong = [
      ['mongodb://anna:geheim-77@127.0.0.1:27017', /names no database/],
      ['mongodb://anna:geheim-77@127.0.0.1:port/zakup', /cannot be used/],
      ['http://anna:geheim-77@127.0.0.1/zakup', /cannot be used/],
      ['mongodb://anna:geheim-77@127.0.0.1/zakup?w=no&tls=perhaps', /cannot be used/],
    ] as const;
    for (const [given, why] of wrong) {
      const refusal = await mongoCredentials({ ...suiteOptions, url: given }).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(Error);
      expect(String(refusal)).toMatch(why);
      expect(String(refusal)).not.toContain('geheim');
    }
  });
});
