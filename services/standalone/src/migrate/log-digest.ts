import { createHash, hash } from 'node:crypto';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { canonicalText } from '@zakup/seals/canonical';

/** What a log holds, whatever places it gives: two logs that hold the same have the same digest. */
export interface LogDigest {
  readonly events: number;
  /** Over all events, in the order of the log. */
  readonly total: string;
  /** By stream, over its events in their order. */
  readonly streams: ReadonlyMap<string, StreamDigest>;
  readonly firstId: string | null;
}

interface StreamDigest {
  readonly events: number;
  readonly hash: string;
}

/** Everything of an event but its position in the log that it stands in now. */
const eventText = ({ movedFrom, position, stream, revision, id, type, data, metadata, recordedAt }: RecordedEvent) =>
  canonicalText([stream, revision, id, type, data, { ...metadata }, recordedAt, movedFrom ?? position]);

/** Takes the events of a log in order. */
export const logDigest = () => {
  const total = createHash('sha256');
  const streams = new Map<string, StreamDigest>();
  let [events, firstId]: [number, string | null] = [0, null];
  return {
    add(event: RecordedEvent): void {
      const one = hash('sha256', eventText(event), 'hex');
      const before = streams.get(event.stream) ?? { events: 0, hash: '' };
      streams.set(event.stream, { events: before.events + 1, hash: hash('sha256', before.hash + one, 'hex') });
      total.update(one);
      events += 1;
      firstId ??= event.id;
    },
    digest: (): LogDigest => ({ events, total: total.digest('hex'), streams, firstId }),
  };
};

/** The first thing that two logs do not have in common, in words for the operator; null = they hold the same. */
export const logDifference = (source: LogDigest, target: LogDigest): string | null => {
  for (const name of new Set([...source.streams.keys(), ...target.streams.keys()])) {
    const [here, there] = [source.streams.get(name), target.streams.get(name)];
    if (here?.hash === there?.hash) continue;
    return `поток ${name}: в источнике событий ${here?.events ?? 0}, на сервере ${there?.events ?? 0}, или они другие`;
  }
  return source.total === target.total ? null : 'порядок событий в журнале другой';
};
