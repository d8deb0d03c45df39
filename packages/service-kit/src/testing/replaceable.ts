import type { EventStore } from '@zakup/event-store/event-store';
import { goingAway } from './going-away.ts';

/** A server of a log, in whose place another log can be put, as a backup that is restored into it; it can go away too. */
export const replaceable = (first: EventStore): { readonly store: EventStore; now: EventStore; away: boolean } => {
  const server = { now: first };
  const asked: EventStore = {
    atomicAcrossStreams: first.atomicAcrossStreams,
    append: (writes, options) => server.now.append(writes, options),
    read: (stream, options) => server.now.read(stream, options),
    revision: (stream) => server.now.revision(stream),
    readLicence: (licenceId, range) => server.now.readLicence(licenceId, range),
    readCommand: (commandKey) => server.now.readCommand(commandKey),
    head: (signal) => server.now.head(signal),
    subscribe: (options) => server.now.subscribe(options),
    close: () => first.close(),
  };
  const going = goingAway(asked);
  return {
    store: going.store,
    get now() {
      return server.now;
    },
    set now(log) {
      server.now = log;
    },
    get away() {
      return going.away;
    },
    set away(away) {
      going.away = away;
    },
  };
};
