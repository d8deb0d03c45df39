import { LiveRegion } from '../toasts/live-region.tsx';
import { dayOf } from '@zakup/domain/calendar';
import { showDate } from '../day/shown-day.ts';
import { formatNumber } from '@zakup/domain/russian';
import { useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { SlotFill } from '../ui/slots.tsx';
import { useMoment } from '../moment/moment-context.ts';
import { type Past, usePast } from './past-context.ts';
import './time-travel.css';
import { MomentTitle } from './moment-title.tsx';
import { TimeSteps } from './time-steps.tsx';
import type { Timeline } from './use-timeline.ts';
import { focusIsLost, topModal } from '../ui/focus-place.ts';

const unchangeable = 'Изменить прошлое нельзя. Вернуть значение можно из истории строки.';

const seconds = (instant: string): string =>
  new Date(Date.parse(instant) + 3 * 60 * 60 * 1000).toISOString().slice(11, 19);

/** `14 ноября, 18:42:07`. */
const momentText = (instant: string): string => `${showDate(dayOf(instant))}, ${seconds(instant)}`;

/** A refusal with the full stop that another sentence after it needs. */
const sentence = (text: string): string => (/[.!?]$/u.test(text) ? text : `${text}.`);

interface Came {
  readonly campaignId: string | null;
  readonly total: number;
  readonly head: number;
}

/** Where the log ended when one came, and how many events there are beside those of then. */
const useSinceCame = (timeline: Timeline | null, campaignId: string | null) => {
  const total = timeline?.days.reduce((sum, { count }) => sum + count, 0) ?? null;
  const [came, setCame] = useState<Came | null>(null);
  const known = came?.campaignId === campaignId ? came : null;
  if (timeline !== null && total !== null && known === null) setCame({ campaignId, total, head: timeline.head });
  return {
    fresh: total === null || known === null ? 0 : Math.max(0, total - known.total),
    head: known?.head ?? timeline?.head ?? null,
  };
};

const overlays = '[role="dialog"], [role="alertdialog"], .bp6-overlay-open .bp6-popover, .z-floating';

/** Escape goes back to now where nothing else takes it. */
const useEscapeToNow = (escape: boolean, leave: () => void): void => {
  useEffect(() => {
    if (!escape) return undefined;
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector(overlays) !== null) return;
      leave();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [escape, leave]);
};

/** In place of the track where the moment could not be shown. */
const MomentProblem = ({
  problem,
  isNow,
  onRetry,
}: {
  readonly problem: NonNullable<NonNullable<Past['state']>['problem']>;
  /** Nothing of another moment is on the screen. */
  readonly isNow: boolean;
  readonly onRetry: () => void;
}) => (
  <p className="z-time-problem" role="alert">
    {problem.code === 'NETWORK' ? 'Нет связи: прошлое не загрузилось.' : sentence(problem.message)}{' '}
    {isNow && 'Пока всё как сейчас. '}
    <button type="button" className="z-link" onClick={onRetry}>
      Повторить
    </button>
  </p>
);

const Bar = ({
  past,
  state,
  escape,
  follows,
}: {
  readonly past: Past;
  readonly state: NonNullable<Past['state']>;
  readonly escape: boolean;
  /** Whether it was now before: what had the keyboard may be gone with that. */
  readonly follows: boolean;
}) => {
  const moment = useMoment();
  const bar = useRef<HTMLElement>(null);
  // «Как было» goes away as it is pressed: the keyboard goes on in the bar of the same dialog or page.
  useEffect(() => {
    if (follows && focusIsLost() && (topModal()?.contains(bar.current) ?? true))
      bar.current?.focus({ preventScroll: true });
  }, [follows]);
  const position = state.shown?.position ?? null;
  const { timeline } = past;
  const { fresh, head } = useSinceCame(timeline, past.campaignId);
  const { leave } = past;

  useEscapeToNow(escape, leave);

  // Where the handle goes at once, while what is there is still on its way.
  const asked = Number(state.asked);
  const wanted = Number.isSafeInteger(asked) ? asked : (position ?? 0);
  const instant = moment?.at ?? null;
  const title = instant === null ? 'Как было' : `Как было ${momentText(instant)}`;
  const events =
    position === null
      ? 'только чтение'
      : `только чтение · событие ${formatNumber(position)}${head === null ? '' : ` из ${formatNumber(Math.max(head, position))}`}`;
  const below =
    state.shown === null && state.problem === null
      ? 'загрузка… Пока всё как сейчас'
      : state.loading
        ? 'загрузка…'
        : events;
  return (
    <section ref={bar} className="z-time-bar" aria-label="Как было" tabIndex={-1}>
      <MomentTitle at={instant} title={title} below={below} onPick={past.go} />
      {state.problem === null ? (
        <TimeSteps
          timeline={timeline}
          position={position}
          loading={state.loading}
          wanted={wanted}
          text={`${title}, ${events}`}
          onGo={(to) => past.go(String(to))}
        />
      ) : (
        <MomentProblem problem={state.problem} isNow={state.shown === null} onRetry={past.retry} />
      )}
      {fresh > 0 && (
        <LiveRegion className="z-time-fresh">
          <i className="z-dot" aria-hidden="true" />
          новых событий: {formatNumber(fresh)}
        </LiveRegion>
      )}
      {escape && instant !== null && (
        <SlotFill name="status-left">
          <span className="z-status-text" title={`Данные на ${momentText(instant)}. ${unchangeable}`}>
            <span className="z-time-when">Данные на {momentText(instant)}. </span>
            {unchangeable}
          </span>
        </SlotFill>
      )}
      <Button look="primary" className="z-time-now" {...(escape && { hotkey: 'Esc' })} onClick={leave}>
        Сейчас
      </Button>
    </section>
  );
};

/** The way through the time, while the screen shows another moment; nothing otherwise. */
export const TimeBar = ({
  escape = false,
}: {
  /** Escape goes back to now. */
  readonly escape?: boolean;
}) => {
  const past = usePast();
  const isNow = !past?.state;
  const [wasNow, setWasNow] = useState(isNow);
  if (isNow && !wasNow) setWasNow(true);
  return past?.state ? <Bar past={past} state={past.state} escape={escape} follows={wasNow} /> : null;
};
