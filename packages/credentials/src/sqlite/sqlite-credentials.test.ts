import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@zakup/sqlite/engine';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aSession, credentialsContractSuite, suiteOptions } from '../contract-suite.ts';
import { CredentialsUnavailable, type SessionEnd } from '../credentials.ts';
import { sqliteCredentials } from './sqlite-credentials.ts';
import { credentialsOnTables } from '../credentials-on-tables.ts';
import { holdsAdmin, openCredentialFile, sqliteTables } from './sqlite-tables.ts';

let folder = '';
let files = 0;
const newFile = (): string => {
  files += 1;
  return join(folder, `credentials-${files}.db`);
};

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'credentials-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const openFile = (file: string) => sqliteCredentials({ file, ...suiteOptions });

credentialsContractSuite('SQLite', async () => {
  const credentials = openFile(newFile());
  return { credentials, end: () => credentials.close() };
});

const start = Date.UTC(2025, 0, 1);
const roomy = { maxConcurrentSessions: 10, endOldest: false };
const record = { userId: 'anna', licenceId: '3flicence', temporary: false, validUntil: null };

describe('SQLite credentials file', () => {
  it('CRQ-1 everything durable is there after a reopening', async () => {
    const file = newFile();
    const before = openFile(file);
    await before.setPassword(record, 'пароль-1');
    await before.setAdmin('admin', 'secret-1');
    const opened = await before.openSession(aSession('s1'), roomy);
    const first = opened.kind === 'opened' ? opened.refreshToken : '';
    const rotated = await before.refresh(first, start);
    const code = await before.makeActivationCode('3flicence', 'owner', start);
    const { ticket } = await before.openTicket('3flicence', start);
    const stamp = await before.adminStamp();
    await before.close();

    const after = openFile(file);
    expect(await after.checkPassword(['anna'], 'пароль-1', start)).toEqual({ kind: 'right', record });
    expect(await after.checkAdmin('admin', 'secret-1')).toBe(true);
    expect(await after.adminStamp()).toBe(stamp);
    expect(await after.session('s1', start)).toEqual({ ...aSession('s1'), lastSeenAt: start });
    expect(await after.refresh(first, start + 5_000)).toEqual(rotated);
    const pending = code.kind === 'made' ? { code: code.code, expiresAt: code.expiresAt } : null;
    expect(await after.pendingActivationCode('3flicence', start)).toEqual(pending);
    expect(await after.ticket(ticket, start)).toEqual({ licenceId: '3flicence' });
    expect((await after.refresh(first, start + 5_001)).kind).toBe('reused');
    await after.close();

    const last = openFile(file);
    expect(await last.session('s1', start)).toBeNull();
    await last.close();
  });

  it('CRQ-2 no secret lies readable in the files', async () => {
    const file = newFile();
    const credentials = openFile(file);
    await credentials.setPassword(record, 'tundra-93-kivi-48');
    await credentials.setAdmin('admin', 'admin-secret-77');
    const opened = await credentials.openSession(aSession('s1'), roomy);
    const token = opened.kind === 'opened' ? opened.refreshToken : '';
    const rotated = await credentials.refresh(token, start);
    const { ticket } = await credentials.openTicket('3flicence', start);
    const secrets = [
      'tundra-93-kivi-48',
      'admin-secret-77',
      token,
      rotated.kind === 'refreshed' ? rotated.refreshToken : '',
      ticket,
    ];
    const bytes = readdirSync(folder)
      .filter((name) => join(folder, name).startsWith(file))
      .map((name) => readFileSync(join(folder, name), 'latin1'))
      .join('');
    expect(bytes).toContain('argon2id');
    for (const secret of secrets) expect(bytes.includes(secret)).toBe(false);
    await credentials.close();
  });

  it('CRQ-3 another key cannot read a requested code', async () => {
    const file = newFile();
    const before = openFile(file);
    const made = await before.makeActivationCode('3flicence', 'owner', start);
    await before.close();
    const after = sqliteCredentials({ file, ...suiteOptions, key: new Uint8Array(32).fill(8) });
    expect(await after.pendingActivationCode('3flicence', start)).toBeNull();
    const code = made.kind === 'made' ? made.code : '';
    expect(await after.checkActivationCode('3flicence', code, start)).toEqual({ kind: 'wrong' });
    await after.close();
  });

  it('CRQ-1416 a full disk and a lock are told as what passes, damage is not, and nothing of what failed is kept', async () => {
    /** What the engine says to every commit; null = it commits. */
    let errcode: number | null = null;
    const tables = sqliteTables(newFile(), (file) => {
      const database = openCredentialFile(file);
      return {
        ...database,
        get isTransaction() {
          return database.isTransaction;
        },
        exec: (sql: string) => {
          if (sql === 'COMMIT' && errcode !== null) throw Object.assign(new Error('refused'), { errcode });
          database.exec(sql);
        },
      };
    });
    const credentials = credentialsOnTables(tables, suiteOptions);
    const open = () => credentials.openSession(aSession('s1'), roomy);
    const [busy, corrupt, full] = [5, 11, 13];
    for (const passing of [full, busy]) {
      errcode = passing;
      await expect(open()).rejects.toBeInstanceOf(CredentialsUnavailable);
    }
    errcode = corrupt;
    await expect(open()).rejects.not.toBeInstanceOf(CredentialsUnavailable);
    errcode = null;
    expect(await credentials.sessionsOf('anna', start)).toEqual([]);
    expect((await open()).kind).toBe('opened');
    await credentials.close();
  });

  it('CRQ-13 failures and known devices are there after a reopening, and in a file from before they were kept', async () => {
    const file = newFile();
    await openFile(file).close();
    const earlier = openDatabase(file);
    earlier.exec('DROP TABLE tries; DROP TABLE devices');
    earlier.close();
    const before = openFile(file);
    const attempt = { account: 'anna', address: '10.0.0.1', device: null, everywhere: 'account' } as const;
    for (let failure = 0; failure < 5; failure += 1) await before.beginTry(attempt, start);
    const { token } = await before.rememberDevice(null, 'anna', start);
    await before.close();
    const after = openFile(file);
    expect((await after.beginTry(attempt, start)).kind).toBe('wait');
    expect(await after.knowsDevice(token, 'anna', start)).toBe(true);
    expect(readFileSync(file).includes(token)).toBe(false);
    await after.close();
  });

  it('CRQ-4 another process’s sessions are found at once and their ends are told', async () => {
    const file = newFile();
    const here = openFile(file);
    const there = openFile(file);
    const ended = new Promise<SessionEnd>((resolve) => {
      here.onSessionEnded(resolve);
    });
    await there.openSession(aSession('s1'), roomy);
    expect((await here.session('s1', start))?.id).toBe('s1');
    await there.endSession('s1', 'logged_out');
    expect(await ended).toEqual({ sessionId: 's1', userId: 'anna', licenceId: '3flicence', reason: 'revoked' });
    expect(await here.session('s1', start)).toBeNull();
    await here.close();
    await there.close();
  });

  it('CRQ-5 a foreign, newer or unreadable file and a short key are refused, naming the file', () => {
    const noDatabase = newFile();
    writeFileSync(noDatabase, 'this is not a database, only a text of some length'.repeat(200));
    expect(() => openFile(noDatabase)).toThrow(noDatabase);
    const foreign = newFile();
    const database = openDatabase(foreign);
    database.exec('CREATE TABLE events (position INTEGER)');
    database.close();
    expect(() => openFile(foreign)).toThrow(/not a credential store/);
    const newer = newFile();
    const made = openDatabase(newer);
    made.exec('PRAGMA application_id = 1514881874; PRAGMA user_version = 9; CREATE TABLE later (x)');
    made.close();
    expect(() => openFile(newer)).toThrow(/newer version/);
    expect(() => openFile(newer)).toThrow(newer);
    expect(() => sqliteCredentials({ file: newFile(), ...suiteOptions, key: new Uint8Array(31) })).toThrow(RangeError);
    const nowhere = join(folder, 'missing', 'credentials.db');
    expect(() => openFile(nowhere)).toThrow(nowhere);
  });

  it('CRQ-7 a session that a new password let go on is over at its moment, also when the process ended before', async () => {
    const file = newFile();
    const before = openFile(file);
    const opened = await before.openSession(aSession('s1'), roomy);
    const token = opened.kind === 'opened' ? opened.refreshToken : '';
    const keep = { sessionId: 's1', until: start + 5_000, now: start };
    await before.setPassword(record, 'пароль-2', { reason: 'password_changed', keep });
    await before.close();

    const after = openFile(file);
    expect(await after.session('s1', start + 4_999)).not.toBeNull();
    expect(await after.session('s1', start + 5_000)).toBeNull();
    expect(await after.countSessions('3flicence', start + 5_000)).toEqual({ seats: 0, owner: 0 });
    expect(await after.refresh(token, start + 5_000)).toEqual({ kind: 'invalid' });
    const seat = { maxConcurrentSessions: 1, endOldest: false };
    const next = aSession('s2', { createdAt: start + 5_000 });
    expect((await after.openSession(next, seat)).kind).toBe('opened');
    await after.close();
  });

  it('CRQ-8 a password that could not be written ends no session', async () => {
    const file = newFile();
    const credentials = openFile(file);
    await credentials.openSession(aSession('s1'), roomy);
    const database = openDatabase(file);
    database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON "passwords" BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    database.close();
    const changed = credentials.setPassword(record, 'пароль-2', { reason: 'password_changed' });
    await expect(changed).rejects.toThrow(file);
    expect(await credentials.session('s1', start)).not.toBeNull();
    await credentials.close();
  });

  it('CRQ-9 no changed byte in the -wal that a kill leaves brings an ended session back', async () => {
    const file = newFile();
    const credentials = openFile(file);
    await credentials.openSession(aSession('s1'), roomy);
    const endsAt = statSync(`${file}-wal`).size;
    await credentials.endSession('s1', 'logged_out');
    const [main, wal] = [readFileSync(file), readFileSync(`${file}-wal`)];
    await credentials.close();
    const outcomes: string[] = [];
    for (let offset = endsAt + 100; offset < wal.length; offset += 1_000) {
      const copy = newFile();
      const damaged = Buffer.from(wal);
      damaged[offset] = (damaged[offset] ?? 0) ^ 1;
      writeFileSync(copy, main);
      writeFileSync(`${copy}-wal`, damaged);
      try {
        const reopened = openFile(copy);
        outcomes.push((await reopened.session('s1', start)) === null ? 'still ended' : 'open again');
        await reopened.close();
      } catch (error) {
        outcomes.push(String(error).includes(`${copy}-wal`) ? 'refused by name' : String(error));
      }
    }
    expect(new Set(outcomes)).toEqual(new Set(['refused by name', 'still ended']));
  });

  it('CRQ-10 a file that is cut off is refused by name; another tells whether it holds an admin', async () => {
    const file = newFile();
    const credentials = openFile(file);
    await credentials.setPassword(record, 'пароль-1');
    await credentials.close();
    expect(holdsAdmin(file)).toBe(false);
    const again = openFile(file);
    await again.setAdmin('admin', 'secret-1');
    await again.close();
    expect(holdsAdmin(file)).toBe(true);
    truncateSync(file, statSync(file).size - 4096);
    expect(() => openFile(file)).toThrow(`${file}: is cut off`);
  });

  it('CRQ-11 transactions on one connection run one after another, and reads between them see whole ones only', async () => {
    const tables = sqliteTables(newFile());
    const row = { hash: 'a', licenceId: '3f', expiresAt: 0 };
    const counted = (): Promise<void> =>
      tables.transaction(async ({ tickets }) => {
        const before = (await tickets.get('a'))?.expiresAt ?? 0;
        await tickets.put({ ...row, expiresAt: before + 0.5 });
        await Promise.resolve();
        await tickets.put({ ...row, expiresAt: before + 1 });
      });
    const failed = tables.transaction(async ({ tickets }) => {
      await tickets.put({ ...row, expiresAt: 100 });
      throw new Error('half-way');
    });
    const seen = Promise.all([tables.tickets.get('a'), counted(), tables.tickets.get('a'), counted(), counted()]);
    await expect(failed).rejects.toThrow('half-way');
    const [first, , second] = await seen;
    expect([first, second?.expiresAt]).toEqual([undefined, 1]);
    expect(await tables.tickets.by('licenceId', '3f')).toEqual([{ ...row, expiresAt: 3 }]);
    await tables.close();
  });

  it('ACL-4 while a trifle is made durable others read what is committed', async () => {
    const tables = sqliteTables(newFile());
    const order: string[] = [];
    const written = (async () => {
      await tables.transaction(({ tries }) => tries.put({ key: 'a', times: '[1]' }), { trifle: true });
      order.push('durable');
    })();
    expect(await tables.tries.get('a')).toEqual({ key: 'a', times: '[1]' });
    order.push('read');
    await written;
    expect(order).toEqual(['read', 'durable']);
    await tables.close();
  });

  it('THR-2759 the last seal of a licence is made durable beside the thread that serves, which does not wait for the disk', async () => {
    const ran: string[] = [];
    const tables = sqliteTables(newFile(), (file) => {
      const database = openCredentialFile(file);
      return {
        ...database,
        get isTransaction() {
          return database.isTransaction;
        },
        exec: (sql: string) => {
          ran.push(sql);
          database.exec(sql);
        },
      };
    });
    const credentials = credentialsOnTables(tables, suiteOptions);
    ran.length = 0;
    const head = { licenceId: '3f1', number: 1, hash: 'f'.repeat(64), position: 10 };
    await credentials.noteSealHead(head);
    expect(ran).toEqual(['PRAGMA synchronous = NORMAL', 'BEGIN IMMEDIATE', 'COMMIT']);
    expect(await credentials.sealHeads()).toEqual([head]);
    await credentials.close();
  });

  it('CRQ-12 expired sessions of every licence are removed behind the next opening', async () => {
    const file = newFile();
    const credentials = openFile(file);
    const ends: string[] = [];
    credentials.onSessionEnded(({ sessionId, reason }) => ends.push(`${sessionId} ${reason}`));
    await credentials.openSession(aSession('s1', { licenceId: '3fother' }), roomy);
    const tomorrow = start + 48 * 3_600_000;
    await credentials.openSession(aSession('s2', { createdAt: tomorrow, expiresAt: tomorrow + 1 }), roomy);
    await expect.poll(() => ends).toEqual(['s1 expired']);
    await credentials.close();
    const tables = sqliteTables(file);
    expect((await tables.sessions.all()).map(({ id }) => id)).toEqual(['s2']);
    expect(await tables.refreshTokens.by('sessionId', 's1')).toEqual([]);
    await tables.close();
  });

  it('CRQ-6 a session whose opening could not be written is not open', async () => {
    const file = newFile();
    const credentials = openFile(file);
    const database = openDatabase(file);
    database.exec(`CREATE TRIGGER refuse BEFORE INSERT ON "refreshTokens" BEGIN SELECT RAISE(ABORT, 'disk full'); END`);
    database.close();
    await expect(credentials.openSession(aSession('s1'), roomy)).rejects.toThrow(file);
    expect(await credentials.session('s1', start)).toBeNull();
    expect(await credentials.countSessions('3flicence', start)).toEqual({ seats: 0, owner: 0 });
    await credentials.close();
  });
});
