import { describe, expect, test } from 'vitest';
import { ServerRefused } from './opening.ts';
import { refusalText } from './refusal-text.ts';

const mongo = { setting: 'MONGODB_URL', url: 'mongodb://zakup:hunter2@mongo:27017/zakup' };
const events = { setting: 'EVENTSTOREDB_URL', url: 'esdb://admin:changeit@events:2113' };
const named = (name: string, members: object = {}): Error =>
  Object.assign(new Error(`${name} at ${mongo.url}`), { name }, members);
const said = (error: unknown): string => refusalText(error, 3000);

describe('why a service does not start', () => {
  test('SVC-17 wrong credentials name the setting and the host, never the password', () => {
    expect(said(new ServerRefused(events, named('EventStoreAccessDenied')))).toBe(
      'EVENTSTOREDB_URL: сервер events:2113 не принял имя или пароль. Проверьте их в EVENTSTOREDB_URL.',
    );
    const refused = new Error('no', { cause: named('MongoServerError', { code: 18 }) });
    expect(said(new ServerRefused(mongo, refused))).toContain('сервер mongo:27017 не принял имя или пароль');
  });

  test('SVC-46 newer data and read models of another log are told as what they are', () => {
    const newer = new Error('MongoDB mongo:27017/zakup was written by a newer version of Zakup: its schema is 2');
    expect(said(new ServerRefused(mongo, newer))).toBe(
      'MONGODB_URL: данные на mongo:27017 записаны более новой версией программы. Обновите программу.',
    );
    expect(said(new ServerRefused(events, named('ForeignLog')))).toContain('собраны по другому журналу');
    expect(said(named('ForeignLog'))).toContain('npm run rebuild -- all');
  });

  test('CT-1595 codes that were hidden with another key are told as what they are, wherever the key is kept', () => {
    for (const error of [named('CodeNotReadable'), new ServerRefused(mongo, named('CodeNotReadable'))]) {
      expect(said(error)).toContain('зашифрованы другим ключом');
      for (const place of ['ACCESS_CODES_KEY', 'keys/access-codes-key']) expect(said(error)).toContain(place);
    }
  });

  test('SVC-18 a log that is behind names who knows better', () => {
    const behind = named('LogBehind', {
      where: 'events:2113',
      head: 5,
      knownBound: 8,
      boundSource: 'MONGODB_URL (mongo)',
    });
    expect(said(new ServerRefused(events, behind))).toBe(
      'Журнал events:2113 заканчивается на позиции 5, а по MONGODB_URL (mongo) он доходил до 8: похоже, на его месте старая копия или другой журнал. Проверьте EVENTSTOREDB_URL.',
    );
  });

  test('PW-1502 a password that may not become the admin’s is told by its setting, and not shown', () => {
    expect(said(named('AdminPasswordRefused'))).toMatch(/^ADMIN_PASSWORD: этот пароль есть среди самых частых/u);
  });

  test('SVC-19 what nobody knows is told with the setting, and without the secrets in it', () => {
    const text = said(new ServerRefused(mongo, named('MongoParseError')));
    expect(text).toBe('MONGODB_URL: mongo:27017 не удаётся использовать (MongoParseError at mongo:27017).');
  });
});
