import type { healthData } from '@zakup/contracts/calls/replies';
import { showInstant } from '../../shared/day/shown-day.ts';
import { bytesText } from '../../shared/export/bytes-text.ts';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { z } from 'zod';
import type { Tone } from '../../shared/ui/chip.tsx';
import { lagWarning, millisecondsText } from './lag-hour.ts';

/** Answer of GET /api/admin/health; what is absent is not known there. */
export type AdminHealth = z.infer<typeof healthData>;

export interface HealthLine {
  readonly name: string;
  readonly note: string;
  /** What was measured; absent where nothing was, or is known. */
  readonly figure?: string;
  readonly tone: Tone;
  /** The state in a word. */
  readonly state: string;
}

const serviceNames: Readonly<Record<string, string>> = {
  command: 'Приём изменений',
  gateway: 'Чтение и рассылка',
  projector: 'Сборка данных',
  standalone: 'Сервер',
};

const eventsText = (count: number): string =>
  `${formatNumber(count)} ${plural(count, 'событие', 'события', 'событий')}`;

/** Whether what readers see is behind by more than readers notice; null = it is not known how much. */
const isBehind = ({ projection: { lagEvents, lagMilliseconds } }: AdminHealth): boolean | null => {
  if (lagEvents === 0 || lagMilliseconds === 0) return false;
  return lagMilliseconds === undefined ? null : lagMilliseconds > lagWarning;
};

/** `не отстаёт`, `отстаёт на 38 событий`, `отстаёт`. */
export const lagText = ({ projection: { lagEvents, lagMilliseconds } }: AdminHealth): string => {
  if (lagEvents === 0 || lagMilliseconds === 0) return 'не отстаёт';
  // After «на».
  if (lagEvents !== undefined)
    return `отстаёт на ${formatNumber(lagEvents)} ${plural(lagEvents, 'событие', 'события', 'событий')}`;
  return lagMilliseconds === undefined ? 'неизвестно' : 'отстаёт';
};

const figureOf = (figure: string | null): Pick<HealthLine, 'figure'> => (figure === null ? {} : { figure });

const bytesOf = (bytes: number | undefined): string | null => (bytes === undefined ? null : bytesText(bytes));

type ServiceHealth = AdminHealth['services'][number];

const serviceNote = ({ name, changesPerMinute, connections }: ServiceHealth, health: AdminHealth): string => {
  if (name === 'projector') return lagText(health);
  if (changesPerMinute !== undefined) return `${formatNumber(changesPerMinute)} в минуту`;
  // Of all processes, where they tell of it, else of the one that answers.
  const open = name === 'gateway' ? (connections ?? health.sockets) : null;
  return open === null ? '' : `${formatNumber(open)} ${plural(open, 'подключение', 'подключения', 'подключений')}`;
};

const serviceLine = (service: ServiceHealth, health: AdminHealth): HealthLine => {
  const { name, ok, p99Milliseconds } = service;
  const about = { name: serviceNames[name] ?? name, note: serviceNote(service, health) };
  if (!ok) return { ...about, tone: 'bad', state: 'не отвечает' };
  const { lagMilliseconds } = health.projection;
  if (name === 'projector') {
    const behind = isBehind(health) === true;
    return {
      ...about,
      ...figureOf(lagMilliseconds === undefined || lagMilliseconds === 0 ? null : millisecondsText(lagMilliseconds)),
      tone: behind ? 'mid' : 'good',
      state: behind ? 'отстаёт' : 'работает',
    };
  }
  return {
    ...about,
    ...figureOf(p99Milliseconds === undefined ? null : `p99 ${millisecondsText(p99Milliseconds)}`),
    tone: 'good',
    state: 'работает',
  };
};

/** That the answer is there says that both stores answer. */
const storeLines = ({ events, storeBytes, projection }: AdminHealth): readonly HealthLine[] => [
  {
    name: 'Журнал событий',
    note: events === undefined ? `позиция ${formatNumber(projection.head)}` : eventsText(events),
    ...figureOf(bytesOf(storeBytes?.events)),
    tone: 'good',
    state: 'работает',
  },
  {
    name: 'База чтения',
    note: `позиция ${formatNumber(projection.position)} из ${formatNumber(projection.head)}`,
    ...figureOf(bytesOf(storeBytes?.readModels)),
    tone: 'good',
    state: 'работает',
  },
];

