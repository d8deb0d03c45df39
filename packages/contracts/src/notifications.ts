import { dayOf, showDate } from '@zakup/domain/calendar';
import { writtenText } from '@zakup/domain/import/written-text';
import { formatNumber, plural } from '@zakup/domain/russian';
import { genderOf } from '@zakup/domain/said-gender';
import { showCampaignName } from '@zakup/domain/topics';
import { z } from 'zod';
import { positionSchema } from './position.ts';

/** What a notification is about, under the names of then. */
export type NotificationFacts =
  /** More than `level` percent of a campaign's budget are spent. */
  | { readonly type: 'budget'; readonly campaignId: string; readonly campaignName: string; readonly level: number }
  /** Somebody else did this to a placement of the person. */
  | {
      readonly type: 'placement';
      readonly what: 'added' | 'changed' | 'removed' | 'restored';
      readonly placementId: string;
      readonly campaignId: string;
      readonly campaignName: string;
      readonly nick: string;
    }
  | { readonly type: 'expiry'; readonly daysLeft: number; readonly expiresAt: string }
  | { readonly type: 'closing'; readonly closesAt: string }
  | { readonly type: 'kept_open' }
  /** Somebody else took the person's second factor away. */
  | { readonly type: 'second_factor_reset' }
  /** Somebody who is not the owner gave a colleague new means of signing in, with which they could come in as them. */
  | {
      readonly type: 'access';
      readonly what: 'password' | 'code' | 'return';
      readonly userId: string;
      readonly userName: string;
    }
  /** An import of the person ended, with what became of its rows. */
  | {
      readonly type: 'import';
      readonly importId: string;
      /** Of the file. */
      readonly name: string;
      readonly campaignId: string;
      readonly campaignName: string;
      readonly outcome: 'done' | 'failed' | 'cancelled';
      readonly added: number;
      readonly changed: number;
      readonly skipped: number;
      readonly failed: number;
    }
  /** A webhook gave up: nobody took its messages for three days, or its maker may not see what it tells any more. */
  | { readonly type: 'webhook'; readonly host: string; readonly reason: 'unanswered' | 'rights' };

/** One thing that a person is told. */
export interface NotificationRow {
  readonly personId: string;
  /** UTC instant of the command. */
  readonly at: string;
  /** Of the last event that it tells of. */
  readonly position: number;
  /** Null where no person did it. */
  readonly actor: { readonly userId: string; readonly name: string } | null;
  readonly commandId: string;
  /** How many such things the command did. */
  readonly count: number;
  readonly read: boolean;
  readonly facts: NotificationFacts;
}

export const notificationSchema = z.object({
  id: z.string(),
  type: z.enum([
    'budget',
    'placement',
    'expiry',
    'closing',
    'kept_open',
    'second_factor_reset',
    'access',
    'webhook',
    'import',
  ]),
  /** The whole of it in a sentence. */
  text: z.string(),
  at: z.string(),
  /** Place in the log of the last event that it tells of; what `upTo` of reading is compared with. */
  position: positionSchema,
  actor: z.object({ userId: z.string(), name: z.string() }).nullable(),
  count: z.number().int(),
  read: z.boolean(),
  /** Where it leads; null = nowhere. */
  campaignId: z.string().nullable(),
  placementId: z.string().nullable(),
  userId: z.string().nullable(),
  importId: z.string().nullable(),
});
export type NotificationWire = z.infer<typeof notificationSchema>;

const one = {
  added: 'Вам добавлено размещение',
  changed: 'Ваше размещение изменено:',
  removed: 'Ваше размещение удалено:',
  restored: 'Ваше размещение возвращено:',
} as const;
const many = {
  added: 'Вам добавлены размещения',
  changed: 'Ваши размещения изменены',
  removed: 'Ваши размещения удалены',
  restored: 'Ваши размещения возвращены',
} as const;

