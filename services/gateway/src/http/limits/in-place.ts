import { limits } from './limits.ts';
import type { Place, Timers } from './places.ts';

/**
 * The chunks as they are taken. Who takes nothing for a while lets somebody else have the turn, and goes on with the next one: a file that
 * nobody reads costs nothing.
 */
export const inPlace = (first: Place, next: () => Promise<Place | null>, timers: Timers) => {
  let place: Place | null = first;
  let over = false;
  const leave = (): void => {
    place?.leave();
    place = null;
  };
  return {
    async *chunks(content: AsyncIterable<string | Buffer>): AsyncGenerator<string | Buffer, void, undefined> {
      for await (const chunk of content) {
        const timer = timers.setTimeout(leave, limits.turnKept);
        yield chunk;
        timers.clearTimeout(timer);
        if (place !== null) continue;
        const another = await next();
        if (over) another?.leave();
        else place = another;
      }
    },
    end: (): void => {
      over = true;
      leave();
    },
  };
};
