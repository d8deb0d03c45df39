import type { HistoryEntry } from '@zakup/contracts/history';
import type { HistoryValue } from '@zakup/contracts/history-fields';
import { showCampaignName } from '@zakup/domain/topics';
import { showInstant } from '../day/shown-day.ts';
import { formatNumber, plural } from '@zakup/domain/russian';
import { word, type Words } from './field-labels.ts';

/** Events that change no field, in Russian. */

const doorWords: Words = {
  employee: 'по коду сотрудника и паролю',
  owner: 'по коду владельца',
  licence: 'по ключу лицензии',
  code: 'только по коду',
  activation: 'активация лицензии',
  password: 'проверка пароля',
};
const refusalWords: Words = {
  wrong_secret: 'неверный код или пароль',
  wrong_second_factor: 'неверный код второго фактора',
  wrong_door: 'не та вкладка входа',
  switched_off: 'вход только по коду выключен',
  too_many_tries: 'слишком много попыток',
  licence_inactive: 'лицензия не действует',
  seats_taken: 'все места заняты',
};
const takenWords: Words = {
  table: 'размещения',
  lines: 'строки расчёта',
  archive: 'вся лицензия',
  history: 'история событий',
};
const endWords: Words = {
  revoked: 'завершил сам сотрудник',
  replaced: 'уступила место новому входу',
  reused: 'повторно использован старый ключ сессии',
};

/** Events that change no field. */
export const eventWords: Words = {
  SignedIn: 'Вход',
  SignInRefused: 'Отказ во входе',
  SignedOut: 'Выход',
  SessionsEnded: 'Сессия завершена',
  SecondFactorEnabled: 'Второй фактор включён',
  SecondFactorDisabled: 'Второй фактор выключен',
  SecondFactorReset: 'Второй фактор снят',
  RecoveryCodesRenewed: 'Новые резервные коды',
  RecoveryCodeUsed: 'Использован резервный код',
  DataTaken: 'Данные выгружены',
  LicenceKeyShown: 'Показан ключ лицензии',
  KeyCreated: 'Создан ключ для программ',
  KeyDeleted: 'Удалён ключ для программ',
  WebhookCreated: 'Создан вебхук',
  WebhookChanged: 'Вебхук изменён',
  WebhookFailed: 'Вебхук остановлен',
  WebhookReplayed: 'События вебхука отправляются заново',
  WebhookResent: 'Событие отправлено вебхуком ещё раз',
  WebhookDeleted: 'Удалён вебхук',
  EmployeeTemporaryPasswordIssued: 'Выдан временный пароль',
  EmployeePasswordChanged: 'Пароль изменён',
  ActivationCodeIssued: 'Выдан код активации',
  ActivationCodeAccepted: 'Код активации принят',
  ActivationCompleted: 'Лицензия активирована',
  LicenceExpiryNoticed: 'Напоминание: срок лицензии подходит к концу',
  LicenceClosingNoticed: 'Напоминание: лицензия скоро закроется',
};

const textOf = (value: HistoryValue | undefined): string => (typeof value === 'string' ? value : '');
const textsOf = (value: HistoryValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];

const networkLines = (facts: NonNullable<HistoryEntry['facts']>): readonly string[] => {
  const networks = textsOf(facts['networks']);
  return networks.length === 0
    ? []
    : [`сети ${networks.join(', ')}${facts['moreNetworks'] === true ? ' и другие' : ''}`];
};

const isOneNetwork = (facts: NonNullable<HistoryEntry['facts']>): boolean =>
  textsOf(facts['networks']).length === 1 && facts['moreNetworks'] !== true;

