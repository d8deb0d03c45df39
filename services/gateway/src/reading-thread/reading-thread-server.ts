import type { MomentAsked, Past } from '@zakup/projections/past/licence-fold';
import { reportingDamage } from '@zakup/service-kit/stores/damage-reports';
import { isUnavailable } from '@zakup/service-kit/problem-middleware';
import { createYielder } from '@zakup/async/yielder';
import { gatewayApp } from '../app.ts';
import type { GatewayDeps } from '../deps.ts';
import type { FileAnswer } from '../exports/send-file.ts';
import { isShort, streamJson } from '../http/stream-json.ts';
import { type LineColumns, readLines } from '../live/campaign-lines.ts';
import { writeLoad } from '../live/whole-load.ts';
import { contextAt } from '../http/context-at.ts';
import type { Answer } from '../http/answer.ts';
import type { ReadContext } from '../http/read-context.ts';
import { Refused } from '../http/refused.ts';
import { readWhile } from '../http/while-waited.ts';
import type { Failure, FromThread, Result, ToThread, Wanted } from './messages.ts';
import { type RegisteredRoute, type Question, ReadingThreadUnavailable } from './reading-thread.ts';

/** Bytes, or characters, of one part. */
const partLength = 65_536;
/** Moments that were folded for questions which are about to come. */
const mostMoments = 32;

export type Tell = (message: FromThread, transfer: readonly ArrayBuffer[]) => void;

/** The bytes in a buffer of their own, which can be handed over. */
const owned = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes);

const writtenParts = async (data: unknown): Promise<readonly Uint8Array<ArrayBuffer>[]> => {
  const yieldIfDue = createYielder({ long: true });
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let text = '';
  for (const more of streamJson(data)) {
    text += more;
    if (text.length < partLength) continue;
    parts.push(owned(Buffer.from(text)));
    text = '';
    await yieldIfDue();
  }
  parts.push(owned(Buffer.from(text)));
  return parts;
};

const failureOf = (error: unknown): Failure => {
  if (error instanceof Refused) return { kind: 'refused', problem: error.problem };
  const { name, message, stack } = error instanceof Error ? error : new Error(String(error));
  // Errors lose their class and cause on the way, and a store that is away is told by its name.
  const told = isUnavailable(error) && !name.endsWith('Unavailable') ? ReadingThreadUnavailable.name : name;
  return { kind: 'error', name: told, message, stack };
};

/** How many parts of a file are asked for. */
const partsAsked = () => {
  let room = 0;
  let goOn: (() => void) | null = null;
  return {
    more(): void {
      room += 1;
      goOn?.();
    },
    /** Resolves when one may be sent, or nobody waits any more. */
    async one(signal: AbortSignal): Promise<void> {
      room -= 1;
      if (room >= 0 || signal.aborted) return;
      let stop = (): void => undefined;
      await new Promise<void>((resolve) => {
        goOn = resolve;
        stop = resolve;
        signal.addEventListener('abort', stop, { once: true });
      });
      signal.removeEventListener('abort', stop);
      goOn = null;
    },
  };
};

interface Going {
  readonly stop: AbortController;
  readonly parts: ReturnType<typeof partsAsked>;
}

/** What the thread answers from, and what it is busy with. */
interface ServerState {
  readonly deps: GatewayDeps;
  /** By the number that both threads name them with. */
  readonly routes: readonly RegisteredRoute<ReadContext>[];
  readonly tell: Tell;
  readonly going: Map<number, Going>;
  /** Folded moments, the one asked for last at the end. */
  readonly moments: Map<string, Past>;
}

const folded = async (
  { deps, moments }: ServerState,
  licenceId: string,
  asked: MomentAsked,
  signal: AbortSignal,
): Promise<Past> => {
  const key = JSON.stringify([licenceId, asked]);
  const past = moments.get(key) ?? (await deps.past.at(licenceId, asked, signal));
  moments.delete(key);
  moments.set(key, past);
  for (const oldest of moments.keys()) {
    if (moments.size <= mostMoments) break;
    moments.delete(oldest);
  }
  return past;
};

const routeOf = ({ routes }: ServerState, { route }: Question): RegisteredRoute<ReadContext> => {
  const held = routes[route];
  if (held === undefined) throw new Error(`There is no route ${route}`);
  return held;
};

/** Null: the licence was not there yet. */
const contextOf = async (state: ServerState, question: Question, waiting: AbortSignal): Promise<ReadContext | null> => {
  const { deps } = state;
  const { viewer, session, params, position, at } = question;
  const documents = readWhile(waiting, deps.readStore);
  const now: ReadContext = { ...viewer, deps, session, params, position, readStore: documents, at: null, waiting };
  if (at === null) return now;
  const past = await folded(state, viewer.licence.id, at, waiting);
  return past.kind === 'found' ? contextAt(now, past) : null;
};

const told = async (answer: Answer): Promise<readonly [Result, readonly ArrayBuffer[]]> => {
  const { data, top, position, taken } = answer;
  if (isShort(data)) return [{ of: 'answer', told: { kind: 'short', data, top }, position, taken }, []];
  const whole = await writtenParts(data);
  const members: (readonly [string, readonly Uint8Array<ArrayBuffer>[]])[] = [];
  for (const [name, value] of Object.entries(top ?? {})) members.push([name, await writtenParts(value)]);
  const result: Result = { of: 'answer', told: { kind: 'written', data: whole, top: members }, position, taken };
  return [result, [...whole, ...members.flatMap(([, parts]) => parts)].map(({ buffer }) => buffer)];
};

