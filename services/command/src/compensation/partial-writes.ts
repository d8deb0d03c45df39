import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import { categoryOf, isCategory } from '@zakup/domain/entities';
import { ownerPermissions } from '@zakup/domain/permissions';
import { EventStoreUnavailable, type RecordedEvent } from '@zakup/event-store/event-store';
import { decisionSession } from '../pipeline/decision-session.ts';
import { type CommandEnvelope, type CommandHandlerDeps, handleCommand } from '../pipeline/handle-command.ts';
import { derivedEventId, requestHashOf } from '../pipeline/ids.ts';
import type { PartialState } from '../pipeline/partial-command.ts';
import type { AlreadyWritten } from '../pipeline/session-state.ts';
import { streamsBefore } from '../pipeline/stream-cache.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { undoRules } from './undo-rules.ts';

const unknown: PartialState = { alreadyWritten: new Map() };
const reservations = new Set(['nick', 'email', 'authcode', 'chosencode', 'licencekey']);

/** A claim is decided on as it stands: it may be another's by now, and claiming one's own again changes nothing. */
const isReservation = (stream: string): boolean => reservations.has(categoryOf(stream));

/** What one attempt wrote to one stream: events behind each other. */
const pieces = (events: readonly RecordedEvent[]): readonly (readonly [RecordedEvent, ...RecordedEvent[]])[] => {
  const open = new Map<string, [RecordedEvent, ...RecordedEvent[]]>();
  const all: [RecordedEvent, ...RecordedEvent[]][] = [];
  for (const event of events) {
    const piece = open.get(event.stream);
    if (piece?.at(-1)?.revision === event.revision - 1) piece.push(event);
    else {
      const begun: [RecordedEvent, ...RecordedEvent[]] = [event];
      open.set(event.stream, begun);
      all.push(begun);
    }
  }
  return all;
};

/** Takes back by the rules of undo. */
export const partialWrites: CommandHandlerDeps['partialWrites'] = (deps, envelope) => {
  const { eventStore } = deps;
  const { unfinished } = eventStore;
  if (unfinished === undefined)
    return { unknown, find: async () => unknown, isUnchanged: async () => true, takeBack: async () => true };
  const commandKey = commandKeyOf(envelope.actorId, envelope.commandId, envelope.part);
  const takenBack = new Set<string>();
  let seen: { readonly events: readonly RecordedEvent[]; readonly planToken: number } | null = null;

  const takeBackAll = async (events: readonly RecordedEvent[]): Promise<void> => {
    for (const piece of pieces(events).toReversed()) {
      const [{ id }] = piece;
      if (takenBack.has(id)) continue;
      await takePieceBack(deps, envelope, piece);
      takenBack.add(id);
    }
  };

  const isUnchanged = async (): Promise<boolean> =>
    (await unfinished.findPartial(commandKey))?.planToken === seen?.planToken;

  return {
    unknown,
    isUnchanged,

    async find() {
      const found = await unfinished.findPartial(commandKey);
      seen = found;
      if (found === null) return unknown;
      await takeBackAll(found.abandoned);
      const alreadyWritten = new Map<string, AlreadyWritten>();
      await Promise.all(
        pieces(found.events.filter(({ stream }) => !isReservation(stream))).map(async (events) => {
          const [{ stream, revision }] = events;
          const all = await eventStore.read(stream);
          const last = all.at(-1)?.revision === events.at(-1)?.revision;
          alreadyWritten.set(stream, { before: all.filter((event) => event.revision < revision), events, last });
        }),
      );
      return { alreadyWritten, planToken: found.planToken };
    },

    async takeBack() {
      if (seen === null || seen.events.length === 0) return isUnchanged();
      if (!(await unfinished.abandon(commandKey, seen.planToken))) return false;
      await takeBackAll(seen.events);
      seen = null;
      return true;
    },
  };
};

/** As a command of its own, whose id comes of the first event: whoever does it, it is done once. */
const takePieceBack = async (
  deps: CommandHandlerDeps,
  envelope: CommandEnvelope,
  piece: readonly [RecordedEvent, ...RecordedEvent[]],
): Promise<void> => {
  const { eventStore } = deps;
  const [{ id: firstId, stream, position }] = piece;
  const category = categoryOf(stream);
  const rule = isCategory(category) ? undoRules[category] : 'follows';
  if (rule === 'follows' || rule.kind === 'refused') return;
  const { licenceId, actorId, source: _, part: __, ...rest } = envelope;
  const commandId = derivedEventId(`${firstId} taken back`, 0);
  const commandKey = commandKeyOf(actorId, commandId);
  const back: CommandEnvelope = {
    ...rest,
    licenceId,
    actorId,
    commandId,
    source: 'undo',
    requestHash: () => requestHashOf('UNDO', firstId, null),
  };
  const handled = await handleCommand(deps, back, null, (session) => {
    const context: TenantContext = {
      session,
      person: {
        userId: actorId,
        name: '',
        role: 'CEO',
        permissions: ownerPermissions,
        isActive: true,
        isOwner: true,
        licence: {
          id: licenceId,
          status: 'active',
          features: [],
          settings: { buyersEditAll: true, earningsVisible: true },
        },
      },
      params: {},
      body: null,
      query: {},
      now: Date.parse(envelope.at),
      newId: (purpose) => derivedId(commandKey, purpose),
    };
    const metadata = { licenceId, actorId, commandId, source: 'undo', requestHash: '', at: envelope.at } as const;
    const about = { licenceId, commandKey, metadata };
    const once = decisionSession(streamsBefore(eventStore, position), about, false).session;
    const id = stream.slice(stream.indexOf('~') + 1);
    return rule.takeBack(eventStore, context, once, { name: stream, id, events: piece });
  });
  // Whatever else refuses it, such as a nick that somebody took since, leaves things as they are.
  if (handled.kind === 'refused' && handled.problem.code === 'UNAVAILABLE')
    throw new EventStoreUnavailable(`${stream} is too busy to take back what a command has left there`);
};
