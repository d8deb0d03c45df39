import { randomUUID } from 'node:crypto';
import streamsPb from '@eventstore/db-client/generated/streams_pb.js';
import type { ReadReq } from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerWritableStream } from '@grpc/grpc-js';
import type { Doorman } from './credentials.ts';
import type { FaultGate } from './faults.ts';
import { type AllFilter, filterOf } from './filter.ts';
import { type Outgoing, outgoing } from './outgoing.ts';
import { nextPage, pageOf } from './pages.ts';
import type { LoggedEvent, StandInLog } from './stand-in-log.ts';
import { subscription } from './subscription.ts';
import {
  callErrors,
  confirmationAnswer,
  eventAnswer,
  type ReadAnswer,
  streamNameOf,
  streamNotFoundAnswer,
} from './wire.ts';

export interface ReadServices {
  readonly log: StandInLog;
  readonly gate: FaultGate;
  readonly doorman: Doorman;
  readonly traffic: Traffic;
}

/** What has crossed the wire so far. */
export interface Traffic {
  /** Reads that were begun, subscriptions not among them. */
  reads: number;
  /** Those of them that go on. */
  readsNow: number;
  /** Most that went on at once. */
  readsAtOnce: number;
  /** Events that reads have sent. */
  eventsRead: number;
  /** Reads through a filter, and events that the server has looked at for them. */
  searches: number;
  considered: number;
}

/** Index of the first event at or after a position; the length when there is none. */
export const indexAt = (events: readonly LoggedEvent[], position: number): number => {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.position ?? 0) < position) low = middle + 1;
    else high = middle;
  }
  return low;
};

interface Range {
  readonly events: readonly LoggedEvent[];
  /** Index of the first to send; backwards that of the last. */
  readonly first: number;
  readonly step: 1 | -1;
}

/** Forwards a position is inclusive, backwards exclusive, as of the server. Null for a position inside a record. */
const allRange = (log: StandInLog, all: ReadReq.Options.AllOptions, step: 1 | -1): Range | null => {
  const events = log.shown();
  const position = all.getPosition();
  let boundary = all.hasEnd() ? events.length : 0;
  if (position !== undefined) {
    const commit = Number(position.getCommitPosition());
    boundary = indexAt(events, commit);
    if (commit > 0 && boundary < events.length && events[boundary]?.position !== commit) return null;
  }
  return { events, first: step === 1 ? boundary : boundary - 1, step };
};

/** A revision is inclusive either way. */
const streamRange = (events: readonly LoggedEvent[], stream: ReadReq.Options.StreamOptions, step: 1 | -1): Range => {
  let first = stream.hasStart() ? 0 : Number(stream.getRevision());
  if (stream.hasEnd()) first = step === 1 ? events.length : events.length - 1;
  return { events, first: step === 1 ? first : Math.min(first, events.length - 1), step };
};

interface Searching {
  readonly out: Outgoing<ReadAnswer>;
  readonly filter: AllFilter | null;
}

/**
 * In pages, as the server does, so that others get their turn. It looks on behind the last event that was asked for, until there is another
 * one or the log is over: through a filter that can take long, and only who has what it wanted can end it sooner.
 */
const sendRange = async (
  { out, filter, traffic, gate }: Pick<ReadServices, 'traffic' | 'gate'> & Searching,
  { events, first, step }: Range,
  count: number,
): Promise<void> => {
  let left = count;
  for (let next = first; !out.over; ) {
    const page = pageOf(events, next, step, filter, count);
    if (filter !== null) traffic.considered += page.considered;
    for (const event of page.events) {
      if (left === 0) return out.end();
      left -= 1;
      traffic.eventsRead += 1;
      const wait = out.send(eventAnswer(event));
      if (wait !== null) await wait;
    }
    if (page.isEnd || (filter === null && left === 0)) break;
    next = page.next;
    if (filter !== null) await gate.holdSearch();
    await nextPage();
  }
  out.end();
};

/** `Read`: one stream or `$all`, either way, once or as a live subscription. */
export const readCall =
  ({ log, gate, doorman, traffic }: ReadServices) =>
  (call: ServerWritableStream<ReadReq, ReadAnswer>): void => {
    const out = outgoing<ReadAnswer>(call, gate);
    const refusal = doorman.refusal(call.metadata) ?? (gate.refusal() === null ? null : callErrors.unavailable());
    const options = call.request.getOptions();
    if (refusal !== null || options === undefined) {
      out.end(refusal ?? callErrors.invalid('The options are missing'));
      return;
    }
    if (options.getUuidOption()?.hasStructured() === true || options.getResolveLinks()) {
      out.end(callErrors.unimplemented('Structured ids and links are not served by the stand-in'));
      return;
    }
    let filter: AllFilter | null;
    try {
      filter = filterOf(options);
    } catch (error) {
      out.end(callErrors.invalid(String(error)));
      return;
    }
    const stream = options.getStream();
    const name = streamNameOf(stream?.getStreamIdentifier());
    if (options.hasSubscription()) {
      void out.send(confirmationAnswer(randomUUID()));
      const position = options.getAll()?.getPosition();
      subscription({
        out,
        gate,
        log,
        filter,
        events: () => log.shown(stream === undefined ? undefined : name),
        start:
          stream === undefined
            ? startOfAll(log, options.getAll(), position === undefined ? null : Number(position.getCommitPosition()))
            : startOfStream(log.shown(name), stream),
      });
      return;
    }
    const step = options.getReadDirection() === streamsPb.ReadReq.Options.ReadDirection.FORWARDS ? 1 : -1;
    const all = options.getAll();
    const events = log.shown(name);
    if (all === undefined && (stream === undefined || events.length === 0)) {
      void out.send(streamNotFoundAnswer(name));
      out.end();
      return;
    }
    const range =
      stream === undefined ? allRange(log, all as ReadReq.Options.AllOptions, step) : streamRange(events, stream, step);
    if (range === null) {
      out.end(callErrors.invalid('Trying to read from an invalid position.'));
      return;
    }
    traffic.reads += 1;
    if (filter !== null) traffic.searches += 1;
    traffic.readsNow += 1;
    traffic.readsAtOnce = Math.max(traffic.readsAtOnce, traffic.readsNow);
    out.onOver(() => {
      traffic.readsNow -= 1;
    });
    void sendRange({ out, filter, traffic, gate }, range, Number(options.getCount()));
  };

/** Exclusive. A position beyond the log's end skips what will be written up to it. */
const startOfAll = (
  log: StandInLog,
  all: ReadReq.Options.AllOptions | undefined,
  position: number | null,
): { index: number; after: number } => {
  if (position !== null) return { index: indexAt(log.shown(), position + 1), after: position };
  if (all?.hasEnd() === true) return { index: log.shown().length, after: log.shown().at(-1)?.position ?? 0 };
  return { index: 0, after: -1 };
};

const startOfStream = (
  events: readonly LoggedEvent[],
  stream: ReadReq.Options.StreamOptions,
): { index: number; after: number } => {
  if (stream.hasEnd()) return { index: events.length, after: 0 };
  return { index: stream.hasStart() ? 0 : Number(stream.getRevision()) + 1, after: 0 };
};
