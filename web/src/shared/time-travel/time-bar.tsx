import { LiveRegion } from '../toasts/live-region.tsx';
import { ChevronLeft, ChevronRight, Calendar } from '@blueprintjs/icons';
import { dayOf } from '@zakup/domain/calendar';
import { showDate, showShortDay } from '../day/shown-day.ts';
import { formatNumber } from '@zakup/domain/russian';
import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { Button } from '../ui/button.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { SlotFill } from '../ui/slots.tsx';
import { useMoment } from '../moment/moment-context.ts';
import { type Past, usePast } from './past-context.ts';
import './time-travel.css';
import { axisOf, type Axis, dayStep } from './timeline-axis.ts';
import type { Timeline } from './use-timeline.ts';
import { focusIsLost, topModal } from '../ui/focus-place.ts';
import { Popover } from '../ui/popover.tsx';

const unchangeable = 'Изменить прошлое нельзя. Вернуть значение можно из истории строки.';

const LazyPicker = lazyPart(async () => (await import('./moment-picker.tsx')).MomentPicker, {
  waiting: <div className="z-moment-picker" />,
});

const seconds = (instant: string): string =>
  new Date(Date.parse(instant) + 3 * 60 * 60 * 1000).toISOString().slice(11, 19);

/** `14 ноября, 18:42:07`. */
const momentText = (instant: string): string => `${showDate(dayOf(instant))}, ${seconds(instant)}`;

/** A refusal with the full stop that another sentence after it needs. */
const sentence = (text: string): string => (/[.!?]$/u.test(text) ? text : `${text}.`);

const barWidth = 10;
const barHeight = 22;

const barsPath = (bars: readonly number[]): string =>
  bars
    .map(
      (height, index) =>
        `M${index * barWidth + 1} ${barHeight}v${-height * barHeight}h${barWidth - 2}v${height * barHeight}z`,
    )
    .join('');

/** A field of the browser has no pictures in it and knows no moments. */
const asSlider = { role: 'slider', tabIndex: 0 } as const;

