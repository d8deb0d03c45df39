import { type KeyboardEvent, type PointerEvent, useEffect, useRef, useState } from 'react';
import { showShortDay } from '../day/shown-day.ts';
import type { Axis } from './timeline-axis.ts';
import type { Timeline } from './use-timeline.ts';

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

/** Where the moment stands in what happened, to be dragged and stepped through. */
export const TimeTrack = ({
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