const given = {
  password: {
    feminine: 'выдала временный пароль',
    masculine: 'выдал временный пароль',
    other: 'Выдан временный пароль',
  },
  code: {
    feminine: 'выдала новый код доступа',
    masculine: 'выдал новый код доступа',
    other: 'Выдан новый код доступа',
  },
  return: {
    feminine: 'вернула сотрудника с новым кодом доступа',
    masculine: 'вернул сотрудника с новым кодом доступа',
    other: 'Возвращён сотрудник с новым кодом доступа',
  },
} as const;

type AccessFacts = Extract<NotificationFacts, { type: 'access' }>;

/** `Ольга Демидова выдала временный пароль: Пётр Иванов`; who did it stands apart where their name does not tell the verb. */
const accessText = ({ actor, count }: NotificationRow, { what, userName }: AccessFacts): string => {
  const gender = actor === null ? null : genderOf(actor.name);
  const whom = count === 1 ? userName : `${formatNumber(count)} ${plural(count, 'раз', 'раза', 'раз')}`;
  if (actor !== null && gender !== null) return `${actor.name} ${given[what][gender]}: ${whom}`;
  return `${given[what].other}: ${whom}${actor === null ? '' : ` (кем: ${actor.name})`}`;
};

type ImportFacts = Extract<NotificationFacts, { type: 'import' }>;

const outcomes = { done: 'готов', failed: 'прерван', cancelled: 'остановлен' } as const;

/** `Импорт «закуп.csv» готов: добавлено 400, с ошибками 5 («Весна - Посев»)`; who stopped it is named where it was another. */
const importText = ({ actor, personId }: NotificationRow, facts: ImportFacts): string => {
  const file = facts.name === '' ? '' : ` «${facts.name}»`;
  const who = actor === null || actor.userId === personId ? '' : `, ${actor.name}`;
  const where = `«${showCampaignName(facts.campaignName)}»${who}`;
  return `Импорт${file} ${outcomes[facts.outcome]}: ${writtenText(facts)} (${where})`;
};

const textOf = (row: NotificationRow): string => {
  const { actor, count, facts } = row;
  switch (facts.type) {
    case 'budget':
      return facts.level === 100
        ? `Бюджет кампании «${showCampaignName(facts.campaignName)}» превышен`
        : `Потрачено больше ${facts.level} % бюджета кампании «${showCampaignName(facts.campaignName)}»`;
    case 'placement': {
      const what = count === 1 ? `${one[facts.what]} ${facts.nick}` : `${many[facts.what]}: ${formatNumber(count)}`;
      const who = actor === null ? '' : `, ${actor.name}`;
      return `${what} («${showCampaignName(facts.campaignName)}»${who})`;
    }
    case 'import':
      return importText(row, facts);
    case 'access':
      return accessText(row, facts);
    case 'expiry':
      return `Лицензия истекает через ${formatNumber(facts.daysLeft)} ${plural(facts.daysLeft, 'день', 'дня', 'дней')}`;
    case 'closing':
      return `Владелец закрывает лицензию: доступ закончится ${showDate(dayOf(facts.closesAt))}`;
    case 'kept_open':
      return 'Лицензия остаётся открытой: владелец отменил закрытие';
    case 'webhook':
      return facts.reason === 'rights'
        ? `Остановлен вебхук ${facts.host}: тому, кто его создал, закрыт доступ к журналу`
        : `Остановлен вебхук ${facts.host}: три дня не было ответа. Проверьте адрес и включите его снова в настройках`;
    case 'second_factor_reset':
      return `Ваш второй фактор снят (${actor?.name ?? 'администратор'}): войти можно одним паролем. Включите его снова в профиле`;
  }
};

export const presentNotification = (id: string, row: NotificationRow): NotificationWire => {
  const { facts } = row;
  return {
    id,
    type: facts.type,
    text: textOf(row),
    at: row.at,
    position: row.position,
    actor: row.actor,
    count: row.count,
    read: row.read,
    campaignId:
      facts.type === 'budget' || facts.type === 'placement' || facts.type === 'import' ? facts.campaignId : null,
    placementId: facts.type === 'placement' && row.count === 1 ? facts.placementId : null,
    userId: facts.type === 'access' && row.count === 1 ? facts.userId : null,
    importId: facts.type === 'import' ? facts.importId : null,
  };
};
