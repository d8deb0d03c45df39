import { yieldToEventLoop } from '@zakup/async/event-loop';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import type { Problem } from '@zakup/contracts/problems';
import type { DomainEvent, Entity } from '@zakup/domain/decider';
import { messages } from '@zakup/domain/messages';
import type { AppendedEvent, EventMetadata } from '@zakup/event-store/event-store';
import { createYielder } from '@zakup/async/yielder';
import { type DecisionSession, decisionSession } from './decision-session.ts';
import type { CommandLog } from './hidden-codes.ts';
import { streamOf } from './ids.ts';
import type { PartialWrites } from './partial-command.ts';
import { absent, foldStream, type Loaded, type StreamCache } from './stream-cache.ts';

/** Who commands what, and how it will be known again. */
export interface CommandEnvelope {
  readonly licenceId: string;
  readonly actorId: string;
  /** UUID; unique per actor. */
  readonly commandId: string;
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
  const { eventStore, cache, onAppend } = deps;
  const commandKey = commandKeyOf(envelope.actorId, envelope.commandId);
  const aim =
    target === null
      ? null
      : { entity: target.entity, stream: streamOf(target.entity.category, envelope.licenceId, target.id) };
  let requestHash: string | undefined;
  const metadata = {
    licenceId: envelope.licenceId,
    actorId: envelope.actorId,
    source: envelope.source,
    commandId: envelope.commandId,
    get requestHash() {
      return (requestHash ??= keyedHash(eventStore, envelope.requestHash()));
    },
    at: envelope.at,
  };

  const partial = deps.partialWrites(deps, envelope);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const fresh = attempt > 0;
    if (fresh) {
      const known = await answerKnown(eventStore, commandKey, envelope, aim);
      if (known !== null) return known;
    }
    const { alreadyWritten, planToken } = fresh ? await partial.find() : partial.unknown;
    const about = { licenceId: envelope.licenceId, commandKey, metadata };
    const { session, prepare } = decisionSession(cache, about, fresh, alreadyWritten);
    const problem = await decide(session);
    if (problem !== null) {
      if (!fresh) continue;
      const known = await answerKnown(eventStore, commandKey, envelope, aim);
      if (known !== null) return known;
      if (await partial.takeBack()) return { kind: 'refused', problem };
      continue;
    }
    const { writes, unchanged, diverged } = await prepare();
    if (diverged) {
      await partial.takeBack();
      continue;
    }
    const [first, ...rest] = writes;
    if (first === undefined) {
      if (!fresh) continue;
      const known = await answerKnown(eventStore, commandKey, envelope, aim);
      if (known !== null) return known;
      if (!(await partial.isUnchanged())) continue;
      const current = aim === null ? absent : await cache.load(aim.entity, aim.stream, true);
      const position = aim === null ? await eventStore.head() : current.position;
      return { kind: 'done', target: current, position, events: [], appended: 'nothing' };
    }
    const large = writes.length > rememberedAtOnce;
    if (large) await yieldToEventLoop();
    const began = performance.now();
    const result = await eventStore.append([first, ...rest], {
      unchanged,
      commandKey,
      ...(planToken !== undefined && { planToken }),
    });
    if (result.kind !== 'appended') {
      if (result.kind === 'wrong_revision' || result.kind === 'changed') cache.endsAt(result.stream, result.actual);
      continue;
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
  }
  const known = await answerKnown(eventStore, commandKey, envelope, aim);
  if (known !== null) return known;
  await partial.find();
  await partial.takeBack();
  return { kind: 'refused', problem: { code: 'UNAVAILABLE', message: messages.tooBusy, retryAfterSeconds: 1 } };
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

const answerKnown = async <State, Event extends DomainEvent>(
  eventStore: CommandLog,
  commandKey: string,
  { requestHash }: CommandEnvelope,
  aim: Aim<State, Event> | null,
): Promise<Handled<State> | null> => {
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
