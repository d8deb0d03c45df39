import { historyKinds, historyRules } from '@zakup/contracts/history-fields';
import { catalog } from '@zakup/domain/catalog';
import { describe, expect, it } from 'vitest';
import { eventWords, factLines, showEvent } from './fact-labels.ts';
import { fieldWords } from './field-labels.ts';
import {
  backWords,
  changeWords,
  creationWords,
  filterFields,
  type HistoryChangeWire,
  showEntity,
  showField,
  showTally,
  showValue,
} from './journal-labels.ts';
import { setBackOf } from './put-back.ts';

/** `label|from|to` with plain blanks. */
const said = (kind: string, change: HistoryChangeWire): string => {
  const { label, from, to } = changeWords(kind, change);
  return [label, from ?? '', to ?? ''].join('|').replaceAll(/\s/gu, ' ');
};
const change = (field: string, from: HistoryChangeWire['from'], to: HistoryChangeWire['to'], more = {}) => ({
  field,
  from,
  to,
  ...more,
});

describe('words of the journal', () => {
  it('JRW-1 every field that the history tells has a name', () => {
    const unnamed = historyKinds.flatMap((kind) =>
      Object.values<readonly { readonly name: string }[]>(historyRules[kind])
        .flat()
        .filter(({ name }) => !Object.hasOwn(fieldWords[kind], name))
        .map(({ name }) => `${kind} ${name}`),
    );
    expect(unnamed).toEqual([]);
  });

  it('JRW-1685 an empty comment and no post are a dash, and go back by an ordinary change', () => {
    expect(said('placement', change('comment', '', 'Новый'))).toBe('Комментарий|—|Новый');
    expect(said('placement', change('postUrl', 'https://t.me/some/1', null))).toBe(
      'Ссылка на пост|https://t.me/some/1|—',
    );
    const entry = { entity: { kind: 'placement', id: 'p1', name: null } };
    const patch = (body: object) => ({ method: 'PATCH', path: '/api/placements/p1', body });
    expect(setBackOf(entry, change('comment', '', 'Новый'))).toEqual(patch({ comment: '' }));
    expect(setBackOf(entry, change('postUrl', null, 'https://t.me/some/1'))).toEqual(patch({ postUrl: null }));
    expect(setBackOf(entry, change('creativeId', 'NO_CREATIVE', 'c'))).toEqual(patch({ creativeId: null }));
    expect(setBackOf(entry, change('costPerLead', 1, 2))).toBeNull();
    expect(backWords('placement', change('comment', 'я'.repeat(100), ''))).toBe('Вернуть как было');
  });

  it('VRD-2150 a contractor is put on a list with its reason, and goes back by undoing the whole command alone', () => {
    expect(said('contractor', change('verdict', null, 'black'))).toBe('Список||Чёрный список');
    expect(said('contractor', change('verdict', 'black', 'white'))).toBe('Список|Чёрный список|Белый список');
    expect(said('contractor', change('verdictReason', 'Долго', null))).toBe('Причина списка|Долго|—');
    expect(showValue('contractor', 'verdict', { list: 'black', reason: 'Долго отвечает' })).toBe(
      'Чёрный список, Долго отвечает',
    );
    const entry = { entity: { kind: 'contractor', id: 'k1', name: null } };
    expect(setBackOf(entry, change('verdict', 'white', 'black'))).toBeNull();
  });

  it('JRW-2 every event of which only facts are told has a name', () => {
    const told = Object.entries(catalog)
      .filter(([, { categories }]) => categories.includes('access') || categories.includes('activation'))
      .map(([type]) => type);
    const types = [...told, 'EmployeePasswordChanged', 'EmployeeTemporaryPasswordIssued'];
    expect(types.filter((type) => !Object.hasOwn(eventWords, type))).toEqual([]);
  });

  it('JRW-3 values stand in outside form', () => {
    expect(said('placement', change('price', 5100, 5200.5))).toBe('Цена|5 100 ₽|5 200,50 ₽');
    expect(said('placement', change('date', '2026-11-18', '2026-11-19'))).toBe('Дата|18 ноября 2026|19 ноября 2026');
    expect(said('placement', change('paymentStatus', 'unpaid', 'paid'))).toBe('Оплата|Не оплачено|Оплачено');
    expect(said('placement', change('status', 'PENDING', 'REMOVED_EARLY'))).toBe('Статус|Ожидает|Снято раньше срока');
    expect(said('placement', change('buyerId', 'u1', 'u2', { fromName: 'Илья', toName: 'Анна' }))).toBe(
      'Байер|Илья|Анна',
    );
    expect(said('placement', change('creativeId', 'NO_CREATIVE', 'c', { toName: 'Секрет' }))).toBe(
      'Креатив|Без креатива|Секрет',
    );
    expect(said('campaign', change('status', 'ACTIVE', 'COMPLETED'))).toBe('Статус|Активная|Завершена');
    expect(said('campaign', change('endDate', '2026-11-30', null))).toBe('Окончание|30 ноября 2026|—');
    expect(said('creative', change('type', 'TEXT_ONLY', 'TEXT_WITH_IMAGE'))).toBe('Тип|Текст|Текст с изображением');
    expect(said('user', change('role', 'MEDIA_BUYER', 'TEAM_LEAD'))).toBe('Роль|Медиа-байер|Тим-лид');
    expect(said('user', change('salaryRate', 7, 8.5))).toBe('Процент|7 %|8,5 %');
    expect(said('license', change('leadValue', 100, 150))).toBe('Цена лида|100 ₽|150 ₽');
    expect(said('license', change('features', ['reports'], ['reports', 'settings']))).toBe(
      'Разделы|Отчёты и журнал|Отчёты и журнал, Настройки',
    );
    expect(said('license', change('codeOnlyLogin', false, true))).toBe('Вход только по коду|нет|да');
  });

  it('PW-1509 the switch about given passwords has its name and its two states', () => {
    expect(said('license', change('changeGivenPasswords', false, true))).toBe(
      'Пароли, заданные другим, меняют при первом входе|нет|да',
    );
  });

  it('JRW-4 terms of a participant show what of them changed', () => {
    const terms = { userId: 'u', budget: 60_000, salaryType: 'budget', salaryRate: 7, cplThreshold: null };
    const named = { name: 'Тимур' };
    expect(said('campaign', change('participants/u', terms, { ...terms, budget: 50_000 }, named))).toBe(
      'Участник Тимур|бюджет 60 000 ₽|бюджет 50 000 ₽',
    );
    expect(
      said(
        'campaign',
        change('participants/u', terms, { ...terms, salaryType: 'performance', cplThreshold: 90 }, named),
      ),
    ).toBe('Участник Тимур|7 % от бюджета|7 % за результат до 90 ₽');
    expect(said('campaign', change('participants/u', null, terms, named))).toBe(
      'Участник Тимур||добавлен, бюджет 60 000 ₽, 7 % от бюджета',
    );
    expect(said('campaign', change('participants/u', terms, null, named))).toBe(
      'Участник Тимур|бюджет 60 000 ₽, 7 % от бюджета|убран',
    );
    const hidden = { ...terms, salaryType: null, salaryRate: null };
    expect(said('campaign', change('participants/u', hidden, hidden, { ...named, hidden: true }))).toBe(
      'Участник Тимур||условия изменены',
    );
  });

  it('JRW-5 says what comes and goes, and of what is hidden only that it changed', () => {
    expect(said('placement', change('deleted', false, true))).toBe('Удалено||');
    expect(said('placement', change('deleted', true, false))).toBe('Возвращено||');
    expect(said('user', change('isActive', true, false))).toBe('Отключено||');
    expect(said('user', change('isActive', false, true))).toBe('Снова включено||');
    expect(said('user', change('authCode', null, null, { hidden: true }))).toBe('Код доступа||новый, не показывается');
    expect(said('user', change('email', null, null, { hidden: true }))).toBe('Почта||значение скрыто');
    expect(said('user', change('permissions/reports', null, true))).toBe('Право «Отчёты и журнал»||открыто');
    expect(said('contractor', change('notes/n', null, 'Просит предоплату'))).toBe('Заметка||«Просит предоплату»');
    expect(said('contractor', change('notes/n', 'Просит предоплату', null))).toBe(
      'Заметка удалена|«Просит предоплату»|',
    );
    expect(said('channel', change('campaigns/c', null, true, { name: 'Ноябрь | Подписчики' }))).toBe(
      'Кампания «Ноябрь - Подписчики»||добавлена',
    );
    expect(said('contractor', change('mergedInto', null, 'x', { toName: '@anna' }))).toBe('Объединение||с @anna');
  });

  it('JRW-6 a new thing is told by what matters of it', () => {
    const entity = { kind: 'placement', id: 'p', name: '@a' };
    const changes = [
      change('price', null, 10_600),
      change('leads', null, 0),
      change('creativeId', null, 'c', { toName: 'Завтраки' }),
      change('format', null, '1/24'),
    ];
    expect(creationWords({ entity, changes }).to?.replaceAll(/\s/gu, ' ')).toBe('10 600 ₽, Завтраки, 1/24');
  });

  it('JRW-7 signing in, refusals and ended sessions are told in words', () => {
    expect(
      factLines({
        event: 'SignedIn',
        facts: { door: 'employee', network: '203.0.113.0/24', knownDevice: false, sessionId: 's' },
      }),
    ).toEqual(['по коду сотрудника и паролю', 'новое устройство', 'сеть 203.0.113.0/24']);
    expect(
      factLines({
        event: 'SignInRefused',
        facts: {
          count: 5,
          reasons: { wrong_secret: 3, too_many_tries: 2 },
          doors: ['owner'],
          networks: ['203.0.113.0/24'],
          moreNetworks: true,
        },
      }),
    ).toEqual([
      '5 попыток',
      'неверный код или пароль: 3',
      'слишком много попыток: 2',
      'по коду владельца',
      'сети 203.0.113.0/24 и другие',
    ]);
    expect(factLines({ event: 'SessionsEnded', facts: { sessionIds: ['a', 'b'], reason: 'replaced' } })).toEqual([
      'уступила место новому входу',
      'сессий: 2',
    ]);
  });

  it('JRW-1570 what becomes of a second factor is told in words, with the network and what is left', () => {
    const facts = { network: '203.0.113.0/24' };
    for (const event of ['SecondFactorEnabled', 'SecondFactorDisabled', 'SecondFactorReset', 'RecoveryCodesRenewed'])
      expect([event, factLines({ event, facts })]).toEqual([event, ['сеть 203.0.113.0/24']]);
    expect(factLines({ event: 'RecoveryCodeUsed', facts: { network: '', left: 9 } })).toEqual(['осталось 9']);
    expect(showEvent('SecondFactorReset')).toBe('Второй фактор снят');
  });

  it('JRW-1555 what was taken along is told with what, of what, how often and from where', () => {
    const together = { since: '', until: '', networks: ['203.0.113.0/24'], moreNetworks: false };
    const table = { what: 'table', names: ['11 | Подписчики', 'Весна'], moreNames: true, count: 7, ...together };
    const entry = { event: 'DataTaken', facts: { ...table, moreNetworks: true } };
    const [often, networks] = ['7 раз', 'сети 203.0.113.0/24 и другие'];
    expect(factLines(entry)).toEqual(['размещения', '11 - Подписчики, Весна и другие', often, networks]);
    expect(factLines(entry, { brief: true })).toEqual(['размещения', '11 - Подписчики и другие', often, networks]);
    expect(factLines({ event: 'LicenceKeyShown', facts: { count: 1, ...together } })).toEqual(['сеть 203.0.113.0/24']);
    expect([showEvent('DataTaken'), showEvent('LicenceKeyShown')]).toEqual([
      'Данные выгружены',
      'Показан ключ лицензии',
    ]);
  });

  it('JRW-8 what nobody knows yet is shown as it stands', () => {
    expect(showField('spaceship', { field: 'speed' })).toBe('speed');
    expect(showValue('placement', 'unknown', 'x')).toBe('x');
    expect(showEntity({ kind: 'campaign', name: 'А | Б' })).toBe('Кампания А - Б');
    expect(showTally({ kind: 'placement', created: 4, changed: 1, removed: 0 })).toBe(
      'Размещения: создано 4, изменено 1',
    );
  });
});

it('JRW-1140 no two fields of the filter have the same name', () => {
  const labels = filterFields.map(([, label]) => label);
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
});
