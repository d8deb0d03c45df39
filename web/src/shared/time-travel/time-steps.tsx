import { ChevronLeft, ChevronRight } from '@blueprintjs/icons';
import { Button } from '../ui/button.tsx';
import { TimeTrack } from './time-track.tsx';
import { axisOf, dayStep } from './timeline-axis.ts';
import type { Timeline } from './use-timeline.ts';

/** The ways from the moment on the screen to others: to the neighbours, and along the track between them. */
export const TimeSteps = ({
  timeline,
  position,
  loading,
  wanted,
  text,
  onGo,
}: {
  readonly timeline: Timeline | null;
  /** Of the moment on the screen; null while the first one is on its way. */
  readonly position: number | null;
  /** Another moment is on its way. */
  readonly loading: boolean;
  /** Where the handle stands. */
  readonly wanted: number;
  readonly text: string;
  readonly onGo: (position: number) => void;
}) => {
  const axis = timeline === null ? null : axisOf(timeline.days);
  const onEvent = (step: -1 | 1): void => {
    // Of another moment: its neighbours are not this one's.
    if (timeline === null || loading || timeline.around !== String(position)) return;
    const next = step === -1 ? timeline.previous : timeline.next;
    if (next !== null) onGo(next.position);
  };
  const onDay = (step: -1 | 1): void => {
    if (timeline === null) return;
    const next = dayStep(timeline.days, wanted, step);
    if (next !== null) onGo(next);
  };
  return (
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
        <TimeTrack
          axis={axis}
          position={wanted}
          timeline={timeline}
          text={text}
          onGo={onGo}
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
  );
};