const Track = ({
  axis,
  position,
  timeline,
  text,
  onGo,
  onEvent,
  onDay,
}: {
  readonly axis: Axis;
  readonly position: number;
  readonly timeline: Timeline;
  readonly text: string;
  readonly onGo: (position: number) => void;
  readonly onEvent: (step: -1 | 1) => void;
  readonly onDay: (step: -1 | 1) => void;
}) => {
  // While it is dragged, the handle is where the pointer is.
  const [dragged, setDragged] = useState<number | null>(null);
  const track = useRef<HTMLDivElement>(null);
  // The keyboard that came into the bar has waited for it.
  useEffect(() => {
    if (track.current?.closest('section') === document.activeElement) track.current?.focus({ preventScroll: true });
  }, []);
  const place = dragged ?? axis.placeOf(position);
  const first = timeline.days[0]?.first ?? 0;
  const last = timeline.days.at(-1)?.last ?? 0;
  const placeOf = (event: PointerEvent<HTMLDivElement>): number => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    return width === 0 ? 0 : Math.min(1, Math.max(0, (event.clientX - left) / width));
  };
  const drag = (event: PointerEvent<HTMLDivElement>): void => {
    const next = placeOf(event);
    setDragged(next);
    onGo(axis.positionAt(next));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const steps: Readonly<Record<string, () => void>> = {
      ArrowLeft: () => (event.shiftKey ? onDay(-1) : onEvent(-1)),
      ArrowDown: () => onEvent(-1),
      ArrowRight: () => (event.shiftKey ? onDay(1) : onEvent(1)),
      ArrowUp: () => onEvent(1),
      PageDown: () => onDay(-1),
      PageUp: () => onDay(1),
      Home: () => onGo(first),
      End: () => onGo(last),
    };
    const step = steps[event.key];
    if (step === undefined) return;
    event.preventDefault();
    step();
  };
  const handlers = {
    onKeyDown,
    onPointerDown: (event: PointerEvent<HTMLDivElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      drag(event);
    },
    onPointerMove: (event: PointerEvent<HTMLDivElement>) => {
      if (dragged !== null) drag(event);
    },
    onPointerUp: () => setDragged(null),
    onPointerCancel: () => setDragged(null),
  };
  const width = axis.bars.length * barWidth;
  return (
    <div
      ref={track}
      className="z-time-track"
      {...asSlider}
      aria-label="Момент"
      aria-valuemin={first}
      aria-valuemax={last}
      aria-valuenow={Math.min(Math.max(position, first), last)}
      aria-valuetext={text}
      {...handlers}
    >
      <svg viewBox={`0 0 ${width} ${barHeight}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={barsPath(axis.bars)} />
        <path d={barsPath(axis.bars.slice(0, Math.ceil(place * axis.bars.length)))} className="z-time-gone" />
        <rect className="z-time-rest" x="0" y={barHeight - 1} width={width} height="1" />
        <rect className="z-time-line" x="0" y={barHeight - 1} width={width * place} height="1" />
      </svg>
      <i className="z-time-handle" style={{ insetInlineStart: `${place * 100}%` }} />
      {axis.marks.map((mark, index) => (
        <span
          key={mark.day}
          className="z-time-mark"
          data-end={index === 0 ? 'first' : index === axis.marks.length - 1 ? 'last' : undefined}
          style={{ insetInlineStart: `${mark.place * 100}%` }}
        >
          {showShortDay(mark.day)}
        </span>
      ))}
    </div>
  );
};

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
  const [picking, setPicking] = useState(false);
  const bar = useRef<HTMLElement>(null);
  // «Как было» goes away as it is pressed: the keyboard goes on in the bar of the same dialog or page.
  useEffect(() => {
    if (follows && focusIsLost() && (topModal()?.contains(bar.current) ?? true))
      bar.current?.focus({ preventScroll: true });
  }, [follows]);
  const position = state.shown?.position ?? null;
  const { timeline } = past;
  const { fresh, head } = useSinceCame(timeline, past.campaignId);
  const axis = timeline === null ? null : axisOf(timeline.days);
  const { leave } = past;

  useEffect(() => {
    if (!escape) return undefined;
    const onKeyDown = (event: globalThis.KeyboardEvent): void => {
      if (event.key !== 'Escape' || event.defaultPrevented || document.querySelector(overlays) !== null) return;
      leave();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, [escape, leave]);

  // Where the handle goes at once, while what is there is still on its way.
  const asked = Number(state.asked);
  const wanted = Number.isSafeInteger(asked) ? asked : (position ?? 0);
  const go = (to: number): void => past.go(String(to));
  const onEvent = (step: -1 | 1): void => {
    // Of another moment: its neighbours are not this one's.
    if (timeline === null || state.loading || timeline.around !== String(position)) return;
    const next = step === -1 ? timeline.previous : timeline.next;
    if (next !== null) go(next.position);
  };
  const onDay = (step: -1 | 1): void => {
    if (timeline === null) return;
    const next = dayStep(timeline.days, wanted, step);
    if (next !== null) go(next);
  };
  const instant = moment?.at ?? null;
  const title = instant === null ? 'Как было' : `Как было ${momentText(instant)}`;
  const events =
    position === null
      ? 'только чтение'
      : `только чтение · событие ${formatNumber(position)}${head === null ? '' : ` из ${formatNumber(Math.max(head, position))}`}`;
  return (
    <section ref={bar} className="z-time-bar" aria-label="Как было" tabIndex={-1}>
      <Popover
        placement="bottom-start"
        isOpen={picking}
        onInteraction={setPicking}
        content={
          <LazyPicker
            at={moment?.at ?? null}
            onPick={(at) => {
              setPicking(false);
              past.go(at);
            }}
          />
        }
        renderTarget={({ isOpen, ref, ...target }) => (
          <button
            {...target}
            ref={ref}
            type="button"
            className="z-time-title"
            aria-expanded={isOpen}
            title="Выбрать дату и время"
          >
            <Calendar size={16} />
            <span>
              <b>{title}</b>
              <small>
                {state.shown === null && state.problem === null
                  ? 'загрузка… Пока всё как сейчас'
                  : state.loading
                    ? 'загрузка…'
                    : events}
              </small>
            </span>
          </button>
        )}
      />
      {state.problem === null ? (
        <>
          <Button
            className="z-time-step"
            icon={<ChevronLeft size={14} />}
            aria-label="Событие назад"
            title="Событие назад: ←, день назад: Shift ←"
            disabled={timeline === null || timeline.previous === null}
            onClick={(event) => (event.shiftKey ? onDay(-1) : onEvent(-1))}
          />
          {axis !== null && timeline !== null && position !== null ? (
            <Track
              axis={axis}
              position={wanted}
              timeline={timeline}
              text={`${title}, ${events}`}
              onGo={go}
              onEvent={onEvent}
              onDay={onDay}
            />
          ) : (
            <span className="z-time-track" />
          )}
          <Button
            className="z-time-step"
            icon={<ChevronRight size={14} />}
            aria-label="Событие вперёд"
            title="Событие вперёд: →, день вперёд: Shift →"
            disabled={timeline === null || timeline.next === null}
            onClick={(event) => (event.shiftKey ? onDay(1) : onEvent(1))}
          />
        </>
      ) : (
        <p className="z-time-problem" role="alert">
          {state.problem.code === 'NETWORK' ? 'Нет связи: прошлое не загрузилось.' : sentence(state.problem.message)}{' '}
          {state.shown === null && 'Пока всё как сейчас. '}
          <button type="button" className="z-link" onClick={past.retry}>
            Повторить
          </button>
        </p>
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
