/**
 * What every Credentials adapter must do, by rule. Each test works on a store of its own with a clock of its own.
 */
import { randomBytes } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import type { Credentials, Session, SessionEnd, Taking, Try } from './credentials.ts';
import type { CredentialsOptions } from './credentials-on-tables.ts';
import { codeShown } from './testing/authenticator.ts';

export interface CredentialsUnderTest {
  readonly credentials: Credentials;
  readonly end: () => Promise<void>;
}

export const suiteOptions: CredentialsOptions = {
  key: new Uint8Array(32).fill(7),
  random: (count) => randomBytes(count),
};

const start = Date.UTC(2025, 0, 1);
const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const licenceId = '3flicence';

export const aSession = (id: string, more: Partial<Session> = {}): Omit<Session, 'lastSeenAt'> => ({
  id,
  userId: 'anna',
  licenceId,
  via: 'employee',
  createdAt: start,
  expiresAt: start + 24 * hour,
  userAgent: 'Firefox',
  passwordChangeOnly: false,
  ...more,
});

const roomy = { maxConcurrentSessions: 10, endOldest: false };
const anotherCode = (code: string): string => (code === '000000' ? '000001' : '000000');

export const credentialsContractSuite = (name: string, make: () => Promise<CredentialsUnderTest>): void => {
  describe(`Credentials: ${name}`, () => {
    const opened: CredentialsUnderTest[] = [];

    const empty = async (): Promise<Credentials> => {
      const made = await make();
      opened.push(made);
      return made.credentials;
    };

    afterEach(async () => {
      for (const { end } of opened.splice(0)) await end();
    });

    const open = async (
      credentials: Credentials,
      id: string,
      more: Partial<Session> = {},
      limit: Parameters<Credentials['openSession']>[1] = roomy,
    ) => {
      const result = await credentials.openSession(aSession(id, more), limit);
      if (result.kind !== 'opened') throw new Error(`session ${id} was not opened`);
      return result;
    };

    const rotate = async (credentials: Credentials, token: string, now: number) => {
      const result = await credentials.refresh(token, now);
      if (result.kind !== 'refreshed') throw new Error(`refresh answered ${result.kind}`);
      return result.refreshToken;
    };

    const endsOf = (credentials: Credentials): SessionEnd[] => {
      const ends: SessionEnd[] = [];
      credentials.onSessionEnded((end) => ends.push(end));
      return ends;
    };

    describe('webhooks', () => {
      const made = {
        id: 'w-1',
        licenceId,
        createdBy: 'anna',
        createdAt: start,
        url: 'enc:1:url',
        secret: 'enc:1:secret',
        events: ['*'],
        campaignId: null,
        status: 'active',
        version: 10,
        position: 10,
      } as const;
      const found = (position: number, due = start) => ({
        webhookId: 'w-1',
        position,
        eventId: `e-${position}`,
        stream: `channel-${licenceId}~c`,
        revision: position,
        type: 'ChannelRenamed',
        entity: 'channel:c',
        due,
      });
      const tried = (status: number, at = start) => ({ at, status, ms: 5, error: null });
      const given = async () => {
        const { webhooks } = await empty();
        expect(await webhooks.add(made)).toBe(true);
        return webhooks;
      };

      it('WHK-2930 are kept as they were made, and changed by later events alone', async () => {
        const webhooks = await given();
        expect(await webhooks.add({ ...made, url: 'other' })).toBe(false);
        expect(await webhooks.ofLicence(licenceId)).toEqual([{ ...made, waiting: 0, lastDelivery: null }]);
        expect(await webhooks.webhook('other', 'w-1')).toBeNull();
        await webhooks.change('w-1', 12, { status: 'paused', url: 'enc:1:new' });
        await webhooks.change('w-1', 11, { status: 'active', url: 'enc:1:old' });
        expect(await webhooks.webhook(licenceId, 'w-1')).toMatchObject({
          status: 'paused',
          url: 'enc:1:new',
          version: 12,
        });
        expect(await webhooks.ofStatus('active')).toEqual([]);
        expect(await webhooks.remove('other', 'w-1')).toBe(false);
        expect(await webhooks.remove(licenceId, 'w-1')).toBe(true);
        expect(await webhooks.ofLicence(licenceId)).toEqual([]);
      });

      it('WHK-2931 note what was found with the place in the log, and what came of it; of another version nothing', async () => {
        const webhooks = await given();
        const page = { position: 14, deliveries: [found(12), found(14)], forget: [] };
        expect(await webhooks.enqueue({ id: 'w-1', version: 9 }, page)).toBe(false);
        expect(await webhooks.enqueue(made, page)).toBe(true);
        expect(await webhooks.webhook(licenceId, 'w-1')).toMatchObject({ position: 14, waiting: 2 });
        const settled = { webhookId: 'w-1', since: start };
        await webhooks.settle([
          { ...settled, position: 12, tried: tried(500), due: start + second },
          { ...settled, position: 14, tried: tried(200), due: null },
          { ...settled, position: 13, tried: tried(200), due: null },
        ]);
        const [first, last] = await webhooks.deliveries('w-1');
        expect(first).toMatchObject({
          position: 12,
          tries: [tried(500)],
          failures: 1,
          since: start,
          due: start + second,
        });
        expect(last).toMatchObject({ position: 14, tries: [tried(200)], failures: 0, due: null });
        expect(await webhooks.webhook(licenceId, 'w-1')).toMatchObject({
          waiting: 1,
          lastDelivery: { ...tried(200), position: 14, type: 'ChannelRenamed' },
        });
        expect(await webhooks.counts()).toEqual({ active: 1, failing: 0, waiting: 1 });
        await webhooks.enqueue(made, { position: 15, deliveries: [], forget: [14] });
        expect((await webhooks.deliveries('w-1')).map(({ position }) => position)).toEqual([12]);
      });

      it('WHK-2932 begin anew: what waits when one is switched on again, what lies behind a replay, what is sent again', async () => {
        const webhooks = await given();
        await webhooks.enqueue(made, { position: 14, deliveries: [found(12), found(14)], forget: [] });
        const tries = [500, 501].map((status) => ({
          webhookId: 'w-1',
          position: 12,
          tried: tried(status),
          since: start,
          due: start + hour,
        }));
        await webhooks.settle(tries);
        await webhooks.change('w-1', 20, { status: 'failing' });
        await webhooks.change('w-1', 21, { status: 'active', anew: start + hour });
        expect((await webhooks.deliveries('w-1'))[0]).toMatchObject({ failures: 0, since: null, due: start + hour });
        await webhooks.replay('w-1', 22, 13);
        expect(await webhooks.webhook(licenceId, 'w-1')).toMatchObject({ position: 13, waiting: 1 });
        const { due: _, ...sent } = found(9);
        await webhooks.resend(sent, 23, start + minute);
        await webhooks.resend(sent, 22, start + hour);
        expect(await webhooks.webhook(licenceId, 'w-1')).toMatchObject({ version: 23, waiting: 2 });
        const kept = (await webhooks.deliveries('w-1')).map(({ position, due }) => [position, due]);
        expect(kept).toEqual([
          [9, start + minute],
          [12, start + hour],
        ]);
      });
    });

    describe('keys', () => {
      const made = {
        id: 'key-1',
        licenceId,
        name: 'Отчёты',
        access: 'read',
        createdAt: start,
        expiresAt: null,
      } as const;

      it('KEY-2882 the secret is told once and leads to its key, which is kept without it', async () => {
        const credentials = await empty();
        const added = await credentials.addKey(made);
        const secret = added?.secret ?? '';
        expect(secret).toMatch(/^zk_[\w-]{43}$/u);
        const key = { ...made, prefix: secret.slice(0, 9), lastUsedAt: null };
        expect(added?.key).toEqual(key);
        expect(await credentials.addKey(made)).toBeNull();
        expect(await credentials.keysOf(licenceId)).toEqual([key]);
        expect(await credentials.key('key-1', start)).toEqual(key);
        expect((await credentials.keyOfSecret(secret, start))?.id).toBe('key-1');
        for (const wrong of [`${secret}x`, secret.slice(3), '', 'zk_']) {
          expect(await credentials.keyOfSecret(wrong, start)).toBeNull();
        }
      });

      it('KEY-2883 a use is kept by the minute', async () => {
        const credentials = await empty();
        const secret = (await credentials.addKey(made))?.secret ?? '';
        const usedAt = async (now: number) => {
          await credentials.keyOfSecret(secret, now);
          return (await credentials.key('key-1', now))?.lastUsedAt;
        };
        expect(await usedAt(start + second)).toBe(start + second);
        expect(await usedAt(start + minute)).toBe(start + second);
        expect(await usedAt(start + second + minute)).toBe(start + second + minute);
      });

      it('KEY-2884 one that is over is listed and opens nothing; one that was removed is gone', async () => {
        const credentials = await empty();
        const secret = (await credentials.addKey({ ...made, expiresAt: start + hour }))?.secret ?? '';
        const other = await credentials.addKey({ ...made, id: 'key-2', licenceId: 'other' });
        expect((await credentials.keyOfSecret(secret, start + hour - 1))?.id).toBe('key-1');
        expect(await credentials.keyOfSecret(secret, start + hour)).toBeNull();
        expect(await credentials.key('key-1', start + hour)).toBeNull();
        expect((await credentials.keysOf(licenceId)).map(({ id }) => id)).toEqual(['key-1']);
        expect(await credentials.removeKey(licenceId, 'key-2')).toBe(false);
        expect(await credentials.removeKey('other', 'key-2')).toBe(true);
        expect(await credentials.keyOfSecret(other?.secret ?? '', start)).toBeNull();
        expect(await credentials.keysOf('other')).toEqual([]);
      });
    });

    describe('passwords', () => {
      const record = { userId: 'anna', licenceId, temporary: false, validUntil: null };

      it('CRD-1 the right password answers its record, any other is wrong', async () => {
        const credentials = await empty();
        await credentials.setPassword(record, 'тундра-9');
        expect(await credentials.checkPassword(['anna'], 'тундра-9', start)).toEqual({ kind: 'right', record });
        for (const password of ['тундра-8', '', 'ТУНДРА-9', 'тундра-9 ']) {
          expect(await credentials.checkPassword(['anna'], password, start)).toEqual({ kind: 'wrong' });
        }
      });

      it('CRD-2 an unknown person and nobody at all are wrong', async () => {
        const credentials = await empty();
        expect(await credentials.checkPassword(['nobody'], 'x', start)).toEqual({ kind: 'wrong' });
        expect(await credentials.checkPassword([], '', start)).toEqual({ kind: 'wrong' });
      });

      it('CRD-3 a new password replaces the old one', async () => {
        const credentials = await empty();
        await credentials.setPassword({ ...record, temporary: true, validUntil: start + 72 * hour }, 'first');
        await credentials.setPassword(record, 'second');
        expect(await credentials.checkPassword(['anna'], 'first', start)).toEqual({ kind: 'wrong' });
        expect(await credentials.checkPassword(['anna'], 'second', start)).toEqual({ kind: 'right', record });
      });

      it('CRD-4 a temporary password works until its time', async () => {
        const credentials = await empty();
        const temporary = { ...record, temporary: true, validUntil: start + 72 * hour };
        await credentials.setPassword(temporary, 'once');
        expect(await credentials.checkPassword(['anna'], 'once', start + 72 * hour - 1)).toEqual({
          kind: 'right',
          record: temporary,
        });
        expect(await credentials.checkPassword(['anna'], 'once', start + 72 * hour)).toEqual({ kind: 'wrong' });
      });

      it('CRD-1261 of people who share a code the one whose password it is, and nobody when it is that of two', async () => {
        const credentials = await empty();
        const oleg = { ...record, userId: 'oleg', licenceId: 'other' };
        await credentials.setPassword({ ...record, typedWith: 'CODE-7' }, 'her own');
        await credentials.setFirstPassword({ ...oleg, typedWith: 'CODE-7' }, 'his own');
        const both = ['anna', 'oleg', 'nobody'];
        expect(await credentials.checkPassword(both, 'her own', start)).toEqual({ kind: 'right', record });
        expect(await credentials.checkPassword(both, 'his own', start)).toEqual({ kind: 'right', record: oleg });
        expect(await credentials.checkPassword(['anna'], 'his own', start)).toEqual({ kind: 'wrong' });
        expect(await credentials.checkPassword(both, 'another', start)).toEqual({ kind: 'wrong' });
        await credentials.setPassword({ ...record, typedWith: 'CODE-7' }, 'his own');
        expect(await credentials.checkPassword(both, 'his own', start)).toEqual({ kind: 'wrong' });
      });

      it('CRD-5 a removed password is wrong', async () => {
        const credentials = await empty();
        await credentials.setPassword(record, 'x');
        await credentials.removePassword('anna');
        await credentials.removePassword('anna');
        expect(await credentials.checkPassword(['anna'], 'x', start)).toEqual({ kind: 'wrong' });
      });

      it('CRD-6 composed and decomposed letters are the same password', async () => {
        const credentials = await empty();
        await credentials.setPassword(record, 'йод'.normalize('NFD'));
        expect((await credentials.checkPassword(['anna'], 'йод'.normalize('NFC'), start)).kind).toBe('right');
      });

      it('CRD-7 many checks at once are each answered rightly', async () => {
        const credentials = await empty();
        await credentials.setPassword(record, 'right');
        const answers = await Promise.all(
          Array.from({ length: 8 }, (_, index) =>
            credentials.checkPassword(['anna'], index % 2 === 0 ? 'right' : 'wrong', start),
          ),
        );
        expect(answers.map(({ kind }) => kind)).toEqual(Array.from({ length: 4 }, () => ['right', 'wrong']).flat());
      });
    });

    describe('sessions', () => {
      it('CRD-8 an opened session is found until its hard end', async () => {
        const credentials = await empty();
        const { session, refreshToken } = await open(credentials, 's1');
        expect(session).toEqual({ ...aSession('s1'), lastSeenAt: start });
        expect(Buffer.from(refreshToken, 'base64url')).toHaveLength(32);
        expect(await credentials.session('s1', start)).toEqual(session);
        expect((await credentials.session('s1', start + 24 * hour - 1))?.id).toBe('s1');
        expect(await credentials.session('s1', start + 24 * hour)).toBeNull();
        expect(await credentials.session('unknown', start)).toBeNull();
      });

      it('CRD-9 looking a session up moves when it was last seen, by the minute', async () => {
        const credentials = await empty();
        await open(credentials, 's1');
        expect((await credentials.session('s1', start + minute - 1))?.lastSeenAt).toBe(start);
        expect((await credentials.session('s1', start + 3 * minute))?.lastSeenAt).toBe(start + 3 * minute);
        expect((await credentials.sessionsOf('anna', start))[0]?.lastSeenAt).toBe(start + 3 * minute);
      });

      it('CRD-10 lists a person oldest first and counts a licence, without ended and expired ones', async () => {
        const credentials = await empty();
        await open(credentials, 'b', { createdAt: start + 1 });
        await open(credentials, 'a', { createdAt: start + 2 });
        await open(credentials, 'c', { createdAt: start, expiresAt: start + hour });
        await open(credentials, 'd', { userId: 'boris' });
        await open(credentials, 'e', { licenceId: '3fother' });
        expect((await credentials.sessionsOf('anna', start + 5)).map(({ id }) => id)).toEqual(['c', 'e', 'b', 'a']);
        expect(await credentials.countSessions(licenceId, start + 5)).toEqual({ seats: 4, owner: 0 });
        expect(await credentials.countSessions(licenceId, start + hour)).toEqual({ seats: 3, owner: 0 });
        await credentials.endSession('b', 'logged_out');
        expect((await credentials.sessionsOf('anna', start + hour)).map(({ id }) => id)).toEqual(['e', 'a']);
      });

      it('CRD-3416 says when a licence was last used by a session that is still open', async () => {
        const credentials = await empty();
        expect(await credentials.lastUse(licenceId, start)).toBeNull();
        await open(credentials, 'a');
        await open(credentials, 'b', { createdAt: start + minute });
        await open(credentials, 'c', { licenceId: '3fother', createdAt: start + 9 * minute });
        expect(await credentials.lastUse(licenceId, start + 2 * minute)).toBe(start + minute);
        await credentials.session('a', start + 5 * minute);
        expect(await credentials.lastUse(licenceId, start + 6 * minute)).toBe(start + 5 * minute);
        await credentials.endSession('a', 'logged_out');
        expect(await credentials.lastUse(licenceId, start + 6 * minute)).toBe(start + minute);
        await credentials.endSession('b', 'logged_out');
        expect(await credentials.lastUse(licenceId, start + 6 * minute)).toBeNull();
      });

      it('CRD-11 above the limit answers the own open sessions and opens nothing', async () => {
        const credentials = await empty();
        const two = { maxConcurrentSessions: 2, endOldest: false };
        await open(credentials, 'a1', {}, two);
        await open(credentials, 'b1', { userId: 'boris', createdAt: start + 1 }, two);
        const refused = await credentials.openSession(aSession('a2', { createdAt: start + 2 }), two);
        expect(refused).toMatchObject({ kind: 'limit', own: [{ id: 'a1' }] });
        expect(await credentials.session('a2', start + 2)).toBeNull();
        const stranger = await credentials.openSession(aSession('c1', { userId: 'clara' }), two);
        expect(stranger).toEqual({ kind: 'limit', own: [] });
        expect((await credentials.openSession(aSession('x', { licenceId: '3fother' }), two)).kind).toBe('opened');
      });

      it('CRD-12 endOldest ends the own oldest session, never another person’s', async () => {
        const credentials = await empty();
        const ends = endsOf(credentials);
        const two = { maxConcurrentSessions: 2, endOldest: true };
        await open(credentials, 'b1', { userId: 'boris' }, two);
        await open(credentials, 'a1', { createdAt: start + 1 }, two);
        await open(credentials, 'a2', { createdAt: start + 2 }, two);
        expect((await credentials.sessionsOf('anna', start + 2)).map(({ id }) => id)).toEqual(['a2']);
        expect(await credentials.session('b1', start + 2)).not.toBeNull();
        expect(await credentials.openSession(aSession('c1', { userId: 'clara' }), two)).toEqual({
          kind: 'limit',
          own: [],
        });
        expect(ends).toEqual([{ sessionId: 'a1', userId: 'anna', licenceId, reason: 'revoked' }]);
      });

      it('CRD-1262 a person has no more than theirs of the seats that are free, and makes room among their own', async () => {
        const credentials = await empty();
        const three = { maxConcurrentSessions: 10, mostOfOne: 3, endOldest: false };
        for (const [index, id] of ['a1', 'a2', 'a3'].entries())
          await open(credentials, id, { createdAt: start + index }, three);
        const refused = await credentials.openSession(aSession('a4', { createdAt: start + 4 }), three);
        expect(refused).toMatchObject({ kind: 'limit', own: [{ id: 'a1' }, { id: 'a2' }, { id: 'a3' }] });
        await open(credentials, 'b1', { userId: 'boris', createdAt: start + 5 }, three);
        await open(credentials, 'a4', { createdAt: start + 6 }, { ...three, endOldest: true });
        expect((await credentials.sessionsOf('anna', start + 6)).map(({ id }) => id)).toEqual(['a2', 'a3', 'a4']);
        for (const id of ['o1', 'o2', 'o3', 'o4'])
          await open(credentials, id, { userId: 'owner', via: 'owner' }, three);
        expect(await credentials.countSessions(licenceId, start + 6)).toEqual({ seats: 4, owner: 4 });
      });

      it('CRD-13 endOldest ends nothing where that would not make room', async () => {
        const credentials = await empty();
        await open(credentials, 'a1');
        for (const id of ['b1', 'b2']) await open(credentials, id, { userId: 'boris' });
        const refused = await credentials.openSession(aSession('a2'), { maxConcurrentSessions: 2, endOldest: true });
        expect(refused).toMatchObject({ kind: 'limit', own: [{ id: 'a1' }] });
        expect(await credentials.session('a1', start)).not.toBeNull();
      });

      it('CRD-14 owner sessions are counted apart and never ended by employees', async () => {
        const credentials = await empty();
        const one = { maxConcurrentSessions: 1, endOldest: false };
        await open(credentials, 'e1', { userId: 'boris' }, one);
        await open(credentials, 'o1', { userId: 'owner', via: 'licence' }, one);
        expect((await credentials.openSession(aSession('e2'), { ...one, endOldest: true })).kind).toBe('limit');
        const again = await credentials.openSession(aSession('o2', { userId: 'owner', via: 'owner' }), {
          ...one,
          endOldest: true,
        });
        expect(again.kind).toBe('opened');
        expect(await credentials.session('o1', start)).toBeNull();
        expect(await credentials.session('e1', start)).not.toBeNull();
      });

      it('CRD-1140 the count tells the owner’s sessions apart from the seats that the maximum counts', async () => {
        const credentials = await empty();
        const two = { maxConcurrentSessions: 2, endOldest: false };
        await open(credentials, 'o1', { userId: 'owner', via: 'owner' }, two);
        await open(credentials, 'o2', { userId: 'owner', via: 'licence', expiresAt: start + hour }, two);
        await open(credentials, 'e1', { userId: 'boris' }, two);
        expect(await credentials.countSessions(licenceId, start)).toEqual({ seats: 1, owner: 2 });
        await open(credentials, 'e2', {}, two);
        expect((await credentials.openSession(aSession('e3'), two)).kind).toBe('limit');
        expect(await credentials.countSessions(licenceId, start)).toEqual({ seats: 2, owner: 2 });
        expect(await credentials.countSessions(licenceId, start + hour)).toEqual({ seats: 2, owner: 1 });
        expect(await credentials.countSessions('3fother', start)).toEqual({ seats: 0, owner: 0 });
      });

      it('CRD-15 expired sessions free their seats and are told as expired', async () => {
        const credentials = await empty();
        const ends = endsOf(credentials);
        const one = { maxConcurrentSessions: 1, endOldest: false };
        await open(credentials, 'old', {}, one);
        await open(credentials, 'new', { createdAt: start + 24 * hour, expiresAt: start + 48 * hour }, one);
        expect(await credentials.countSessions(licenceId, start + 24 * hour)).toEqual({ seats: 1, owner: 0 });
        await expect.poll(() => ends.map(({ reason }) => reason)).toEqual(['expired']);
      });

      it('CRD-16 parallel openings never exceed the limit', async () => {
        const credentials = await empty();
        const results = await Promise.all(
          Array.from({ length: 12 }, (_, index) =>
            credentials.openSession(aSession(`s${index}`, { userId: `u${index}` }), {
              maxConcurrentSessions: 5,
              endOldest: false,
            }),
          ),
        );
        expect(results.filter(({ kind }) => kind === 'opened')).toHaveLength(5);
        expect(await credentials.countSessions(licenceId, start)).toEqual({ seats: 5, owner: 0 });
      });

      it('CRD-17 ending a session tells listeners once, with the reason; later and unknown ends are quiet', async () => {
        const credentials = await empty();
        const ends = endsOf(credentials);
        const { refreshToken } = await open(credentials, 's1');
        await credentials.endSession('s1', 'logged_out');
        await credentials.endSession('s1', 'revoked');
        await credentials.endSession('unknown', 'revoked');
        expect(await credentials.session('s1', start)).toBeNull();
        expect(await credentials.refresh(refreshToken, start)).toEqual({ kind: 'invalid' });
        expect(ends).toEqual([{ sessionId: 's1', userId: 'anna', licenceId, reason: 'logged_out' }]);
      });

      it('CRD-18 ends all sessions of a person but one', async () => {
        const credentials = await empty();
        for (const id of ['s1', 's2', 's3']) await open(credentials, id);
        await open(credentials, 'b1', { userId: 'boris' });
        expect(await credentials.endSessionsOf('anna', 'password_changed', 's2')).toBe(2);
        expect((await credentials.sessionsOf('anna', start)).map(({ id }) => id)).toEqual(['s2']);
        expect(await credentials.session('b1', start)).not.toBeNull();
        expect(await credentials.endSessionsOf('nobody', 'revoked')).toBe(0);
      });

      it('CRD-48 a new password ends the sessions with it, and lets one go on until a stored moment', async () => {
        const credentials = await empty();
        const record = { userId: 'anna', licenceId, temporary: false, validUntil: null };
        const ends = endsOf(credentials);
        const { refreshToken } = await open(credentials, 's1');
        await open(credentials, 's2');
        await open(credentials, 'b1', { userId: 'boris' });
        const keep = { sessionId: 's1', until: start + 5 * second, now: start };
        await credentials.setPassword(record, 'пароль-2', { reason: 'password_changed', keep });
        expect((await credentials.checkPassword(['anna'], 'пароль-2', start)).kind).toBe('right');
        expect(ends.map(({ sessionId, reason }) => [sessionId, reason])).toEqual([['s2', 'password_changed']]);
        expect(await credentials.session('s1', start + 5 * second - 1)).toMatchObject({ expiresAt: keep.until });
        expect(await credentials.session('s1', keep.until)).toBeNull();
        expect(await credentials.countSessions(licenceId, keep.until)).toEqual({ seats: 1, owner: 0 });
        expect(await credentials.session('b1', keep.until)).not.toBeNull();
        expect(await credentials.refresh(refreshToken, keep.until)).toEqual({ kind: 'invalid' });
      });

      it('CRD-49 tells of the end of the one it let go on, and never makes its life longer', async () => {
        const credentials = await empty();
        const record = { userId: 'anna', licenceId, temporary: false, validUntil: null };
        const ended = new Promise<SessionEnd>((resolve) => {
          credentials.onSessionEnded(resolve);
        });
        await open(credentials, 's1', { expiresAt: start + 10 });
        const keep = { sessionId: 's1', until: start + minute, now: start };
        await credentials.setPassword(record, 'пароль-2', { reason: 'password_changed', keep });
        expect(await ended).toMatchObject({ sessionId: 's1', reason: 'password_changed' });
        expect(await credentials.session('s1', start)).toBeNull();
      });

      it('CRD-50 a first password is set once and overwrites none, also of two at a time', async () => {
        const credentials = await empty();
        const record = { userId: 'anna', licenceId, temporary: false, validUntil: null };
        const passwords = ['пароль-1', 'пароль-2'];
        const set = await Promise.all(passwords.map((password) => credentials.setFirstPassword(record, password)));
        expect(set.filter(Boolean)).toHaveLength(1);
        const right = passwords[set.indexOf(true)] ?? '';
        expect(await credentials.setFirstPassword(record, 'пароль-3')).toBe(false);
        expect((await credentials.checkPassword(['anna'], right, start)).kind).toBe('right');
        await credentials.removePassword('anna');
        expect(await credentials.setFirstPassword(record, 'пароль-3')).toBe(true);
      });

      it('CRD-19 a stopped listener hears nothing more', async () => {
        const credentials = await empty();
        const ends: SessionEnd[] = [];
        const stop = credentials.onSessionEnded((end) => ends.push(end));
        await open(credentials, 's1');
        stop();
        await credentials.endSession('s1', 'revoked');
        await credentials.session('s1', start);
        expect(ends).toEqual([]);
      });

      it('CRD-20 a session that would end before it begins is an error', async () => {
        const credentials = await empty();
        await expect(credentials.openSession(aSession('s1', { expiresAt: start }), roomy)).rejects.toThrow(RangeError);
        expect(await credentials.countSessions(licenceId, start)).toEqual({ seats: 0, owner: 0 });
      });
    });

    describe('refresh tokens', () => {
      it('CRD-21 rotates: a new token, the same session, seen now', async () => {
        const credentials = await empty();
        const { refreshToken } = await open(credentials, 's1');
        const result = await credentials.refresh(refreshToken, start + 12 * minute);
        expect(result).toMatchObject({ kind: 'refreshed', session: { id: 's1', lastSeenAt: start + 12 * minute } });
        const next = await rotate(credentials, refreshToken, start + 12 * minute);
        expect(next).not.toBe(refreshToken);
        expect(Buffer.from(next, 'base64url')).toHaveLength(32);
        expect(await rotate(credentials, next, start + 24 * minute)).not.toBe(next);
      });

      it('CRD-22 the previous token answers the same new one for 5 s, in parallel too', async () => {
        const credentials = await empty();
        const { refreshToken } = await open(credentials, 's1');
        const tokens = await Promise.all(
          Array.from({ length: 10 }, (_, index) => rotate(credentials, refreshToken, start + minute + index * 100)),
        );
        expect(new Set(tokens).size).toBe(1);
        expect(await rotate(credentials, refreshToken, start + minute + 5 * second)).toBe(tokens[0]);
        expect((await credentials.sessionsOf('anna', start)).length).toBe(1);
      });

      it('CRD-23 later it ends the session and all its tokens', async () => {
        const credentials = await empty();
        const ends = endsOf(credentials);
        const { refreshToken } = await open(credentials, 's1');
        const next = await rotate(credentials, refreshToken, start);
        expect(await credentials.refresh(refreshToken, start + 5 * second + 1)).toMatchObject({
          kind: 'reused',
          session: { id: 's1' },
        });
        expect(await credentials.session('s1', start + 6 * second)).toBeNull();
        expect(await credentials.refresh(next, start + 6 * second)).toEqual({ kind: 'invalid' });
        expect(await credentials.refresh(refreshToken, start + 6 * second)).toEqual({ kind: 'invalid' });
        expect(ends.map(({ reason }) => reason)).toEqual(['reused']);
      });

      it('CRD-24 a token from several rotations ago ends the session as well', async () => {
        const credentials = await empty();
        const { refreshToken } = await open(credentials, 's1');
        let token = refreshToken;
        for (let step = 1; step <= 3; step += 1) token = await rotate(credentials, token, start + step * minute);
        expect((await credentials.refresh(refreshToken, start + 4 * minute)).kind).toBe('reused');
        expect((await credentials.refresh(token, start + 4 * minute)).kind).toBe('invalid');
      });

      it('CRD-25 within the grace a token two rotations behind answers the current one', async () => {
        const credentials = await empty();
        const { refreshToken } = await open(credentials, 's1');
        const second1 = await rotate(credentials, refreshToken, start);
        const third = await rotate(credentials, second1, start + second);
        expect(await rotate(credentials, refreshToken, start + 2 * second)).toBe(third);
      });

      it('CRD-26 unknown tokens and expired sessions are invalid', async () => {
        const credentials = await empty();
        const { refreshToken } = await open(credentials, 's1');
        for (const token of ['', 'x', 's1', refreshToken.slice(1)]) {
          expect(await credentials.refresh(token, start)).toEqual({ kind: 'invalid' });
        }
        expect(await credentials.refresh(refreshToken, start + 24 * hour)).toEqual({ kind: 'invalid' });
        expect(await credentials.refresh(refreshToken, start)).toEqual({ kind: 'invalid' });
      });

      it('CRD-27 names the session of a current or earlier token without rotating', async () => {
        const credentials = await empty();
        const { refreshToken } = await open(credentials, 's1');
        const next = await rotate(credentials, refreshToken, start);
        expect((await credentials.sessionOfRefreshToken(refreshToken))?.id).toBe('s1');
        expect((await credentials.sessionOfRefreshToken(next))?.id).toBe('s1');
        expect(await credentials.sessionOfRefreshToken('unknown')).toBeNull();
        expect((await credentials.refresh(next, start + minute)).kind).toBe('refreshed');
      });
    });

    describe('activation', () => {
      const made = async (credentials: Credentials, by: 'admin' | 'owner', now = start) => {
        const result = await credentials.makeActivationCode(licenceId, by, now);
        if (result.kind !== 'made') throw new Error('no code was made');
        return result.code;
      };

      it('CRD-28 a code has 6 digits, is right for 10 minutes and only for its licence', async () => {
        const credentials = await empty();
        const code = await made(credentials, 'admin');
        expect(code).toMatch(/^\d{6}$/);
        expect(await credentials.checkActivationCode(licenceId, code, start + 10 * minute - 1)).toEqual({
          kind: 'right',
        });
        expect(await credentials.checkActivationCode('3fother', code, start)).toEqual({ kind: 'spent' });
        expect(await credentials.checkActivationCode(licenceId, code, start + 10 * minute)).toEqual({ kind: 'spent' });
      });

      it('CRD-29 five wrong tries spend it, right ones cost nothing', async () => {
        const credentials = await empty();
        const code = await made(credentials, 'owner');
        for (let round = 0; round < 4; round += 1) {
          expect(await credentials.checkActivationCode(licenceId, anotherCode(code), start)).toEqual({ kind: 'wrong' });
          expect(await credentials.checkActivationCode(licenceId, code, start)).toEqual({ kind: 'right' });
        }
        expect(await credentials.checkActivationCode(licenceId, anotherCode(code), start)).toEqual({ kind: 'wrong' });
        expect(await credentials.checkActivationCode(licenceId, code, start)).toEqual({ kind: 'spent' });
        expect(await credentials.pendingActivationCode(licenceId, start)).toBeNull();
      });

      it('CRD-30 an owner asks again after 60 s, which replaces the code; the admin at once', async () => {
        const credentials = await empty();
        const first = await made(credentials, 'owner');
        expect(await credentials.makeActivationCode(licenceId, 'owner', start + minute - 1)).toEqual({
          kind: 'too_soon',
          retryAt: start + minute,
        });
        let now = start + minute;
        let next = await made(credentials, 'owner', now);
        while (next === first) {
          now += minute;
          next = await made(credentials, 'owner', now);
        }
        expect(await credentials.checkActivationCode(licenceId, first, now)).toEqual({ kind: 'wrong' });
        expect(await credentials.checkActivationCode(licenceId, next, now)).toEqual({ kind: 'right' });
        const admins = await made(credentials, 'admin', now);
        expect(await credentials.checkActivationCode(licenceId, admins, now)).toEqual({ kind: 'right' });
        expect(await credentials.pendingActivationCode(licenceId, now)).toBeNull();
        expect((await credentials.makeActivationCode(licenceId, 'admin', now)).kind).toBe('made');
      });

      it('CRD-31 an owner’s request leaves the admin’s code right, and wrong tries count for both', async () => {
        const credentials = await empty();
        const admins = await made(credentials, 'admin');
        const owners = await made(credentials, 'owner');
        for (const code of [admins, owners]) {
          expect(await credentials.checkActivationCode(licenceId, code, start)).toEqual({ kind: 'right' });
        }
        const wrong = ['111111', '222222', '333333'].find((code) => code !== admins && code !== owners) ?? '';
        for (let round = 0; round < 5; round += 1) await credentials.checkActivationCode(licenceId, wrong, start);
        for (const code of [admins, owners]) {
          expect(await credentials.checkActivationCode(licenceId, code, start)).toEqual({ kind: 'spent' });
        }
      });

      it('CRD-32 only an owner’s code can be read, until it is over', async () => {
        const credentials = await empty();
        expect(await credentials.pendingActivationCode(licenceId, start)).toBeNull();
        await made(credentials, 'admin');
        expect(await credentials.pendingActivationCode(licenceId, start)).toBeNull();
        const code = await made(credentials, 'owner');
        const pending = { code, expiresAt: start + 10 * minute };
        expect(await credentials.pendingActivationCode(licenceId, start)).toEqual(pending);
        expect(await credentials.pendingActivationCode(licenceId, pending.expiresAt)).toBeNull();
        expect(await credentials.pendingActivationCode('3fother', start)).toBeNull();
      });

      it('CRD-59 an owner’s code that is sent elsewhere is not readable, and right all the same', async () => {
        const credentials = await empty();
        const sent = await credentials.makeActivationCode(licenceId, 'owner', start, { readable: false });
        expect(await credentials.pendingActivationCode(licenceId, start)).toBeNull();
        const code = sent.kind === 'made' ? sent.code : '';
        expect(await credentials.checkActivationCode(licenceId, code, start)).toEqual({ kind: 'right' });
      });

      it('CRD-60 a handle’s chat is found however the handle is written, the last one', async () => {
        const credentials = await empty();
        expect(await credentials.chatOf('@anna')).toBeNull();
        await credentials.rememberChat('Anna', '1');
        await credentials.rememberChat('@ANNA', '2');
        expect(await credentials.chatOf(' @anna')).toBe('2');
        expect(await credentials.chatOf('@boris')).toBeNull();
      });

      it('CRD-33 a ticket names its licence for 10 minutes', async () => {
        const credentials = await empty();
        const { ticket, expiresAt } = await credentials.openTicket(licenceId, start);
        const other = await credentials.openTicket('3fother', start);
        expect(expiresAt).toBe(start + 10 * minute);
        expect(await credentials.ticket(ticket, expiresAt - 1)).toEqual({ licenceId });
        expect(await credentials.ticket(other.ticket, start)).toEqual({ licenceId: '3fother' });
        expect(await credentials.ticket(ticket, expiresAt)).toBeNull();
        expect(await credentials.ticket(ticket, expiresAt, { use: true })).toBeNull();
        expect(await credentials.ticket('unknown', start)).toBeNull();
      });

      it('CRD-34 a ticket is used once, and spends the licence’s codes and tickets alone', async () => {
        const credentials = await empty();
        const code = await made(credentials, 'owner');
        const first = await credentials.openTicket(licenceId, start);
        const second1 = await credentials.openTicket(licenceId, start);
        const other = await credentials.openTicket('3fother', start);
        const uses = await Promise.all(
          [first, second1].map(({ ticket }) => credentials.ticket(ticket, start, { use: true })),
        );
        expect(uses.filter((use) => use !== null)).toEqual([{ licenceId }]);
        expect(await credentials.ticket(first.ticket, start)).toBeNull();
        expect(await credentials.checkActivationCode(licenceId, code, start)).toEqual({ kind: 'spent' });
        expect(await credentials.pendingActivationCode(licenceId, start)).toBeNull();
        expect(await credentials.ticket(other.ticket, start, { use: true })).toEqual({ licenceId: '3fother' });
      });
    });

    describe('the second factor', () => {
      const step = 30 * second;
      const on = async (credentials: Credentials, account = 'anna') => {
        const secret = (await credentials.beginSecondFactor(account, licenceId)) ?? '';
        const confirmed = await credentials.confirmSecondFactor(account, codeShown(secret, start - step), start);
        if (confirmed.kind !== 'on') throw new Error(`the second factor was not confirmed: ${confirmed.kind}`);
        return { secret, recoveryCodes: confirmed.recoveryCodes };
      };

      it('CRD-1470 nothing is asked for before a right code was shown; then it is, and a second begin changes nothing', async () => {
        const credentials = await empty();
        expect(await credentials.confirmSecondFactor('anna', '000000', start)).toEqual({ kind: 'not_begun' });
        const first = (await credentials.beginSecondFactor('anna', licenceId)) ?? '';
        const secret = (await credentials.beginSecondFactor('anna', licenceId)) ?? '';
        expect(secret).toMatch(/^[A-Z2-7]{32}$/u);
        expect(secret).not.toBe(first);
        const confirm = (code: string) => credentials.confirmSecondFactor('anna', code, start);
        expect(await confirm(codeShown(secret, start + hour))).toEqual({ kind: 'wrong' });
        expect(await credentials.secondFactorOf('anna')).toBeNull();
        expect(await credentials.checkSecondFactor('anna', codeShown(secret, start), start)).toBe(false);
        expect(await credentials.secondFactorsIn(licenceId)).toEqual([]);
        const confirmed = await confirm(codeShown(secret, start));
        expect(confirmed).toEqual({ kind: 'on', recoveryCodes: expect.any(Array) as unknown });
        expect(await credentials.secondFactorOf('anna')).toEqual({ since: start, recoveryCodesLeft: 10 });
        expect(await credentials.secondFactorsIn(licenceId)).toEqual(['anna']);
        expect(await credentials.beginSecondFactor('anna', licenceId)).toBeNull();
        expect(await confirm(codeShown(secret, start + step))).toEqual({ kind: 'not_begun' });
      });

      it('CRD-1471 a code of the present step or one next to it is right once, never again nor an earlier one, nor another’s', async () => {
        const credentials = await empty();
        const { secret } = await on(credentials);
        const boris = await on(credentials, 'boris');
        const check = (at: number, now = start): Promise<boolean> =>
          credentials.checkSecondFactor('anna', codeShown(secret, at), now);
        expect(await check(start - step)).toBe(false);
        expect(await check(start - 2 * step)).toBe(false);
        expect(await check(start + 2 * step)).toBe(false);
        expect(await credentials.checkSecondFactor('anna', codeShown(boris.secret, start), start)).toBe(false);
        const code = codeShown(secret, start);
        const atOnce = await Promise.all(
          Array.from({ length: 5 }, () =>
            credentials.checkSecondFactor('anna', ` ${code.slice(0, 3)} ${code.slice(3)}`, start),
          ),
        );
        expect(atOnce.filter(Boolean)).toHaveLength(1);
        expect(await check(start + step)).toBe(true);
        expect(await check(start)).toBe(false);
        expect(await check(start + step, start + step)).toBe(false);
        expect(await check(start + 2 * step, start + step)).toBe(true);
        expect(await credentials.checkSecondFactor('nobody', code, start)).toBe(false);
      });

      it('CRD-1472 each of ten recovery codes is right once, however it is typed, until new ones are made', async () => {
        const credentials = await empty();
        const { recoveryCodes } = await on(credentials);
        const [first = '', second1 = '', third = ''] = recoveryCodes;
        expect(new Set(recoveryCodes).size).toBe(10);
        for (const code of recoveryCodes) expect(code).toMatch(/^[A-HJKMNP-Z2-9]{5}-[A-HJKMNP-Z2-9]{5}$/u);
        const check = (code: string, account = 'anna') => credentials.checkSecondFactor(account, code, start);
        const atOnce = await Promise.all(Array.from({ length: 5 }, () => check(first)));
        expect(atOnce.filter(Boolean)).toHaveLength(1);
        expect(await check(second1.toLowerCase().replace('-', ' '))).toBe(true);
        expect([await check(second1), await check('AAAAA-AAAAA'), await check('')]).toEqual([false, false, false]);
        expect((await credentials.secondFactorOf('anna'))?.recoveryCodesLeft).toBe(8);
        await on(credentials, 'boris');
        expect(await check(third, 'boris')).toBe(false);
        const renewed = await credentials.renewRecoveryCodes('anna');
        expect(await check(third)).toBe(false);
        expect(await check(renewed?.[0] ?? '')).toBe(true);
        expect(await credentials.renewRecoveryCodes('nobody')).toBeNull();
      });

      it('CRD-1473 a removed one is not asked for, its waiting sign-ins and failures are over, and a new one has other codes', async () => {
        const credentials = await empty();
        const { secret, recoveryCodes } = await on(credentials);
        const { token } = await credentials.openSignInStep(aStep, start);
        expect(await credentials.removeSecondFactor('anna')).toBe(true);
        expect(await credentials.removeSecondFactor('anna')).toBe(false);
        expect(await credentials.secondFactorOf('anna')).toBeNull();
        expect(await credentials.signInStep(token, start)).toBeNull();
        expect(await credentials.checkSecondFactor('anna', recoveryCodes[0] ?? '', start)).toBe(false);
        const anew = await on(credentials);
        expect(await credentials.checkSecondFactor('anna', codeShown(secret, start), start)).toBe(false);
        expect(await credentials.checkSecondFactor('anna', codeShown(anew.secret, start), start)).toBe(true);
      });

      it('CRD-1570 what a code was is told: of the authenticator, or a recovery code with how many are left', async () => {
        const credentials = await empty();
        const { secret, recoveryCodes } = await on(credentials);
        const spend = (code: string) => credentials.spendSecondFactor('anna', code, start);
        expect(await spend(codeShown(secret, start + step))).toEqual({ kind: 'authenticator' });
        expect(await spend(recoveryCodes[4] ?? '')).toEqual({ kind: 'recovery_code', left: 9 });
        expect([await spend(recoveryCodes[4] ?? ''), await spend('000000')]).toEqual([null, null]);
      });

      it('CRD-1571 one that is reset takes the person’s sessions and waiting sign-ins with it; where there is none nothing ends', async () => {
        const credentials = await empty();
        await on(credentials, 'boris');
        const enter = (id: string, userId: string) => credentials.openSession(aSession(id, { userId }), roomy);
        await enter('of-anna', 'anna');
        await enter('of-boris', 'boris');
        expect(await credentials.resetSecondFactor('anna')).toBe(false);
        expect(await credentials.session('of-anna', start)).not.toBeNull();
        await on(credentials);
        const { token } = await credentials.openSignInStep(aStep, start);
        expect(await credentials.resetSecondFactor('anna')).toBe(true);
        expect(await credentials.secondFactorOf('anna')).toBeNull();
        expect([await credentials.session('of-anna', start), await credentials.signInStep(token, start)]).toEqual([
          null,
          null,
        ]);
        expect(await credentials.resetSecondFactor('anna')).toBe(false);
        expect(await credentials.session('of-boris', start)).not.toBeNull();
        expect(await credentials.secondFactorOf('boris')).not.toBeNull();
      });

      it('CRD-1572 sessions of whoever has none end in their licence alone; one that was only begun is none', async () => {
        const credentials = await empty();
        await on(credentials, 'boris');
        await credentials.beginSecondFactor('clara', licenceId);
        const enter = (userId: string, more: object = {}) =>
          credentials.openSession(aSession(`of-${userId}`, { userId, ...more }), roomy);
        for (const userId of ['anna', 'boris', 'clara']) await enter(userId);
        await enter('dina', { licenceId: '3fother' });
        const ended = await credentials.endSessionsWithoutSecondFactor(licenceId);
        expect(ended.map(({ userId }) => userId).toSorted()).toEqual(['anna', 'clara']);
        const left = ['anna', 'boris', 'clara', 'dina'].map((userId) => credentials.session(`of-${userId}`, start));
        expect((await Promise.all(left)).map((one) => one?.userId)).toEqual([undefined, 'boris', undefined, 'dina']);
        expect(await credentials.endSessionsWithoutSecondFactor(licenceId)).toEqual([]);
      });

      const aStep = {
        userId: 'anna',
        licenceId,
        via: 'employee',
        endOldest: true,
        passwordChangeOnly: false,
        knownDevice: true,
      } as const;

      it('CRD-1474 a token between the two secrets lasts five minutes, remembers a right code, and ends when it is used', async () => {
        const credentials = await empty();
        const { token, expiresAt } = await credentials.openSignInStep(aStep, start);
        expect(expiresAt).toBe(start + 5 * minute);
        expect(await credentials.signInStep(token, expiresAt - 1)).toEqual({ ...aStep, passed: false });
        expect(await credentials.signInStep(token, expiresAt)).toBeNull();
        expect(await credentials.signInStep(`${token}x`, start)).toBeNull();
        await credentials.passSignInStep(token);
        expect((await credentials.signInStep(token, start))?.passed).toBe(true);
        expect([await credentials.endSignInStep(token), await credentials.endSignInStep(token)]).toEqual([true, false]);
        await credentials.passSignInStep(token);
        expect(await credentials.signInStep(token, start)).toBeNull();
      });

      it('CRD-1475 a new or removed password ends such tokens, and of one account ten are kept', async () => {
        const credentials = await empty();
        const password = { userId: 'anna', licenceId, temporary: false, validUntil: null };
        const waiting = async (userId = 'anna', at = start) =>
          (await credentials.openSignInStep({ ...aStep, userId }, at)).token;
        const [anna, boris] = [await waiting(), await waiting('boris')];
        await credentials.setPassword(password, 'пароль-2');
        expect(await credentials.signInStep(anna, start)).toBeNull();
        const next = await waiting();
        await credentials.removePassword('anna');
        expect(await credentials.signInStep(next, start)).toBeNull();
        expect(await credentials.signInStep(boris, start)).not.toBeNull();
        const tokens: string[] = [];
        for (let index = 0; index < 12; index += 1) tokens.push(await waiting('anna', start + index));
        const live = await Promise.all(tokens.map((token) => credentials.signInStep(token, start + 20)));
        expect(live.map((one) => one !== null)).toEqual([false, false, ...Array.from({ length: 10 }, () => true)]);
      });
    });

    describe('admin and failures', () => {
      it('CRD-35 there is one admin, checked by login and password', async () => {
        const credentials = await empty();
        expect(await credentials.hasAdmin()).toBe(false);
        expect(await credentials.adminStamp()).toBeNull();
        expect(await credentials.checkAdmin('', '')).toBe(false);
        await credentials.setAdmin('admin', 'secret-1');
        const stamp = await credentials.adminStamp();
        expect(await credentials.hasAdmin()).toBe(true);
        expect(await credentials.checkAdmin('admin', 'secret-1')).toBe(true);
        expect(await credentials.checkAdmin('admin', 'secret-2')).toBe(false);
        expect(await credentials.checkAdmin('root', 'secret-1')).toBe(false);
        await credentials.setAdmin('root', 'secret-2');
        expect(await credentials.checkAdmin('admin', 'secret-1')).toBe(false);
        expect(await credentials.checkAdmin('root', 'secret-2')).toBe(true);
        expect(await credentials.adminStamp()).not.toBe(stamp);
      });

      const administered = async () => {
        const credentials = await empty();
        await credentials.setAdmin('admin', 'secret-1');
        const stamp = (await credentials.adminStamp()) ?? '';
        const signIn = async (now = start): Promise<string> => (await credentials.openAdminSession(stamp, now)) ?? '';
        const state = (id: string, now: number, use = true) => credentials.adminSession(id, now, { use });
        return { credentials, stamp, signIn, state };
      };

      it('CRD-1455 a session of the admin lasts 12 hours while it is used, and half an hour without', async () => {
        const { signIn, state } = await administered();
        const [used, left] = [await signIn(), await signIn()];
        for (let at = start; at < start + 12 * hour; at += 29 * minute) expect(await state(used, at)).toBe('open');
        expect(await state(used, start + 12 * hour)).toBe('over');
        expect(await state(left, start + 30 * minute - 1, false)).toBe('open');
        expect(await state(left, start + 30 * minute)).toBe('idle');
        // An idle one does not come back, whoever signs in meanwhile.
        await signIn(start + 31 * minute);
        expect(await state(left, start + 31 * minute)).toBe('idle');
        expect(await state('unknown', start)).toBe('over');
      });

      it('CRD-2700 all sessions of the admin end but one, or all', async () => {
        const { credentials, signIn, state } = await administered();
        const [one, other, third] = [await signIn(), await signIn(), await signIn()];
        await credentials.endOtherAdminSessions(other);
        expect([await state(one, start), await state(other, start), await state(third, start)]).toEqual([
          'over',
          'open',
          'over',
        ]);
        await credentials.endOtherAdminSessions(null);
        expect(await state(other, start)).toBe('over');
      });

      it('CRD-1456 a session of the admin ends at once and alone; another password ends all and opens none for the one before', async () => {
        const { credentials, stamp, signIn, state } = await administered();
        const [one, other] = [await signIn(), await signIn()];
        await credentials.endAdminSession(one);
        expect([await state(one, start), await state(other, start)]).toEqual(['over', 'open']);
        await credentials.endAdminSession(one);
        await credentials.setAdmin('admin', 'secret-2');
        expect(await state(other, start)).toBe('over');
        expect(await credentials.openAdminSession(stamp, start)).toBeNull();
        expect(
          await state((await credentials.openAdminSession((await credentials.adminStamp()) ?? '', start)) ?? '', start),
        ).toBe('open');
      });

      const anna = (more: Partial<Try> = {}): Try => ({
        account: 'anna',
        address: '10.0.0.1',
        device: null,
        everywhere: 'account',
        ...more,
      });
      const begunOf = async (credentials: Credentials, attempts: readonly Try[], now = start): Promise<number> => {
        let begun = 0;
        for (const attempt of attempts) if ((await credentials.beginTry(attempt, now)).kind === 'begun') begun += 1;
        return begun;
      };
      const times = <Item>(count: number, item: (index: number) => Item): readonly Item[] =>
        Array.from({ length: count }, (_, index) => item(index));

      it('CRD-36 an account fails five times in a quarter of an hour at one address; a right secret counts nothing', async () => {
        const credentials = await empty();
        for (let round = 0; round < 20; round += 1) {
          expect(await credentials.beginTry(anna(), start + round)).toEqual({ kind: 'begun' });
          await credentials.takeTryBack(anna(), start + round, start + round + 1);
        }
        expect(
          await begunOf(
            credentials,
            times(8, () => anna()),
          ),
        ).toBe(5);
        expect(await credentials.beginTry(anna(), start + minute)).toEqual({
          kind: 'wait',
          until: start + 15 * minute,
        });
        expect(await begunOf(credentials, [anna({ address: '10.0.0.2' }), anna({ account: 'boris' })])).toBe(2);
        expect(
          await begunOf(
            credentials,
            times(8, () => anna()),
            start + 15 * minute + 1,
          ),
        ).toBeGreaterThan(0);
      });

      it('CRD-53 from the thirtieth failure of an address on only accounts that failed there wait', async () => {
        const credentials = await empty();
        await begunOf(
          credentials,
          times(30, (index) => anna({ account: `a${index}` })),
        );
        expect(await begunOf(credentials, [anna({ account: 'a3' })])).toBe(0);
        expect(await begunOf(credentials, [anna({ account: 'fresh' })])).toBe(1);
        expect(await begunOf(credentials, [anna({ account: 'fresh' })])).toBe(0);
        expect(await begunOf(credentials, [anna({ account: 'a3', address: '10.0.0.9' })])).toBe(1);
        expect(await begunOf(credentials, [anna({ account: 'a3', device: 'phone' })])).toBe(1);
      });

      it('CRD-54 from the tenth failure of an account on, wherever from, unknown devices wait longer each time', async () => {
        const credentials = await empty();
        const elsewhere = (index: number): Try => anna({ address: `10.0.1.${index}` });
        expect(await begunOf(credentials, times(40, elsewhere))).toBe(10);
        let now = start;
        for (const [index, wait] of [5, 10, 20, 40, 80, 120, 120].entries()) {
          const until = now + wait * minute;
          expect(await credentials.beginTry(elsewhere(50 + index), now)).toEqual({ kind: 'wait', until });
          expect(
            await begunOf(
              credentials,
              times(9, (at) => elsewhere(60 + at)),
              until,
            ),
          ).toBe(1);
          now = until;
        }
        expect(await begunOf(credentials, [anna({ device: 'phone' })], now)).toBe(1);
        expect(
          await begunOf(
            credentials,
            times(9, () => anna({ device: 'phone' })),
            now,
          ),
        ).toBe(4);
        await credentials.forgetTries('anna');
        expect(await begunOf(credentials, [elsewhere(99)], now)).toBe(1);
        expect(
          await begunOf(
            credentials,
            times(9, () => anna({ device: 'phone' })),
            now,
          ),
        ).toBe(5);
        await credentials.setPassword({ userId: 'anna', licenceId, temporary: false, validUntil: null }, 'новый-1');
        expect(
          await begunOf(
            credentials,
            times(9, () => anna({ device: 'phone' })),
            now,
          ),
        ).toBe(5);
        expect(
          await begunOf(
            credentials,
            times(20, (at) => anna({ account: 'door', address: `${at}`, everywhere: 'door' })),
          ),
        ).toBe(20);
      });

      it('CRD-1380 a door behind which all secrets are guessed allows fifty failures in a quarter of an hour from everywhere', async () => {
        const credentials = await empty();
        const door = (at: number) => anna({ account: 'door', address: `10.0.3.${at}`, everywhere: 'door' });
        expect(await begunOf(credentials, times(60, door))).toBe(50);
        expect(await credentials.beginTry(door(70), start)).toEqual({ kind: 'wait', until: start + 15 * 60_000 });
        expect((await credentials.beginTry({ ...door(70), device: 'phone' }, start)).kind).toBe('begun');
        expect((await credentials.beginTry(door(71), start + 15 * 60_000)).kind).toBe('begun');
      });

      it('CRD-55 tries sent all at once are counted before any is checked', async () => {
        const credentials = await empty();
        const verdicts = await Promise.all(
          times(30, (index) => credentials.beginTry(anna({ address: `10.0.2.${index}` }), start)),
        );
        expect(verdicts.filter(({ kind }) => kind === 'begun')).toHaveLength(10);
      });

      it('CRD-56 a device is known to the accounts that it signed in to, until 180 days later or a new password', async () => {
        const credentials = await empty();
        const { token, expiresAt } = await credentials.rememberDevice(null, 'anna', start);
        expect(Buffer.from(token, 'base64url')).toHaveLength(32);
        expect(expiresAt).toBe(start + 180 * 24 * hour);
        expect(await credentials.knowsDevice(token, 'anna', start)).toBe(true);
        expect(await credentials.knowsDevice(token, 'boris', start)).toBe(false);
        expect(await credentials.knowsDevice('planted', 'anna', start)).toBe(false);
        expect((await credentials.rememberDevice(token, 'boris', start)).token).toBe(token);
        expect((await credentials.rememberDevice('planted', 'boris', start)).token).not.toBe('planted');
        expect(await credentials.knowsDevice(token, 'anna', expiresAt - 1)).toBe(true);
        expect(await credentials.knowsDevice(token, 'anna', expiresAt)).toBe(false);
        await credentials.setPassword({ userId: 'anna', licenceId, temporary: false, validUntil: null }, 'новый-1');
        expect(await credentials.knowsDevice(token, 'anna', start)).toBe(false);
        expect(await credentials.knowsDevice(token, 'boris', start)).toBe(true);
        await credentials.removePassword('boris');
        expect(await credentials.knowsDevice(token, 'boris', start)).toBe(false);
      });

      it('CRD-57 of an account’s devices the twenty last ones are kept', async () => {
        const credentials = await empty();
        const tokens: string[] = [];
        for (let index = 0; index < 22; index += 1)
          tokens.push((await credentials.rememberDevice(null, 'anna', start + index)).token);
        const known = await Promise.all(tokens.map((token) => credentials.knowsDevice(token, 'anna', start + 30)));
        expect(known).toEqual([false, false, ...times(20, () => true)]);
      });

      it('SEAL-1330 the last seal of each licence is kept, goes only forwards, and is forgotten when asked', async () => {
        const credentials = await empty();
        const head = (licence: string, number: number) => ({
          licenceId: licence,
          number,
          hash: `${number}`.repeat(64),
          position: number * 10,
        });
        expect(await credentials.sealHeads()).toEqual([]);
        for (const one of [head('3f1', 2), head('4a1', 1), head('3f1', 1), { ...head('3f1', 2), hash: 'f'.repeat(64) }])
          await credentials.noteSealHead(one);
        const all = await credentials.sealHeads();
        expect(all.toSorted((a, b) => a.number - b.number)).toEqual([head('4a1', 1), head('3f1', 2)]);
        await credentials.forgetSealHeads();
        expect(await credentials.sealHeads()).toEqual([]);
      });

      describe('what people took along', () => {
        const taking = (more: Partial<Taking> = {}): Taking => ({
          licenceId,
          userId: 'anna',
          what: 'table',
          name: 'Весна',
          network: '203.0.113.0/24',
          ...more,
        });

        it('CRD-1542 the first is told at once, what follows together after a minute, with the first five names', async () => {
          const credentials = await empty();
          await credentials.noteTaking(taking(), start);
          const [first, ...others] = await credentials.takingsToTell(start);
          expect(others).toEqual([]);
          expect(first).toMatchObject({ userId: 'anna', what: 'table', count: 1, names: ['Весна'], moreNames: false });
          await credentials.takingTold(first?.id ?? '');
          for (let index = 0; index < 7; index += 1)
            await credentials.noteTaking(taking({ name: `k${index}`, network: '' }), start + index);
          await credentials.noteTaking(taking({ userId: 'boris', what: 'key', name: '' }), start);
          expect((await credentials.takingsToTell(start + second)).map(({ userId }) => userId)).toEqual(['boris']);
          const due = await credentials.takingsToTell(start + minute);
          expect(due.filter(({ userId }) => userId === 'anna')).toMatchObject([
            { since: start, until: start + 6, count: 7, names: ['k0', 'k1', 'k2', 'k3', 'k4'], moreNames: true },
          ]);
        });

        it('CRD-1543 who goes on is told ever more seldom, four times an hour in the end', async () => {
          const credentials = await empty();
          let told = 0;
          let count = 0;
          for (let at = start; at < start + 4 * hour; at += minute) {
            await credentials.noteTaking(taking(), at);
            for (const one of await credentials.takingsToTell(at)) {
              told += 1;
              count += one.count;
              await credentials.takingTold(one.id);
            }
          }
          expect(told).toBe(19);
          expect(count).toBeGreaterThan(220);
        });

        it('CRD-1544 what nobody said to be told is given again, under the same id, and to one at a time', async () => {
          const credentials = await empty();
          await credentials.noteTaking(taking(), start);
          const both = await Promise.all([credentials.takingsToTell(start), credentials.takingsToTell(start)]);
          expect(both.flat()).toHaveLength(1);
          const again = await credentials.takingsToTell(start + minute);
          expect(again).toEqual(both.flat());
          await credentials.takingTold(again[0]?.id ?? '');
          expect(await credentials.takingsToTell(start + hour)).toEqual([]);
        });
      });

      it('CRD-1545 sign-ins of the admin are kept with their network, refusals of one network together, and push out none', async () => {
        const credentials = await empty();
        await credentials.setAdmin('root', 'очень-длинный-пароль');
        const stamp = (await credentials.adminStamp()) ?? '';
        await credentials.openAdminSession(stamp, start, '203.0.113.0/24');
        await credentials.noteAdminRefusals({ id: 'a', network: '198.51.100.0/24', count: 2 }, start + minute);
        await credentials.noteAdminRefusals({ id: 'b', network: '198.51.100.0/24', count: 3 }, start + 2 * minute);
        const network = '198.51.100.0/24';
        expect(await credentials.adminEntries()).toEqual([
          { outcome: 'refused', since: start + minute, until: start + 2 * minute, count: 5, network },
          { outcome: 'in', since: start, until: start, count: 1, network: '203.0.113.0/24' },
        ]);
        for (let index = 0; index < 60; index += 1)
          await credentials.noteAdminRefusals(
            { id: `n${index}`, network: `10.0.${index}.0/24`, count: 1 },
            start + hour,
          );
        const entries = await credentials.adminEntries();
        expect(entries.filter(({ outcome }) => outcome === 'refused')).toHaveLength(50);
        expect(entries.filter(({ outcome }) => outcome === 'in')).toHaveLength(1);
        expect(await credentials.openAdminSession('another', start, '')).toBeNull();
        expect(await credentials.adminEntries()).toEqual(entries);
      });

      it('CRD-37 closing twice is quiet', async () => {
        const credentials = await empty();
        await credentials.close();
        await expect(credentials.close()).resolves.toBeUndefined();
      });
    });
  });
};
