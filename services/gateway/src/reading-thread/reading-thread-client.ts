import { Readable } from 'node:stream';
import { type BackOff, backOff } from '@zakup/async/back-off';
import { growingList } from '@zakup/async/growing-list';
import type { DocumentReader, JsonObject } from '@zakup/read-store/read-store';
import type { Log } from '@zakup/service-kit/log';
import type { FileAnswer } from '../exports/send-file.ts';
import type { LineColumns } from '../live/campaign-lines.ts';
import { encodedBefore } from '../live/outgoing.ts';
import type { ArrivingLoad, LoadTaker, WrittenPart } from '../live/whole-load.ts';
import type { Answer } from '../http/answer.ts';
import { Refused } from '../http/refused.ts';
import { WrittenJson } from '../http/written-json.ts';
import type { Failure, FromThread, Result, ToldAnswer, ToldPast, ToThread, Wanted } from './messages.ts';
import { type ReadingThread, ReadingThreadUnavailable } from './reading-thread.ts';

/** A thread that was started: what it is told, and what is told when it says something or has ended. */
export interface ThreadLine {
  post(message: ToThread): void;
  /** Resolves when the thread has ended; ends it when it does not by itself. */
  close(): Promise<void>;
}

export interface ReadingThreadClientOptions {
  /** Starts the thread; `over` is called once when it has ended, with the reason where there is one. */
  readonly start: (heard: (message: FromThread) => void, over: (reason: unknown) => void) => ThreadLine;
  /** Keeps a note that only who writes the read store can. */
  readonly note: (name: string, data: JsonObject) => Promise<void>;
  readonly log: Pick<Log, 'error' | 'warn'>;
  /** Told each time that the thread ended without being closed. */
  readonly onEnded: () => void;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/** After a thread that ended the next question starts another; of those that end again within `calm` each is waited for longer. */
const restarts: BackOff = { first: 200, longest: 30_000 };
/** Milliseconds after which a thread that goes on is well. */
const calm = 60_000;

interface Waiting {
  readonly done: (result: Result) => void;
  readonly failed: (error: unknown) => void;
  /** Of a file, once it has begun. */
  content: Readable | null;
  readonly takers: Takers;
}

/** Who takes what comes before an answer. */
interface Takers {
  /** Of a scope. */
  readonly load?: LoadTaker;
  readonly lines?: ((lines: LineColumns) => void) | undefined;
}

interface Going {
  readonly line: ThreadLine;
  readonly waiting: Map<number, Waiting>;
}

/** When another thread may be started. */
interface Restart {
  /** Threads that ended soon, one after the other. */
  readonly ends: number;
  readonly notBefore: number;
}
const atOnce: Restart = { ends: 0, notBefore: Number.NEGATIVE_INFINITY };

const restartAfter = ({ ends }: Restart, lived: number, now: number): Restart => {
  if (ends === 0 || lived >= calm) return { ends: 1, notBefore: now };
  return { ends: ends + 1, notBefore: now + backOff(restarts, ends - 1) };
};

const thrown = (failure: Failure): Error => {
  if (failure.kind === 'refused') return new Refused(failure.problem);
  const error = new Error(failure.message);
  error.name = failure.name;
  if (failure.stack !== undefined) error.stack = failure.stack;
  return error;
};

const shortOf = ({ data, top }: Extract<ToldAnswer, { kind: 'short' }>): Pick<Answer, 'data' | 'top'> => ({
  data,
  ...(top !== undefined && { top }),
});

const writtenOf = ({ data, top }: Extract<ToldAnswer, { kind: 'written' }>): Pick<Answer, 'data' | 'top'> => ({
  data: new WrittenJson(data),
  top: Object.fromEntries(top.map(([name, parts]) => [name, new WrittenJson(parts)])),
});

/** Of whoever waits until the end. */
const forever = (): AbortSignal => new AbortController().signal;

const bufferOf = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer =>
  Buffer.from(buffer, byteOffset, byteLength);

const unread = async (): Promise<never> => {
  throw new Error('The documents of a moment are read in the thread that folds it');
};
const elsewhere: DocumentReader = { get: unread, getMany: unread, query: unread, readEach: unread };

/** The thread that is there, and the questions it was asked. */
interface ClientState extends ReadingThreadClientOptions {
  /** Null: it has not begun, or has ended. */
  going: Going | null;
  /** How many were asked. */
  numbers: number;
  restart: Restart;
  closed: boolean;
}

const heard = ({ note, log }: ClientState, { waiting }: Going, message: FromThread): void => {
  if (message.kind === 'note') {
    note(message.name, message.data).catch((error: unknown) => log.warn({ err: error }, 'A note could not be kept'));
    return;
  }
  const one = waiting.get(message.number);
  if (one === undefined) return;
  if (message.kind === 'part') {
    one.content?.push(bufferOf(message.part));
    return;
  }
  const { load, lines } = one.takers;
  if (message.kind === 'begun') return load?.begun(message.position);
  if (message.kind === 'lines') return lines?.(message.lines);
  if (message.kind === 'load_part') {
    const { progress, frame } = message;
    return load?.part({ progress, message: frame === null ? null : encodedBefore(bufferOf(frame)) });
  }
  if (message.kind === 'done') one.done(message.result);
  if (message.kind === 'done' && message.result.of === 'file') return;
  waiting.delete(message.number);
  if (message.kind === 'end') one.content?.push(null);
  if (message.kind === 'failed') {
    const error = thrown(message.failure);
    one.failed(error);
    one.content?.destroy(error);
  }
};

const started = (state: ClientState): Going => {
  const { start, onEnded, log, now } = state;
  const began = now();
  const waiting = new Map<number, Waiting>();
  const over = (reason: unknown): void => {
    if (state.going === going) state.going = null;
    const ended = new ReadingThreadUnavailable('The thread that reads has ended', { cause: reason });
    if (!state.closed) {
      onEnded();
      state.restart = restartAfter(state.restart, now() - began, now());
      const milliseconds = Math.max(0, state.restart.notBefore - now());
      log.error({ err: ended, milliseconds }, 'The thread that makes costly answers has ended, and is started anew');
    }
    for (const one of waiting.values()) {
      one.failed(ended);
      one.content?.destroy(ended);
    }
    waiting.clear();
  };
  const line = start((message) => heard(state, going, message), over);
  const going: Going = { line, waiting };
  return going;
};

/** The thread that is there, or another one. */
const startedOnce = (state: ClientState): Going => {
  if (state.closed) throw new ReadingThreadUnavailable('The thread that reads is closed');
  if (state.going === null && state.restart.notBefore > state.now())
    throw new ReadingThreadUnavailable('The thread that reads ends again and again, and is not started yet');
  state.going ??= started(state);
  return state.going;
};

type Answered = Result & { readonly content?: Readable };

/** Of a file that the thread sends as it is read. */
const fileContent = ({ line, waiting }: Going, number: number): Readable => {
  const content = new Readable({
    read: () => line.post({ kind: 'more', number }),
    destroy(error, callback) {
      if (waiting.delete(number)) line.post({ kind: 'stop', number });
      callback(error);
    },
  });
  // It may fail before anybody takes it, who is told then.
  content.on('error', () => undefined);
  return content;
};

const answered = (going: Going, number: number, wanted: Wanted, takers: Takers): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const one: Waiting = {
      done(result) {
        if (result.of !== 'file') return resolve(result);
        one.content = fileContent(going, number);
        resolve({ ...result, content: one.content });
      },
      failed: reject,
      content: null,
      takers,
    };
    going.waiting.set(number, one);
    going.line.post({ kind: 'ask', number, wanted });
  });

