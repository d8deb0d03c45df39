import type { StreamingRead } from '@eventstore/db-client';
import { NoAnswer } from './errors.ts';

export interface Search<Item, Found> {
  readonly what: string;
  readonly stream: StreamingRead<Item>;
  /** What is made of an item; undefined = another one is wanted. */
  readonly judge: (item: Item) => Found | undefined;
  /** Asked of the server when nothing has come for as long as the deadline: it may have much to look through. Rejects when it is away. */
  readonly isAlive: () => Promise<unknown>;
  /** In milliseconds. */
  readonly deadline: number;
  /** Ends the read. */
  readonly signal: AbortSignal;
}

/** The first item that is wanted, at which the read is ended; undefined when it ends by itself. Rejects as the read, the judge and the question do. */
export const searched = <Item, Found>({
  what,
  stream,
  judge,
  isAlive,
  deadline,
  signal,
}: Search<Item, Found>): Promise<Found | undefined> =>
  new Promise((resolve, reject) => {
    const settle = (end: () => void): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', aborted);
      end();
    };
    /** What comes after it is of no interest. */
    const endedBy = (end: () => void): void => {
      settle(end);
      stream.cancel().catch(() => undefined);
    };
    const aborted = (): void => endedBy(() => reject(signal.reason));
    const ask = (): void => {
      timer.refresh();
      isAlive().catch(() => endedBy(() => reject(new NoAnswer(what, deadline))));
    };
    const timer = setTimeout(ask, deadline);
    signal.addEventListener('abort', aborted);
    stream.on('data', (item) => {
      timer.refresh();
      try {
        const found = judge(item);
        if (found !== undefined) endedBy(() => resolve(found));
      } catch (error) {
        endedBy(() => reject(error));
      }
    });
    stream.on('end', () => settle(() => resolve(undefined)));
    stream.on('error', (error) => settle(() => reject(error)));
    if (signal.aborted) aborted();
  });
