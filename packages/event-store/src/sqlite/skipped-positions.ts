import { randomUUID } from 'node:crypto';
import type { EventStore, Position, RecordedEvent } from '../event-store.ts';
import { writeHeadMark } from './head-mark.ts';
import { openForWriting, unavailable } from './log-file.ts';
import { logWriter } from './log-writer.ts';
import { packed, type PackedEvent } from './payload.ts';
import { anyRevision } from './writer-messages.ts';

/** Named after no licence: nobody's history, and no read model's. */
export const skipStream = 'log';
const skipType = 'PositionsSkipped';

/** Why a log goes on at a greater position than the next one. */
export interface Skip {
  /** `restored`: the log is a backup's; `recovered`: what was damaged in it was cut off. */
  readonly reason: 'restored' | 'recovered';
  /** So many positions are left out at least. */
  readonly count: number;
  /** The gap ends there at the earliest; default: after `count` positions. */
  readonly least?: Position;
  /** UTC milliseconds. */
  readonly now: number;
}

/** A gap in the log, as the event at its end tells of it. */
export interface LogSkip {
  readonly reason: Skip['reason'];
  /** The last position before the gap, and the first one after it. */
  readonly after: Position;
  readonly position: Position;
  /** UTC, ISO 8601. */
  readonly recordedAt: string;
}

/** What such an event says; null for any other. */
export const skipOf = ({
  stream,
  type,
  data,
  position,
  recordedAt,
}: Pick<RecordedEvent, 'stream' | 'type' | 'data' | 'position' | 'recordedAt'>): LogSkip | null =>
  stream === skipStream && type === skipType
    ? {
        reason: data['reason'] === 'recovered' ? 'recovered' : 'restored',
        after: Number(data['after']),
        position,
        recordedAt,
      }
    : null;

/** Whether a log goes on behind a gap somewhere. */
export const hasSkips = async ({ read }: Pick<EventStore, 'read'>): Promise<boolean> =>
  (await read(skipStream, { limit: 1 })).length > 0;

/** How many positions of a log, up to one of them, have an event. */
export type PositionCount = (position: Position) => number;

/** For telling shares of a log that may go on behind a gap. */
export const positionCount = async ({ read }: Pick<EventStore, 'read'>): Promise<PositionCount> => {
  const skips = (await read(skipStream)).flatMap((event) => skipOf(event) ?? []);
  return (position) => {
    let count = position;
    for (const skip of skips) if (position > skip.after) count -= Math.min(position, skip.position - 1) - skip.after;
    return count;
  };
};

/** Whether the event says that the positions between `last` and its own were never in this log. */
export const isSkipped = (event: RecordedEvent, last: Position): boolean => {
  const skip = skipOf(event);
  return skip !== null && skip.after <= last;
};

/** The event that ends a gap, which it tells of. */
export const skipEvent = (after: Position, { reason, now }: Pick<Skip, 'reason' | 'now'>): PackedEvent =>
  packed({
    id: randomUUID(),
    type: skipType,
    data: { after, reason },
    metadata: {
      licenceId: '',
      actorId: 'system',
      source: 'system',
      commandId: randomUUID(),
      requestHash: '',
      at: new Date(now).toISOString(),
      schemaVersion: 1,
    },
  });

/**
 * Has a log that nobody has open go on behind a gap, so that no position which was given after its last event, in a log that is lost, comes
 * again. The gap ends with an event that says so; answers its position. Throws `EventStoreUnavailable` naming the file.
 */
export const skipPositions = (file: string, { reason, count, least = 0, now }: Skip): Position => {
  const db = openForWriting(file);
  try {
    const writer = logWriter(db);
    const after = writer.head();
    const event = skipEvent(after, { reason, now });
    writer.commit([[0, [[skipStream, anyRevision, [event]]], [], null]], now, Math.max(after + count + 1, least));
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    writeHeadMark(file, writer.head());
    return writer.head();
  } catch (error) {
    throw unavailable(file, error);
  } finally {
    db.close();
  }
};