const ask = async (state: ClientState, wanted: Wanted, signal: AbortSignal, takers: Takers = {}): Promise<Answered> => {
  signal.throwIfAborted();
  const going = startedOnce(state);
  state.numbers += 1;
  const number = state.numbers;
  const stop = (): void => {
    if (going.waiting.has(number)) going.line.post({ kind: 'stop', number });
  };
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await answered(going, number, wanted, takers);
  } catch (error) {
    going.waiting.delete(number);
    throw signal.aborted ? signal.reason : error;
  } finally {
    signal.removeEventListener('abort', stop);
  }
};

const wrong = (): never => {
  throw new Error('The thread that reads has answered something else');
};

/** A load as it comes. */
const loadOf = (begin: (load: LoadTaker) => Promise<Answered>): Promise<ArrivingLoad> =>
  new Promise((resolve, reject) => {
    const parts = growingList<WrittenPart>();
    const end = begin({
      begun: (position) => resolve({ position, parts, end }),
      part: parts.push,
    }).then((result) => (result.of === 'scope' ? result.end : wrong()));
    end.then(parts.end, (error: unknown) => {
      parts.fail(error);
      reject(error);
    });
  });

/** The serving thread's side. The thread starts with the first question at the latest, and anew with the next one after it has ended. */
export const readingThreadClient = (options: ReadingThreadClientOptions): ReadingThread => {
  const state: ClientState = { ...options, going: null, numbers: 0, restart: atOnce, closed: false };

  return {
    async look(question, signal) {
      const result = await ask(state, { of: 'look', question }, signal);
      return result.of === 'look' ? result.looked : wrong();
    },

    async answer(question, query, signal): Promise<Answer | FileAnswer> {
      const result = await ask(state, { of: 'answer', question, query }, signal);
      if (result.of === 'file' && result.content !== undefined) return { ...result.file, content: result.content };
      if (result.of !== 'answer') return wrong();
      const { told, position, taken } = result;
      return {
        ...(told.kind === 'short' ? shortOf(told) : writtenOf(told)),
        ...(position !== undefined && { position }),
        ...(taken !== undefined && { taken }),
      };
    },

    scope(licenceId, scope, { key, scope: kind, people, earnings, termsOf }, signal, lines) {
      const view = { key, scope: kind, people, earnings, termsOf };
      const wanted: Wanted = { of: 'scope', licenceId, scope, view, withLines: lines !== undefined };
      return loadOf((load) => ask(state, wanted, signal, { load, lines }));
    },

    async lines(licenceId, scope, lines) {
      const result = await ask(state, { of: 'lines', licenceId, scope }, forever(), { lines });
      return result.of === 'lines' ? result.position : wrong();
    },

    past: {
      async at(licenceId, asked, signal) {
        const result = await ask(state, { of: 'fold', licenceId, asked }, signal);
        const past: ToldPast = result.of === 'fold' ? result.past : wrong();
        return past.kind === 'found' ? { ...past, documents: elsewhere } : past;
      },
      async isNear(licenceId, asked) {
        const result = await ask(state, { of: 'is_near', licenceId, asked }, forever());
        return result.of === 'is_near' ? result.near : wrong();
      },
    },

    begin() {
      if (!state.closed) state.going ??= started(state);
    },

    async close() {
      state.closed = true;
      await state.going?.line.close();
    },
  };
};
