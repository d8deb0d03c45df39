import { presentNotification } from '@zakup/contracts/notifications';
import type { AnyEvent } from '@zakup/domain/catalog';
import { describe, expect, it } from 'vitest';
import {
  campaignCreated,
  contractorCreated,
  employeeCreated,
  type Fact,
  foldAll,
  licenceIssued,
  placementAdded,
  present,
  rubles,
  testLog,
  testReadStore,
} from './testing/given.ts';
import { notificationsKept } from './notifications.ts';

const price = (amount: number): AnyEvent => ({ type: 'PlacementPriceChanged', data: { price: rubles(amount) } });
const participant = (userId: string) => ({
  userId,
  budget: rubles(0),
  salaryType: null,
  salaryRate: null,
  cplThreshold: null,
});
const place = { campaign: 'spring', contractor: 'masha', buyer: 'bob' };
const team: readonly [Fact, ...Fact[]] = [
  ['licence', '3f00', licenceIssued],
  ['employee', 'person', employeeCreated('Анна', { role: 'TEAM_LEAD' })],
  ['employee', 'bob', employeeCreated('Боб')],
  ['employee', 'kim', employeeCreated('Ким')],
  ['contractor', 'masha', contractorCreated('masha')],
  // Its budget is 10,000 roubles.
  ['campaign', 'spring', campaignCreated('Весна | Посев', [participant('bob')])],
];

const stage = async () => {
  const log = testLog();
  const readStore = testReadStore();
  await log.append(...team);
  return {
    log,
    told: async (personId: string) => {
      await foldAll({ eventStore: log.eventStore, readStore });
      const rows = Object.entries(await present(readStore, 'notification'));
      return rows
        .filter(([, row]) => row.personId === personId)
        .map(([id, row]) => presentNotification(id, row))
        .toSorted((a, b) => a.position - b.position);
    },
  };
};

const texts = (told: readonly { readonly text: string }[]): readonly string[] => told.map(({ text }) => text);

