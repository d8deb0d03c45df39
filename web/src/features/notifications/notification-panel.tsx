import type { NotificationWire } from '@zakup/contracts/notifications';
import { formatNumber, plural } from '@zakup/domain/russian';
import { relativeTime } from '../../shared/day/relative-time.ts';
import { journalPath } from '../../shared/history/journal-address.ts';
import { openImportReport } from '../../shared/import/import-report-opener.ts';
import { openLicence } from '../../shared/licence/licence-opener.ts';
import { useEntries } from '../../shared/outbox/outbox-context.tsx';
import { Button } from '../../shared/ui/button.tsx';
import { EmptyState, ErrorState, Skeleton } from '../../shared/ui/states.tsx';
import { useGo } from '../../shared/ui/use-go.ts';
import { useNow } from '../../shared/ui/use-now.ts';
import { OutboxRows, type Wanted } from './outbox-rows.tsx';
import type { Absence } from './use-absence.ts';
import type { Notifications } from './use-notifications.ts';

const isOfLicence = ({ type }: NotificationWire): boolean => ['expiry', 'closing', 'kept_open'].includes(type);

/** `Пока вас не было: 3 события`; of more than were counted `не меньше 199 событий`. */
export const absenceText = ({ events, more }: Pick<Absence, 'events' | 'more'>): string =>
  `Пока вас не было: ${
    more
      ? `не меньше ${formatNumber(events)} ${plural(events, 'события', 'событий', 'событий')}`
      : `${formatNumber(events)} ${plural(events, 'событие', 'события', 'событий')}`
  }`;

/** What waits for the person: own changes first, then what happened while they were away, then what they were told. */
export const NotificationPanel = ({
  told,
  absence,
  wanted,
  onClose,
}: {
  readonly told: Notifications;
  readonly absence: Absence | null;
  readonly wanted: Wanted | null;
  readonly onClose: () => void;
}) => {
  const go = useGo();
  const now = useNow();
  const { list, unread, isRead, error, retry, readUpTo } = told;
  const own = useEntries().some(({ state }) => state.kind !== 'acknowledged');
  const newest = list?.[0];
  const visit = (path: string): void => {
    onClose();
    go(path);
  };
  const follow = (one: NotificationWire): void => {
    // A cursor: what is older would be read with it, so it moves only past the oldest that is unread.
    const older = list?.some((other) => other.position < one.position && !isRead(other)) ?? false;
    if (!isRead(one) && !older) readUpTo(one.position);
    if (one.importId !== null) {
      onClose();
      openImportReport(one.importId);
    } else if (one.campaignId !== null) visit(`/dashboard?campaign=${encodeURIComponent(one.campaignId)}`);
    else if (one.type === 'second_factor_reset') visit('/profile');
    else if (one.userId !== null) visit(`/settings?tab=employees&person=${encodeURIComponent(one.userId)}`);
    else if (isOfLicence(one)) {
      onClose();
      openLicence();
    }
  };
  return (
    <section className="z-bell-panel" aria-label="Уведомления">
      <header>
        <h2>Уведомления</h2>
        {newest !== undefined && unread > 0 && (
          <Button small look="plain" onClick={() => readUpTo(newest.position)}>
            Прочитать все
          </Button>
        )}
      </header>
      <OutboxRows wanted={wanted} onGo={visit} />
      {absence !== null && (
        <button type="button" className="z-bell-absence" onClick={() => visit(journalPath({ from: absence.since }))}>
          {absenceText(absence)}
        </button>
      )}
      {list === null && error !== null && <ErrorState error={error} onRetry={retry} />}
      {list === null && error === null && <Skeleton rows={3} height={48} />}
      {list?.length === 0 && !own && (
        <EmptyState title="Уведомлений нет">
          Здесь появится то, что другие сделали с вашими размещениями, итоги импортов, расход бюджетов и сроки лицензии.
        </EmptyState>
      )}
      {list !== null && list.length > 0 && (
        <ul className="z-bell-list">
          {list.map((one) => (
            <li key={one.id} className={isRead(one) ? undefined : 'z-bell-unread'}>
              <button type="button" onClick={() => follow(one)}>
                <span>
                  {!isRead(one) && <span className="z-visually-hidden">Новое: </span>}
                  {one.text}
                </span>
                <time dateTime={one.at} className="z-secondary">
                  {relativeTime(one.at, now)}
                </time>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
};
