import type { SubscribeOptions, SubscriptionMessage } from '../event-store.ts';
import { catchUpTo } from '../catch-up.ts';
import { EventStoreUnavailable } from '../event-store.ts';
import { beforeAbort } from './before-abort.ts';
import type { FollowerPlace } from './caught-up.ts';
import { type Connection, pause, pauseBefore } from './connection.ts';
import { portError } from './errors.ts';
import { followLog } from './follow-log.ts';
import { logSource } from './log-source.ts';
import type { ServerNames } from './names.ts';
import type { StreamReader } from './stream-reader.ts';

/** Where the adapter tells what an operator should know; a pino logger fits. */
export interface AdapterLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

export interface SubscriptionDeps {
  readonly server: Connection;
  readonly names: ServerNames;
  readonly reader: StreamReader;
  readonly log: AdapterLog;
  /** From 0 to 1. */
  readonly chance: () => number;
  /** Called whenever a subscription has ended before its time. */
  readonly onLost: () => void;
}

/** History, then live, over as many subscriptions of the client as it takes. */
export const subscriptions = ({ server, names, reader, log, chance, onLost }: SubscriptionDeps) => {
  const { client, where, closing } = server;

  return async function* subscribe(options: SubscribeOptions): AsyncGenerator<SubscriptionMessage, void, undefined> {
    const ended = AbortSignal.any([options.signal, closing]);
    const place: FollowerPlace = { reached: options.after, way: null };
    let attempt = 0;

    while (!ended.aborted) {
      const before = place.reached;
      let dropped: Error | undefined;
      try {
        const head = await beforeAbort(reader.head(), ended);
        if (head === undefined || ended.aborted) return;
        // The end that was set out for stays, unless it lies in a log that was longer.
        if (place.way === null || place.way.until > head) place.way = catchUpTo(head, place.reached);
        const source = logSource(client, place.reached, { streams: names.entities(options.partitions) });
        try {
          dropped = yield* followLog({ names, reader, where }, { options, ended, place, source, head });
        } finally {
          source.close();
        }
      } catch (error) {
        dropped = error instanceof Error ? error : new Error(String(error));
      }
      if (ended.aborted || dropped === undefined) return;
      onLost();
      const said = portError(dropped, where);
      if (!(said instanceof EventStoreUnavailable)) throw said;
      if (place.reached > before) attempt = 0;
      const wait = pauseBefore(attempt, chance());
      attempt += 1;
      log.warn(
        { err: dropped, after: place.reached, retryInMilliseconds: Math.round(wait) },
        'The subscription to the event log has ended and is begun again',
      );
      await pause(wait, ended);
    }
  };
};
