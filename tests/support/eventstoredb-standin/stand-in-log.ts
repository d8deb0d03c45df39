import { randomUUID } from 'node:crypto';
import { openJournal, type JournalledAppend } from './journal.ts';

/** `number`: the revision of the stream's last event. */
export type Expected = number | 'any' | 'no_stream' | 'stream_exists';

export interface ProposedEvent {
  /** UUID. */
  readonly id: string;
  readonly type: string;
  /** `application/json`, or anything else for bytes. */
  readonly contentType: string;
  /** As sent. */
  readonly data: Uint8Array;
  /** As sent; empty when there was none. */
  readonly metadata: Uint8Array;
}

export interface LoggedEvent extends ProposedEvent {
  readonly stream: string;
  /** The first is 0. */
  readonly revision: number;
  /** Commit and prepare position: strictly rising over the log, never consecutive. */
  readonly position: number;
  /** Milliseconds since 1970. */
  readonly created: number;
}

export type LogAnswer =
  | {
      readonly kind: 'appended';
      /** Of the stream's last event of this append; −1 for an append without events to an absent stream. */
      readonly revision: number;
      /** Of that event; null for an append without events. */
      readonly position: number | null;
    }
  | {
      readonly kind: 'wrong_revision';
      /** −1 for an absent stream. */
      readonly current: number;
    }
  /** A repeat of what is not shown yet: the server drops it without an answer until its time for it is over. */
  | { readonly kind: 'dropped' };

/** What is answered. */
export type Answered = Exclude<LogAnswer, { kind: 'dropped' }>;

/** What outlives connections and restarts of the stand-in. */
export interface StandInLog {
  /** Every event in log order, system events among them. */
  readonly events: readonly LoggedEvent[];
  /** Those that reads and subscriptions see by now; all of them unless `lateIndex` says otherwise. */
  shown(stream?: string): readonly LoggedEvent[];
  /** From now on what is appended is shown so many milliseconds later. */
  lateIndex(milliseconds: number): void;
  /** Resolves when the position is shown; null: it is. */
  whenShown(position: number): Promise<void> | null;
  /** One stream's events in order; an absent stream has none. */
  stream(name: string): readonly LoggedEvent[];
  /** All or none; journalled before it returns. The same ids at the same place again are answered as they were the first time. */
  append(stream: string, expected: Expected, events: readonly ProposedEvent[]): LogAnswer;
  /** Appends one JSON event to any stream, as the server itself or a stranger would. */
  emit(stream: string, type: string, data: object): LoggedEvent;
  /** Called when an append is shown; the answer ends that. */
  onAppend(listener: () => void): () => void;
  /** Closes the journal, if there is one. */
  close(): void;
}

export interface StandInLogOptions {
  /** A file that keeps every append, read again at the next opening; absent = memory only. */
  readonly journal?: string;
  /** Milliseconds since 1970. */
  readonly now?: () => number;
}

const none: readonly LoggedEvent[] = [];
const firstPosition = 1447;
/** What a record takes in the log besides its content. */
const recordOverhead = 97;

