import type { AllFilter } from './filter.ts';
import type { LoggedEvent } from './stand-in-log.ts';

/** What may wait for a subscription before the oldest of it is thrown away. */
const capacity = 32;

/** Something that happened since the subscription began, with its number; a gap in the numbers tells that something was thrown away. */
export interface LiveItem {
  readonly sequence: number;
  readonly kind: 'event' | 'checkpoint';
  readonly event: LoggedEvent;
}

/** What happens in the log from now on, as far as one subscription wants it. */
export interface LiveChannel {
  /** Takes in what the log shows by now. */
  fill(): void;
  take(): LiveItem | undefined;
}

/** From the event at `start` on. With a filter a checkpoint follows each `checkpointInterval` events, whether they match or not. */
export const liveChannel = (
  events: () => readonly LoggedEvent[],
  start: number,
  filter: AllFilter | null,
): LiveChannel => {
  const waiting: LiveItem[] = [];
  let next = start;
  let sequence = 0;
  let considered = 0;

  const put = (kind: LiveItem['kind'], event: LoggedEvent): void => {
    sequence += 1;
    waiting.push({ sequence, kind, event });
    if (waiting.length > capacity) waiting.shift();
  };

  return {
    fill() {
      const all = events();
      for (let event = all[next]; event !== undefined; event = all[next]) {
        next += 1;
        if (filter === null || filter.accepts(event)) put('event', event);
        if (filter === null) continue;
        considered += 1;
        if (considered < filter.checkpointInterval) continue;
        considered = 0;
        put('checkpoint', event);
      }
    },
    take: () => waiting.shift(),
  };
};
