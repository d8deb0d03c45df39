import { dayOf, showDateWithYear, showTime, today } from '@zakup/domain/calendar';
import { relativeTime } from '../../shared/day/relative-time.ts';
import { Note } from '../../shared/load/note.tsx';
import { Chip } from '../../shared/ui/chip.tsx';
import type { PersonActivity } from './use-people-activity.ts';

/** An open page is heard of at least this often while somebody works in it. */
const nowMs = 5 * 60_000;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;

/** `34 мин назад`, `вчера в 18:20`, and before that the moment itself. */
const lately = (instant: string, now: number): string => {
  const isRecent = now - Date.parse(instant) < hourMs;
  return !isRecent && dayOf(instant) === today(now - dayMs)
    ? `вчера в ${showTime(instant)}`
    : relativeTime(instant, now);
};

const whole = (instant: string): string => `${showDateWithYear(dayOf(instant))}, ${showTime(instant)}`;

const inFull = (activeAt: string, signedInAt: string | null): string => {
  const action = `Последнее действие: ${whole(activeAt)}`;
  return signedInAt === null ? action : `${action}. Последний вход: ${whole(signedInAt)}`;
};

/** When somebody was last here; whoever may not come in is told as that. */
export const ActivityCell = ({
  isActive,
  activity,
  failed,
  now,
  hint,
  onOpen,
}: {
  readonly isActive: boolean;
  /** Undefined = not known (yet). */
  readonly activity: PersonActivity | undefined;
  readonly failed: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** There is room and a pointer for the whole dates. */
  readonly hint: boolean;
  readonly onOpen: () => void;
}) => {
  if (!isActive) return <Chip>отключён</Chip>;
  if (activity === undefined) return failed ? '—' : null;
  const { activeAt, signedInAt } = activity;
  if (activeAt === null) return <Chip tone="mid">ещё не входили</Chip>;
  const isHere = now - Date.parse(activeAt) < nowMs;
  const look = isHere ? 'z-activity z-activity-now' : 'z-activity';
  const said = (
    <>
      {isHere && <i className="z-dot" aria-hidden="true" />}
      <time dateTime={activeAt}>{isHere ? 'сейчас' : lately(activeAt, now)}</time>
    </>
  );
  if (!hint) return <span className={look}>{said}</span>;
  // Above the row's own button for its hint's sake; the keyboard has that one.
  return (
    <button type="button" tabIndex={-1} className={look} title={inFull(activeAt, signedInAt)} onClick={onOpen}>
      {said}
    </button>
  );
};

/** Beside the list, which is whole without it. */
export const ActivityFailed = ({ onRetry }: { readonly onRetry: () => void }) => (
  <Note onRetry={onRetry}>Активность не загрузилась.</Note>
);
