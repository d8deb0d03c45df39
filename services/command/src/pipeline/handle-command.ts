import { yieldToEventLoop } from '@zakup/async/event-loop';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { Problem } from '@zakup/contracts/problems';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import { messages } from '@zakup/domain/messages';
import type { AppendedEvent, AppendOptions, EventMetadata, StreamWrite } from '@zakup/event-store/event-store';
import { createYielder } from '@zakup/async/yielder';
import { type DecisionSession, decisionSession } from './decision-session.ts';
import type { CommandLog } from './hidden-codes.ts';
import { streamOf } from './ids.ts';
import type { PartialWrites } from './partial-command.ts';
import type { SessionCommand } from './session-state.ts';
import { absent, foldStream, type Loaded, type StreamCache } from './stream-cache.ts';

/** Who commands what, and how it will be known again. */
export interface CommandEnvelope {
  readonly licenceId: string;
  readonly actorId: string;
  /** Of a key that acts. */
  readonly keyName?: string | undefined;
  /** UUID; unique per actor. */
  readonly commandId: string;
  /** Which part of the command, where it is written part by part: each is known again by itself. */
  readonly part?: string;
  /** Asked only for a command that is appended, or was before. */
  readonly requestHash: () => string;
  readonly source: EventMetadata['source'];
  /** UTC instant, ISO 8601. */
  readonly at: string;
}

/** The entity a command answers with. */
export interface Target<State, Event extends DomainEvent> {
  readonly entity: Entity<State, Event>;
  readonly id: string;
}

/** Decides by loading and emitting on the session; a problem refuses, null accepts what was emitted (also nothing). */
export type Decide = (session: DecisionSession) => Promise<Problem | null>;

export type Handled<State> =
  | {
      readonly kind: 'done';
      /** The target as of the command's last event on it (its present state when nothing was appended); without state when there is none. */
      readonly target: Loaded<State>;
      /** Position of the command's last event; when nothing was appended of the target's last event, without a target the log's head. */
      readonly position: number;
      /** The command's events, in log order. */
      readonly events: readonly AppendedEvent[];
      /** What happened to the log: appended now, by an earlier send of the same command, or nothing. */
      readonly appended: 'now' | 'before' | 'nothing';
    }
  | { readonly kind: 'refused'; readonly problem: Problem };

export interface CommandHandlerDeps {
  readonly eventStore: CommandLog;
  readonly cache: StreamCache;
  /** Takes back by commands of its own, carried out with the same `deps`. */
  readonly partialWrites: (deps: CommandHandlerDeps, envelope: CommandEnvelope) => PartialWrites;
  /** Called once per append, with the milliseconds from call to durable. */
  readonly onAppend?: (milliseconds: number) => void;
}

/** So that nobody who has the log guesses a short body from it. */
const keyedHash = ({ codes }: CommandLog, requestHash: string): string =>
  requestHash === '' ? '' : codes.hash(requestHash);

/** Few enough to be folded within a moment. */
const rememberedAtOnce = 100;

/** More lost races than this in a row mean that the store is too busy to answer. */
const maxAttempts = 50;

/** A command on its way into the log. */
interface Handling<State, Event extends DomainEvent> {
  readonly deps: CommandHandlerDeps;
  readonly envelope: CommandEnvelope;
  readonly command: SessionCommand;
  readonly aim: Aim<State, Event> | null;
  readonly partial: PartialWrites;
}

/**
 * Handles one command: decides on remembered state, appends with every loaded revision as a precondition, and looks again, freshly,
 * only when that did not end in an append. A command that was appended before is answered from its own events, for ever. What a store
 * that is not atomic across streams kept of an attempt that lost a race stands, and only the rest is written; what is not wanted any more
 * is taken back before anything else is decided or answered. Another send of the same command may append while this one decides: what
 * was decided holds only if none had, as it may rest on the command's own events.
 */
export const handleCommand = async <State, Event extends DomainEvent>(
  deps: CommandHandlerDeps,
  envelope: CommandEnvelope,
  target: Target<State, Event> | null,
  decide: Decide,
): Promise<Handled<State>> => {
  const handling: Handling<State, Event> = {
    deps,
    envelope,
    command: commandOf(deps, envelope),
    aim:
      target === null
        ? null
        : { entity: target.entity, stream: streamOf(target.entity.category, envelope.licenceId, target.id) },
    partial: deps.partialWrites(deps, envelope),
  };
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const handled = await attemptOnce(handling, decide, attempt > 0);
    if (handled !== null) return handled;
  }
  const known = await answerKnown(handling);
  if (known !== null) return known;
  await handling.partial.find();
  await handling.partial.takeBack();
  return { kind: 'refused', problem: { code: 'UNAVAILABLE', message: messages.tooBusy, retryAfterSeconds: 1 } };
};

const commandOf = ({ eventStore }: CommandHandlerDeps, envelope: CommandEnvelope): SessionCommand => {
  const { licenceId, actorId, keyName, commandId, part, source, at } = envelope;
  let requestHash: string | undefined;
  return {
    licenceId,
    commandKey: commandKeyOf(actorId, commandId, part),
    metadata: {
      licenceId,
      actorId,
      ...(keyName !== undefined && { keyName }),
      source,
      commandId,
      ...(part !== undefined && { part }),
      get requestHash() {
        return (requestHash ??= keyedHash(eventStore, envelope.requestHash()));
      },
      at,
    },
  };
};

