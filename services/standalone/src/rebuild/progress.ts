/** How far a rebuild has come. */
export interface Progress {
  readonly events: number;
  /** Place in the log where it was begun, or gone on with; default 0. */
  readonly from?: number;
  /** Place in the log, and the place where it ends. */
  readonly position: number;
  readonly head: number;
  /** Milliseconds since it began. */
  readonly elapsed: number;
}

const whole = new Intl.NumberFormat('ru-RU');

const duration = (seconds: number): string => {
  if (seconds < 60) return `${Math.ceil(seconds)} с`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? `${minutes} мин` : `${Math.floor(minutes / 60)} ч ${minutes % 60} мин`;
};

/** One line for the operator: events, share of the log and, where that can be told, the time left. */
export const progressText = ({ events, from = 0, position, head, elapsed }: Progress): string => {
  const share = head === 0 ? 1 : Math.min(1, position / head);
  const seconds = ((elapsed / (position - from)) * (head - position)) / 1_000;
  const left = position > from && share < 1 ? `, осталось около ${duration(seconds)}` : '';
  return `событий ${whole.format(events)}, ${Math.floor(share * 100)} %${left}`;
};