/** Opens a log. A new one begins with the system events that a new server has written before anyone connects. */
export const standInLog = ({ journal: path, now = Date.now }: StandInLogOptions = {}): StandInLog => {
  const events: LoggedEvent[] = [];
  const streams = new Map<string, LoggedEvent[]>();
  const byId = new Map<string, LoggedEvent>();
  const listeners = new Set<() => void>();
  const waiting = new Set<{ readonly position: number; readonly resolve: () => void }>();
  let nextPosition = firstPosition;
  /** Milliseconds between an append and its being shown, and positions of the last event that is shown and of the last one. */
  let lag = 0;
  let shownTo = 0;
  let writtenTo = 0;

  const show = (position: number): void => {
    shownTo = Math.max(shownTo, position);
    for (const waiter of waiting) {
      if (waiter.position > shownTo) continue;
      waiting.delete(waiter);
      waiter.resolve();
    }
    for (const listener of listeners) listener();
  };
  const shownOf = (all: readonly LoggedEvent[]): readonly LoggedEvent[] =>
    shownTo === writtenTo ? all : all.filter(({ position }) => position <= shownTo);

  const write = ({ stream, created, events: proposed }: JournalledAppend): void => {
    let own = streams.get(stream);
    if (own === undefined) {
      own = [];
      streams.set(stream, own);
    }
    for (const event of proposed) {
      const logged: LoggedEvent = { ...event, stream, revision: own.length, position: nextPosition, created };
      writtenTo = nextPosition;
      nextPosition +=
        recordOverhead +
        Buffer.byteLength(stream) +
        Buffer.byteLength(event.type) +
        event.data.length +
        event.metadata.length;
      own.push(logged);
      events.push(logged);
      byId.set(event.id, logged);
    }
  };

  const journal = path === undefined ? null : openJournal(path);
  for (const appended of journal?.kept ?? []) write(appended);
  show(writtenTo);

  /** The last event of an earlier append of the same ids, `wrong` when they are known elsewhere, null when they are new. */
  const repeated = (
    stream: string,
    expected: Expected,
    proposed: readonly ProposedEvent[],
  ): LoggedEvent | 'wrong' | null => {
    const own = streams.get(stream) ?? none;
    if (expected === 'any' || expected === 'stream_exists') {
      const known = proposed.map(({ id }) => byId.get(id)).filter((event) => event?.stream === stream);
      if (byId.get(proposed[0]?.id ?? '')?.stream !== stream) return null;
      return known.length === proposed.length ? (known.at(-1) ?? null) : 'wrong';
    }
    const first = expected === 'no_stream' ? 0 : expected + 1;
    if (first > own.length) return 'wrong';
    if (first === own.length) return null;
    const same = proposed.every(({ id }, index) => own[first + index]?.id === id);
    return same ? (own[first + proposed.length - 1] ?? null) : 'wrong';
  };

  const append = (stream: string, expected: Expected, proposed: readonly ProposedEvent[]): LogAnswer => {
    const current = (streams.get(stream)?.length ?? 0) - 1;
    if (expected === 'stream_exists' && current < 0) return { kind: 'wrong_revision', current };
    if (proposed.length === 0) {
      const matches = typeof expected !== 'number' || expected === current;
      const absent = expected !== 'no_stream' || current < 0;
      return matches && absent
        ? { kind: 'appended', revision: current, position: null }
        : { kind: 'wrong_revision', current };
    }
    const before = repeated(stream, expected, proposed);
    if (before === 'wrong') return { kind: 'wrong_revision', current };
    if (before !== null) {
      if (before.position > shownTo) return { kind: 'dropped' };
      return { kind: 'appended', revision: before.revision, position: before.position };
    }
    const appended = { stream, created: now(), events: proposed };
    journal?.keep(appended);
    write(appended);
    const last = events.at(-1);
    const position = writtenTo;
    if (lag > 0) setTimeout(() => show(position), lag);
    else show(position);
    return { kind: 'appended', revision: last?.revision ?? -1, position: last?.position ?? null };
  };

  const emit = (stream: string, type: string, data: object): LoggedEvent => {
    const bytes = Buffer.from(JSON.stringify(data));
    const event = { id: randomUUID(), type, contentType: 'application/json', data: bytes, metadata: new Uint8Array() };
    append(stream, 'any', [event]);
    return events.at(-1) as LoggedEvent;
  };

  if (events.length === 0) {
    emit('$users', '$User', { name: 'admin' });
    emit('$$$stats-127.0.0.1:2113', '$metadata', { $maxAge: 86_400 });
    emit('$stats-127.0.0.1:2113', '$statsCollected', { 'proc-startTime': new Date(now()).toISOString() });
  }

  return {
    events,
    shown: (name) => shownOf(name === undefined ? events : (streams.get(name) ?? none)),
    lateIndex: (milliseconds) => {
      lag = milliseconds;
      if (lag === 0) show(writtenTo);
    },
    whenShown: (position) =>
      position <= shownTo ? null : new Promise((resolve) => waiting.add({ position, resolve: () => resolve() })),
    stream: (name) => streams.get(name) ?? none,
    append,
    emit,
    onAppend: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => journal?.close(),
  };
};