const takenLines = (facts: NonNullable<HistoryEntry['facts']>, brief: boolean): readonly string[] => {
  const count = typeof facts['count'] === 'number' ? facts['count'] : 1;
  const what = textOf(facts['what']);
  const names = textsOf(facts['names']).map((name) => showCampaignName(name));
  const told = brief ? names.slice(0, 1) : names;
  const others = facts['moreNames'] === true || told.length < names.length;
  return [
    ...(what === '' ? [] : [word(takenWords, what)]),
    ...(names.length === 0 ? [] : [`${told.join(', ')}${others ? ' и другие' : ''}`]),
    ...(count === 1 ? [] : [`${formatNumber(count)} ${plural(count, 'раз', 'раза', 'раз')}`]),
    ...networkLines(facts).map((line) => (isOneNetwork(facts) ? line.replace(/^сети/u, 'сеть') : line)),
  ];
};

/** What an event without fields says beside its name, one line each; `brief`: for a row of a list. */
export const factLines = (
  { event, facts = {} }: Pick<HistoryEntry, 'event' | 'facts'>,
  { brief = false }: { readonly brief?: boolean } = {},
): readonly string[] => {
  const network = textOf(facts['network']);
  switch (event) {
    case 'SignedIn':
      return [
        word(doorWords, textOf(facts['door'])),
        ...(facts['knownDevice'] === false ? ['новое устройство'] : []),
        ...(network === '' ? [] : [`сеть ${network}`]),
      ];
    case 'SignInRefused': {
      const count = typeof facts['count'] === 'number' ? facts['count'] : 1;
      const reasons = Object.entries((facts['reasons'] ?? {}) as Readonly<Record<string, number>>);
      return [
        `${formatNumber(count)} ${plural(count, 'попытка', 'попытки', 'попыток')}`,
        ...reasons.map(([reason, times]) =>
          reasons.length === 1 ? word(refusalWords, reason) : `${word(refusalWords, reason)}: ${formatNumber(times)}`,
        ),
        ...textsOf(facts['doors']).map((door) => word(doorWords, door)),
        ...networkLines(facts),
      ];
    }
    case 'DataTaken':
    case 'LicenceKeyShown':
      return takenLines(facts, brief);
    case 'SessionsEnded': {
      const count = textsOf(facts['sessionIds']).length;
      return [word(endWords, textOf(facts['reason'])), ...(count > 1 ? [`сессий: ${formatNumber(count)}`] : [])];
    }
    case 'KeyCreated': {
      const until = textOf(facts['expiresAt']);
      return [
        `«${textOf(facts['name'])}»`,
        facts['access'] === 'write' ? 'чтение и изменения' : 'только чтение',
        ...(until === '' ? [] : [`до ${showInstant(until)}`]),
      ];
    }
    case 'KeyDeleted':
      return [`«${textOf(facts['name'])}»`];
    case 'WebhookCreated':
    case 'WebhookDeleted':
    case 'WebhookReplayed':
    case 'WebhookResent':
      return [textOf(facts['host'])];
    case 'WebhookChanged':
      return [textOf(facts['host']), facts['status'] === 'paused' ? 'приостановлен' : 'работает'];
    case 'WebhookFailed':
      return [
        textOf(facts['host']),
        facts['reason'] === 'rights' ? 'создавшему закрыт доступ' : 'три дня не было ответа',
      ];
    case 'SecondFactorEnabled':
    case 'SecondFactorDisabled':
    case 'SecondFactorReset':
    case 'RecoveryCodesRenewed':
      return network === '' ? [] : [`сеть ${network}`];
    case 'RecoveryCodeUsed':
      return [
        ...(typeof facts['left'] === 'number' ? [`осталось ${formatNumber(facts['left'])}`] : []),
        ...(network === '' ? [] : [`сеть ${network}`]),
      ];
    case 'ActivationCodeIssued': {
      const until = textOf(facts['validUntil']);
      return [
        facts['by'] === 'admin' ? 'администратором' : 'владельцем',
        ...(until === '' ? [] : [`действует до ${showInstant(until)}`]),
      ];
    }
    default:
      return [];
  }
};

/** Such as a sign-in: nothing that anything is counted from. */
export const changesNoField = (event: string): boolean => Object.hasOwn(eventWords, event);

export const showEvent = (event: string): string => (changesNoField(event) ? word(eventWords, event) : 'Изменено');
