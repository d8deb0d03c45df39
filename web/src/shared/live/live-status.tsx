import { LiveRegion } from '../toasts/live-region.tsx';
import { WarningSign } from '@blueprintjs/icons';
import { showTime } from '@zakup/domain/calendar';
import { formatNumber, nbsp } from '@zakup/domain/russian';
import { useEffect, useRef, useSyncExternalStore } from 'react';
import { useOpenConflicts } from '../form/open-conflicts.ts';
import { useOutboxSummary } from '../outbox/outbox-context.tsx';
import { announce } from '../toasts/toasts.ts';
import { Button } from '../ui/button.tsx';
import { ConnectionMark } from '../ui/connection.tsx';
import { SlotFill } from '../ui/slots.tsx';
import { useConnection, useLive } from './live-context.tsx';
import { useNextWaiting } from './use-next-waiting.ts';
import './live-status.css';

const marks = { online: 'online', catching_up: 'connecting', offline: 'offline' } as const;

/** However many changes were on their way: once, when the last of them is saved. */
const useSavedAnnouncement = (unsent: number, waiting: number): void => {
  const before = useRef(unsent);
  useEffect(() => {
    if (before.current > 0 && unsent === 0 && waiting === 0) announce('Изменения сохранены');
    before.current = unsent;
  }, [unsent, waiting]);
};

const look = 250;
const onLook = (listener: () => void): (() => void) => {
  const timer = window.setInterval(listener, look);
  return () => window.clearInterval(timer);
};

/** Counts down to the next attempt. Not for who listens: a number that changes each second would be read each second. */
const RetryIn = ({ at }: { readonly at: number | undefined }) => {
  const seconds = useSyncExternalStore(onLook, () =>
    at === undefined ? null : Math.max(1, Math.ceil((at - Date.now()) / 1000)),
  );
  return (
    <span className="z-retry-in" aria-hidden="true">
      {/* Keyed: an attempt that fails at once is not said. */}
      {seconds === null ? <i key="now">Подключение…</i> : `Повтор через ${formatNumber(seconds)}${nbsp}с`}
    </span>
  );
};

/** The line and what waits for it, said in the frame's status line and, once it matters, in the banner. */
export const LiveStatus = () => {
  const live = useLive();
  const { state, announced, dataAt, refused, retryAt } = useConnection();
  const { unsent, sending, held, waitingForPerson } = useOutboxSummary();
  const away = unsent + sending;
  const waiting = waitingForPerson + useOpenConflicts();
  const offline = state === 'offline' && announced;
  useSavedAnnouncement(unsent, waiting);
  const nextWaiting = useNextWaiting();
  const dataTime = dataAt === null ? null : showTime(new Date(dataAt).toISOString());
  return (
    <>
      {offline && (
        <SlotFill name="banner">
          <div className="z-offline">
            <WarningSign size={14} />
            <p role="alert">
              <b>{refused === undefined ? 'Нет связи, изменения будут отправлены.' : `${refused}.`}</b>
              {unsent > 0 && ` Не отправлено: ${unsent}.`}
              {dataTime !== null && ` Показаны данные на ${dataTime}.`}
            </p>
            <RetryIn at={retryAt} />
            <Button small onClick={() => live.retryNow()}>
              Повторить сейчас
            </Button>
          </div>
        </SlotFill>
      )}
      {offline && dataTime !== null && (
        <SlotFill name="status-left">
          <span className="z-status-text">Данные на {dataTime}</span>
        </SlotFill>
      )}
      <SlotFill name="status-right">
        {waiting > 0 && (
          <button
            type="button"
            className="z-link z-waiting"
            title="К тому, что ждёт вашего выбора"
            onClick={nextWaiting}
          >
            <LiveRegion>Ждут вас: {waiting}</LiveRegion>
          </button>
        )}
        <span className="z-unsent">
          {away === 0 ? (
            waiting === 0 && 'Все изменения сохранены'
          ) : (
            <>
              <i className="z-dot" aria-hidden="true" />
              {offline || held > 0 ? 'Не отправлено' : 'Отправляется'}: <b>{away}</b>
            </>
          )}
        </span>
        <ConnectionMark state={state === 'offline' && !announced ? 'connecting' : marks[state]} />
      </SlotFill>
    </>
  );
};
