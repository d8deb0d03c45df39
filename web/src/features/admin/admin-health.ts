import type { healthData } from '@zakup/contracts/calls/replies';
import { showInstant } from '../../shared/day/shown-day.ts';
import { formatNumber, plural } from '@zakup/domain/russian';
import type { z } from 'zod';
import type { Tone } from '../../shared/ui/chip.tsx';

/** Answer of GET /api/admin/health; what is absent is not known there. */
export type AdminHealth = z.infer<typeof healthData>;

export interface HealthLine {
  readonly name: string;
  readonly note: string;
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

/** Events and milliseconds above which the models count as behind. */
const slow = { events: 1_000, milliseconds: 5_000 };

export const lagText = ({ projection: { lagEvents, lagMilliseconds } }: AdminHealth): string => {
  if (lagEvents === 0 || lagMilliseconds === 0) return 'не отстаёт';
  const parts = [
    lagEvents === undefined ? '' : `${formatNumber(lagEvents)} ${plural(lagEvents, 'событие', 'события', 'событий')}`,
    lagMilliseconds === undefined ? '' : `${formatNumber(Math.round(lagMilliseconds))} мс`,
  ].filter(Boolean);
  return parts.length === 0 ? 'неизвестно' : `отстаёт: ${parts.join(', ')}`;
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
  const { lagEvents = 0, lagMilliseconds = 0 } = health.projection;
  const behind = lagEvents > slow.events || lagMilliseconds > slow.milliseconds;
  const check = health.selfCheck;
  return [
    ...health.services.map(({ name, ok, version }) => ({
      name: serviceNames[name] ?? name,
      note: version === undefined ? '' : `версия ${version}`,
      tone: ok ? ('good' as const) : ('bad' as const),
      state: ok ? 'работает' : 'не отвечает',
    })),
    {
      name: 'Модели чтения',
      note: `позиция ${formatNumber(health.projection.position)} из ${formatNumber(health.projection.head)}`,
      tone: behind ? 'mid' : 'good',
      state: lagText(health),
    },
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
      note: `лицензия ${licenceId}: в журнале нет того, что подписано печатью ${number} до позиции ${formatNumber(position)}`,
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