const botLines = ({ services }: AdminHealth): readonly HealthLine[] => {
  const isSetUp = services.find(({ telegramBot }) => telegramBot !== undefined)?.telegramBot;
  if (isSetUp === undefined) return [];
  return isSetUp
    ? [{ name: 'Telegram-бот', note: 'коды приходят владельцам', tone: 'good', state: 'включён' }]
    : [{ name: 'Telegram-бот', note: 'не настроен', figure: 'коды видны здесь', tone: 'neutral', state: 'выключен' }];
};

const duration = (seconds: number): string =>
  seconds < 60 ? `${seconds} с` : `${formatNumber(Math.ceil(seconds / 60))} мин`;

const alarmLine = ({ kind, since, milliseconds }: AdminHealth['alarms'][number]): HealthLine =>
  kind === 'clock'
    ? {
        name: 'Часы сервера',
        note: `с ${showInstant(since)}: события записываются более ранним временем. Проверьте часы`,
        tone: 'bad',
        state:
          milliseconds === undefined ? 'ушли вперёд' : `ушли вперёд на ${duration(Math.round(milliseconds / 1_000))}`,
      }
    : {
        name: 'Свидетель печатей',
        note: `с ${showInstant(since)}: печати ему ещё не переданы, сервер пробует снова`,
        tone: 'bad',
        state: 'не принимает',
      };

/** How the parts of the system are, one line each. */
export const healthLines = (health: AdminHealth): readonly HealthLine[] => {
  const check = health.selfCheck;
  return [
    ...health.services.map((service) => serviceLine(service, health)),
    ...storeLines(health),
    ...botLines(health),
    {
      name: 'Самопроверка',
      note:
        check === null
          ? ''
          : `${showInstant(check.at)}, ${formatNumber(check.documents)} ${plural(check.documents, 'документ', 'документа', 'документов')}`,
      tone: check === null ? 'neutral' : check.differences > 0 ? 'bad' : 'good',
      state:
        check === null
          ? 'ещё не было'
          : check.differences === 0
            ? 'расхождений нет'
            : `расхождений: ${formatNumber(check.differences)}, исправлено ${formatNumber(check.healed)}`,
    },
    ...health.alarms.map(alarmLine),
    ...health.sealsRefused.map(({ licenceId, number, position }) => ({
      name: 'Подпись истории',
      note: `лицензия ${licenceId}: журнал не сходится с печатью ${number} (до позиции ${formatNumber(position)}), или повреждены сами печати`,
      tone: 'bad' as const,
      state: 'остановлена',
    })),
  ];
};

export interface RebuildView {
  readonly text: string;
  /** Null where there is no bar. */
  readonly percent: number | null;
  /** Another one may be asked for. */
  readonly idle: boolean;
}

/** What building the models anew has come to. */
export const rebuildView = ({ rebuild }: AdminHealth): RebuildView => {
  if (rebuild === null) return { text: 'Не запускалась.', percent: null, idle: true };
  if (rebuild.state === 'asked')
    return { text: `Запрошена ${showInstant(rebuild.askedAt)}, сейчас начнётся.`, percent: 0, idle: false };
  const events = `${formatNumber(rebuild.events)} ${plural(rebuild.events, 'событие', 'события', 'событий')}`;
  if (rebuild.state === 'done')
    return {
      text: `Готово${rebuild.finishedAt === undefined ? '' : ` ${showInstant(rebuild.finishedAt)}`}: ${events}.`,
      percent: null,
      idle: true,
    };
  const left = rebuild.secondsLeft === null ? '' : `, осталось около ${duration(rebuild.secondsLeft)}`;
  return { text: `Идёт: ${rebuild.percent} %, ${events}${left}.`, percent: rebuild.percent, idle: false };
};

/** `14:41:56` at UTC+3. */
export const clockText = (at: number): string => new Date(at + 3 * 3_600_000).toISOString().slice(11, 19);