/** `null`: it is to be decided anew, on what then stands. */
const attemptOnce = async <State, Event extends DomainEvent>(
  handling: Handling<State, Event>,
  decide: Decide,
  fresh: boolean,
): Promise<Handled<State> | null> => {
  const { deps, command, partial } = handling;
  const known = fresh ? await answerKnown(handling) : null;
  if (known !== null) return known;
  const { alreadyWritten, planToken } = fresh ? await partial.find() : partial.unknown;
  const { session, prepare } = decisionSession(deps.cache, command, fresh, alreadyWritten);
  const problem = await decide(session);
  if (problem !== null) return fresh ? refused(handling, problem) : null;
  const { writes, unchanged, diverged } = await prepare();
  if (diverged) {
    await partial.takeBack();
    return null;
  }
  const [first, ...rest] = writes;
  if (first === undefined) return fresh ? doneWithNothing(handling) : null;
  const options = { unchanged, commandKey: command.commandKey, ...(planToken !== undefined && { planToken }) };
  return append(handling, [first, ...rest], options);
};

const refused = async <State, Event extends DomainEvent>(
  handling: Handling<State, Event>,
  problem: Problem,
): Promise<Handled<State> | null> => {
  const known = await answerKnown(handling);
  if (known !== null) return known;
  return (await handling.partial.takeBack()) ? { kind: 'refused', problem } : null;
};

const doneWithNothing = async <State, Event extends DomainEvent>(
  handling: Handling<State, Event>,
): Promise<Handled<State> | null> => {
  const { deps, aim, partial } = handling;
  const known = await answerKnown(handling);
  if (known !== null) return known;
  if (!(await partial.isUnchanged())) return null;
  const current = aim === null ? absent : await deps.cache.load(aim.entity, aim.stream, true);
  const position = aim === null ? await deps.eventStore.head() : current.position;
  return { kind: 'done', target: current, position, events: [], appended: 'nothing' };
};

const append = async <State, Event extends DomainEvent>(
  { deps, aim }: Handling<State, Event>,
  writes: readonly [StreamWrite, ...StreamWrite[]],
  options: AppendOptions,
): Promise<Handled<State> | null> => {
  const { eventStore, cache, onAppend } = deps;
  const large = writes.length > rememberedAtOnce;
  if (large) await yieldToEventLoop();
  const began = performance.now();
  const result = await eventStore.append(writes, options);
  if (result.kind !== 'appended') {
    if (result.kind === 'wrong_revision' || result.kind === 'changed') cache.endsAt(result.stream, result.actual);
    return null;
  }
  onAppend?.(performance.now() - began);
  if (large) await yieldToEventLoop();
  await rememberAll(cache, result.events);
  if (large) await yieldToEventLoop();
  return {
    kind: 'done',
    target: aim === null ? absent : await asOf(deps, aim, result.events),
    position: result.position,
    events: result.events,
    appended: 'now',
  };
};

/** Stream by stream: whoever reads in between sees an older state, which costs them no more than a second attempt. */
const rememberAll = async (cache: StreamCache, events: readonly AppendedEvent[]): Promise<void> => {
  const yieldIfDue = createYielder();
  for (let from = 0; from < events.length; from += rememberedAtOnce) {
    cache.remember(events.slice(from, from + rememberedAtOnce));
    await yieldIfDue();
  }
};

interface Aim<State, Event extends DomainEvent> {
  readonly entity: Entity<State, Event>;
  readonly stream: string;
}

/** The target at its last event among `events`, even when others have appended since. */
const asOf = async <State, Event extends DomainEvent>(
  { eventStore, cache }: CommandHandlerDeps,
  { entity, stream }: Aim<State, Event>,
  events: readonly AppendedEvent[],
): Promise<Loaded<State>> => {
  const revision = events.findLast((event) => event.stream === stream)?.revision;
  const remembered = await cache.load(entity, stream, false);
  if (revision === undefined || remembered.revision === revision) return remembered;
  return foldStream(entity, await eventStore.read(stream, { to: revision }));
};

const answerKnown = async <State, Event extends DomainEvent>({
  deps: { eventStore },
  envelope: { requestHash },
  command: { commandKey },
  aim,
}: Handling<State, Event>): Promise<Handled<State> | null> => {
  const events = await eventStore.readCommand(commandKey);
  const last = events.at(-1);
  if (last === undefined) return null;
  const given = requestHash();
  // Without the key in logs of before codes were hidden.
  if (![keyedHash(eventStore, given), given].includes(last.metadata.requestHash))
    return { kind: 'refused', problem: { code: 'PAYLOAD_MISMATCH', message: messages.payloadMismatch } };
  const { position } = last;
  if (aim === null) return { kind: 'done', target: absent, position, events, appended: 'before' };
  const revision = events.findLast((event) => event.stream === aim.stream)?.revision;
  const read = await eventStore.read(aim.stream, revision === undefined ? {} : { to: revision });
  return { kind: 'done', target: foldStream(aim.entity, read), position, events, appended: 'before' };
};