const sendFile = async (
  { tell }: ServerState,
  number: number,
  { content, ...file }: FileAnswer,
  { stop, parts }: Going,
): Promise<void> => {
  const { signal } = stop;
  const cut = (): void => void content.destroy();
  signal.addEventListener('abort', cut, { once: true });
  tell({ kind: 'done', number, result: { of: 'file', file } }, []);
  let gathered: Buffer[] = [];
  let length = 0;
  const send = async (): Promise<void> => {
    if (length === 0) return;
    const part = owned(Buffer.concat(gathered));
    [gathered, length] = [[], 0];
    await parts.one(signal);
    if (!signal.aborted) tell({ kind: 'part', number, part }, [part.buffer]);
  };
  for await (const chunk of content as AsyncIterable<string | Buffer>) {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk;
    gathered.push(bytes);
    length += bytes.length;
    if (length >= partLength) await send();
  }
  await send();
  if (!signal.aborted) tell({ kind: 'end', number }, []);
};

const answer = async (
  state: ServerState,
  number: number,
  { question, query }: Extract<Wanted, { of: 'answer' }>,
  one: Going,
): Promise<void> => {
  const route = routeOf(state, question);
  const context = await contextOf(state, question, one.stop.signal);
  const found = context === null ? null : await route.find(context);
  if (context === null || found === null) throw new Refused({ code: 'NOT_FOUND', message: route.missing });
  const made = await route.answer(context, found, query);
  if ('content' in made) return sendFile(state, number, made, one);
  const [result, transfer] = await told(made);
  state.tell({ kind: 'done', number, result }, transfer);
};

const scope = async (
  { deps, tell }: ServerState,
  number: number,
  { licenceId, scope: of, view, withLines }: Extract<Wanted, { of: 'scope' }>,
  { signal }: AbortController,
): Promise<void> => {
  const shown = { ...view, showsCode: () => false, codes: deps.codes };
  const end = await writeLoad(deps, licenceId, of, shown, {
    begun: (position) => tell({ kind: 'begun', number, position }, []),
    part({ progress, message }) {
      signal.throwIfAborted();
      const frame = message === null ? null : owned(message.frame);
      tell({ kind: 'load_part', number, progress, frame }, frame === null ? [] : [frame.buffer]);
    },
    ...(withLines && { lines: (lines) => tell({ kind: 'lines', number, lines }, []) }),
  });
  tell({ kind: 'done', number, result: { of: 'scope', end } }, []);
};

const carryOut = async (state: ServerState, number: number, wanted: Wanted, one: Going): Promise<void> => {
  const { signal } = one.stop;
  const done = (result: Result): void => state.tell({ kind: 'done', number, result }, []);
  switch (wanted.of) {
    case 'look': {
      const context = await contextOf(state, wanted.question, signal);
      if (context === null) return done({ of: 'look', looked: 'no_licence' });
      const found = await routeOf(state, wanted.question).find(context);
      return done({ of: 'look', looked: found === null ? 'missing' : 'found' });
    }
    case 'answer':
      return answer(state, number, wanted, one);
    case 'scope':
      return scope(state, number, wanted, one.stop);
    case 'lines': {
      const { licenceId, scope: of } = wanted;
      const take = (lines: LineColumns): void => state.tell({ kind: 'lines', number, lines }, []);
      return done({ of: 'lines', position: await readLines(state.deps, licenceId, of, take) });
    }
    case 'is_near':
      return done({ of: 'is_near', near: await state.deps.past.isNear(wanted.licenceId, wanted.asked) });
    case 'fold': {
      const past = await folded(state, wanted.licenceId, wanted.asked, signal);
      return done({ of: 'fold', past: past.kind === 'found' ? { kind: 'found', moment: past.moment } : past });
    }
  }
};

const ask = async (state: ServerState, number: number, wanted: Wanted): Promise<void> => {
  const one: Going = { stop: new AbortController(), parts: partsAsked() };
  state.going.set(number, one);
  try {
    await carryOut(state, number, wanted, one);
  } catch (error) {
    state.tell({ kind: 'failed', number, failure: failureOf(error) }, []);
  } finally {
    state.going.delete(number);
  }
};

/** The thread's side: makes the answers that it is asked for. `deps`: stores that this thread opened. */
export const readingThreadServer = (given: Omit<GatewayDeps, 'routes' | 'thread'>, tell: Tell) => {
  const routes: RegisteredRoute<ReadContext>[] = [];
  const readStore = reportingDamage({
    ...given,
    readStore: { ...given.readStore, note: async (name, data) => tell({ kind: 'note', name, data }, []) },
  });
  const deps: GatewayDeps = { ...given, readStore, routes };
  gatewayApp(deps);
  const state: ServerState = { deps, routes, tell, going: new Map(), moments: new Map() };
  const { going } = state;

  return {
    /** Answers by telling. */
    take(message: Exclude<ToThread, { kind: 'close' }>): void {
      const { number } = message;
      if (message.kind === 'ask') void ask(state, number, message.wanted);
      else if (message.kind === 'stop') going.get(number)?.stop.abort();
      else going.get(number)?.parts.more();
    },
    /** Gives up whatever goes on. */
    stop(): void {
      for (const { stop } of going.values()) stop.abort();
    },
  };
};