describe('notifications', () => {
  it('NTF-1570 whose second factor was taken away is told who did it, and nobody else is', async () => {
    const { log, told } = await stage();
    const reset = { type: 'SecondFactorReset', data: { network: '203.0.113.0/24' } } as const;
    const enabled = { type: 'SecondFactorEnabled', data: { network: '203.0.113.0/24' } } as const;
    await log.append(['access', 'bob', enabled]);
    await log.append(['access', 'bob', reset]);
    const [one, ...more] = await told('bob');
    expect([one?.type, one?.text, more]).toEqual([
      'second_factor_reset',
      'Ваш второй фактор снят (Анна): войти можно одним паролем. Включите его снова в профиле',
      [],
    ]);
    expect([await told('person'), await told('kim')]).toEqual([[], []]);
  });

  it('NTF-10 a buyer is told what somebody else did to their placements, the one who did it is not', async () => {
    const { log, told } = await stage();
    await log.append(['placement', 'p1', placementAdded(place)]);
    await log.append(['placement', 'p1', price(1200)]);
    await log.append(['placement', 'p1', { type: 'PlacementRemoved', data: {} }]);
    await log.append(['placement', 'p1', { type: 'PlacementRestored', data: {} }]);
    await log.append(['placement', 'p2', placementAdded({ ...place, buyer: 'person' })]);
    const bob = await told('bob');
    expect(texts(bob)).toEqual([
      'Вам добавлено размещение @masha («Весна - Посев», Анна)',
      'Ваше размещение изменено: @masha («Весна - Посев», Анна)',
      'Ваше размещение удалено: @masha («Весна - Посев», Анна)',
      'Ваше размещение возвращено: @masha («Весна - Посев», Анна)',
    ]);
    expect(bob[0]).toMatchObject({ read: false, campaignId: 'spring', placementId: 'p1', actor: { userId: 'person' } });
    expect(await told('person')).toEqual([]);
  });

  it('NTF-11 a placement that goes from one buyer to another is told to both', async () => {
    const { log, told } = await stage();
    await log.append(['placement', 'p1', placementAdded({ ...place, buyer: 'person' })]);
    await log.append(['placement', 'p1', { type: 'PlacementBuyerChanged', data: { buyerId: 'bob' } }]);
    await log.append(['placement', 'p1', { type: 'PlacementBuyerChanged', data: { buyerId: 'kim' } }]);
    expect(await told('bob')).toHaveLength(2);
    expect(await told('kim')).toHaveLength(1);
  });

  it('NTF-12 what one command did to many is told once, with how many', async () => {
    const { log, told } = await stage();
    await log.append(
      ['placement', 'p1', placementAdded(place)],
      ['placement', 'p2', placementAdded(place)],
      ['placement', 'p3', placementAdded(place)],
    );
    const [one, ...more] = await told('bob');
    expect(more).toEqual([]);
    expect(one).toMatchObject({
      text: 'Вам добавлены размещения: 3 («Весна - Посев», Анна)',
      count: 3,
      placementId: null,
    });
  });

  it('NTF-13 those who answer for the money are told when it goes over 60, 80 and 100 percent, exactly and upwards only', async () => {
    const { log, told } = await stage();
    const added = (amount: number) => placementAdded({ ...place, buyer: 'person' }, { price: rubles(amount) });
    await log.append(['placement', 'p1', added(6000)]);
    expect(await told('bob')).toEqual([]);
    await log.append(['placement', 'p1', price(6000.01)]);
    await log.append(['placement', 'p1', price(5000)]);
    await log.append(['placement', 'p2', added(5000.01)]);
    await log.append(['campaign', 'spring', { type: 'CampaignBudgetChanged', data: { totalBudget: rubles(5000) } }]);
    const wanted = [
      'Потрачено больше 60 % бюджета кампании «Весна - Посев»',
      'Бюджет кампании «Весна - Посев» превышен',
    ];
    expect(texts(await told('bob'))).toEqual(wanted);
    expect(texts(await told('person'))).toEqual(wanted);
    expect(await told('kim')).toEqual([]);
  });

  it('NTF-1040 of a budget of 0 nothing is told, until there is one again', async () => {
    const { log, told } = await stage();
    const budget = (amount: number) =>
      log.append(['campaign', 'spring', { type: 'CampaignBudgetChanged', data: { totalBudget: rubles(amount) } }]);
    await budget(0);
    await log.append(['placement', 'p1', placementAdded({ ...place, buyer: 'person' }, { price: rubles(6000) })]);
    await log.append(['placement', 'p1', price(7000)]);
    expect(await told('bob')).toEqual([]);
    await budget(5000);
    expect(texts(await told('bob'))).toEqual(['Бюджет кампании «Весна - Посев» превышен']);
  });

  it('NTF-14 leaders hear of the end of the licence, everybody of its closing', async () => {
    const { log, told } = await stage();
    const end = '2026-11-28T09:00:00.000Z';
    await log.append(['licence', '3f00', { type: 'LicenceExpiryNoticed', data: { daysBefore: 7, expiresAt: end } }]);
    await log.append(['licence', '3f00', { type: 'LicenceClosingRequested', data: { closesAt: end, reason: '' } }]);
    await log.append(['licence', '3f00', { type: 'LicenceClosingTakenBack', data: {} }]);
    const closing = [
      'Владелец закрывает лицензию: доступ закончится 28 ноября',
      'Лицензия остаётся открытой: владелец отменил закрытие',
    ];
    expect(texts(await told('kim'))).toEqual(closing);
    expect(texts(await told('person'))).toEqual(['Лицензия истекает через 7 дней', ...closing]);
  });

  it('NTF-3470 whoever imports is told how it ended, with what became of the rows; nobody else is, and a key is not', async () => {
    const { log, told } = await stage();
    const report = { rows: 9, errors: [], errorCount: 0 };
    const begun = { campaignId: 'spring', name: 'закуп.csv', report, total: 1_215, skipped: 5, failed: 2, parts: 2 };
    const written = { part: 0, added: 1_200, changed: 3, skipped: 0, failed: 0, errors: [] };
    const events = (of: string, last: AnyEvent): readonly Fact[] => [
      ['import', of, { type: 'ImportStarted', data: begun }],
      ['import', of, { type: 'ImportRowsWritten', data: written }],
      ['import', of, last],
    ];
    const append = async (actorId: string, of: string, last: AnyEvent): Promise<void> => {
      for (const fact of events(of, last)) await log.appendBy({ actorId }, fact);
    };
    await append('bob', 'i1', { type: 'ImportFinished', data: {} });
    await append('bob', 'i2', { type: 'ImportFailed', data: { code: 'CAMPAIGN_COMPLETED', failed: 5 } });
    await append('key', 'i3', { type: 'ImportFinished', data: {} });
    const [first, second] = events('i4', { type: 'ImportCancelled', data: {} }) as readonly [Fact, Fact, Fact];
    await log.appendBy({ actorId: 'bob' }, first);
    await log.appendBy({ actorId: 'bob' }, second);
    await log.appendBy({ actorId: 'person' }, ['import', 'i4', { type: 'ImportCancelled', data: {} }]);
    const bob = await told('bob');
    expect(texts(bob).map((text) => text.replaceAll('\u00a0', ' '))).toEqual([
      'Импорт «закуп.csv» готов: добавлено 1 200, изменено 3, пропущено 5, с ошибками 2 («Весна - Посев»)',
      'Импорт «закуп.csv» прерван: добавлено 1 200, изменено 3, пропущено 5, с ошибками 7 («Весна - Посев»)',
      'Импорт «закуп.csv» остановлен: добавлено 1 200, изменено 3, пропущено 5, с ошибками 2 («Весна - Посев», Анна)',
    ]);
    expect(bob[0]).toMatchObject({ type: 'import', importId: 'i1', campaignId: 'spring', placementId: null });
    for (const id of ['person', 'kim', 'key']) expect(await told(id)).toEqual([]);
  });

  describe('of means of signing in', () => {
    const withOwner = async () => {
      const { log, told } = await stage();
      await log.append(
        ['employee', 'olga', employeeCreated('Ольга Кузнецова', { role: 'CEO', isOwner: true })],
        ['employee', 'petr', employeeCreated('Пётр Иванов', { role: 'TEAM_LEAD' })],
        ['employee', 'demidova', employeeCreated('Ольга Демидова', { role: 'TEAM_LEAD' })],
      );
      return { log, told };
    };
    const password: AnyEvent = { type: 'EmployeeTemporaryPasswordIssued', data: {} };
    const code: AnyEvent = { type: 'EmployeeCodeReissued', data: { authCode: 'TOPSECRET1' } };

    it('NTF-1540 the owner is told who gave a colleague a temporary password, a new code, or took them back with one; nobody else is', async () => {
      const { log, told } = await withOwner();
      await log.appendBy({ actorId: 'demidova' }, ['employee', 'petr', password]);
      await log.appendBy({ actorId: 'petr' }, ['employee', 'demidova', code]);
      await log.append(['employee', 'bob', { type: 'EmployeeDeactivated', data: {} }]);
      await log.append(['employee', 'bob', { type: 'EmployeeReactivated', data: { authCode: 'TOPSECRET2' } }]);
      const olga = await told('olga');
      expect(texts(olga)).toEqual([
        'Ольга Демидова выдала временный пароль: Пётр Иванов',
        'Пётр Иванов выдал новый код доступа: Ольга Демидова',
        'Возвращён сотрудник с новым кодом доступа: Боб (кем: Анна)',
      ]);
      expect(olga[0]).toMatchObject({
        type: 'access',
        userId: 'petr',
        campaignId: null,
        actor: { userId: 'demidova' },
      });
      expect(JSON.stringify(olga)).not.toContain('TOPSECRET');
      for (const id of ['petr', 'demidova', 'bob', 'person', 'kim']) expect(await told(id)).toEqual([]);
    });

    it('NTF-1541 what owners give themselves, what people give themselves and what the service does is told to nobody', async () => {
      const { log, told } = await withOwner();
      for (const actorId of ['olga', 'petr', 'admin', 'system'])
        await log.appendBy({ actorId }, ['employee', 'petr', password, code]);
      expect(await told('olga')).toEqual([]);
    });
  });

  it('NTF-15 what was told up to a position is read; the latest hundred are kept', async () => {
    const { log, told } = await stage();
    const position = await log.append(['placement', 'p1', placementAdded(place)]);
    await log.append(['placement', 'p1', price(1)]);
    await log.append(['preferences', 'bob', { type: 'NotificationsRead', data: { upTo: position } }]);
    expect((await told('bob')).map(({ read }) => read)).toEqual([true, false]);
    for (let n = 0; n < notificationsKept; n += 1) await log.append(['placement', 'p1', price(n + 2)]);
    const kept = await told('bob');
    expect(kept).toHaveLength(notificationsKept);
    expect(kept.every(({ read }) => !read)).toBe(true);
  });

  it('NTF-16 folded at once or command by command, everybody is told the same', async () => {
    const { log, told } = await stage();
    const { eventStore } = log;
    for (let n = 0; n < 12; n += 1)
      await log.append(
        ['placement', `p${n}`, placementAdded({ ...place, buyer: n % 2 === 0 ? 'bob' : 'kim' })],
        ['placement', `q${n}`, placementAdded(place)],
      );
    const whole = testReadStore();
    await foldAll({ eventStore, readStore: whole });
    const single = testReadStore();
    await foldAll({ eventStore, readStore: single, maxBatch: 1 });
    expect(await present(single, 'notification')).toEqual(await present(whole, 'notification'));
    // Twelve commands, and the budget over three levels.
    expect(await told('bob')).toHaveLength(15);
  });
});
