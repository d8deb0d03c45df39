import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import { categoryOf, isCategory } from '@zakup/domain/entities';
import { ownerPermissions } from '@zakup/domain/permissions';
import { EventStoreUnavailable, type RecordedEvent } from '@zakup/event-store/event-store';
import { decisionSession, type Standing } from '../pipeline/decision-session.ts';
import type { CommandEnvelope, CommandHandlerDeps, handleCommand } from '../pipeline/handle-command.ts';
import { derivedEventId, requestHashOf } from '../pipeline/ids.ts';
import { streamsBefore } from '../pipeline/stream-cache.ts';
import type { TenantContext } from '../pipeline/tenant-command.ts';
import { undoRules } from './undo-rules.ts';

/** What is known of the command's leavings, for its next decision. */
export interface Look {
  readonly standing: ReadonlyMap<string, Standing>;
  /** For the append. */
  readonly mark: { readonly left?: number };
}

/** What a command left in the log without having been fulfilled, on a store that is not atomic across streams. */
export interface Leftovers {
  /** Before anybody has looked. */
  readonly unknown: Look;
  /** Reads it; what somebody has given up is taken back first. */
  look(): Promise<Look>;
  /** Whether nobody has gone on with the command since it was last looked at. */
  isAsSeen(): Promise<boolean>;
  /**
   * Gives up what was last seen to stand and takes it back by compensating events. False when somebody has gone on with the command
   * since: it must be looked at again.
   */
  takeBack(): Promise<boolean>;
}

const unknown: Look = { standing: new Map(), mark: {} };
const reservations = new Set(['nick', 'email', 'authcode', 'chosencode', 'licencekey']);

/** A claim is decided on as it stands: it may be another's by now, and claiming one's own again changes nothing. */
const isReservation = (stream: string): boolean => reservations.has(categoryOf(stream));

/** What one attempt left in one stream: events behind each other. */
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

type Handle = typeof handleCommand;

/** `handle`: carries out what takes something back, as any command. */
export const leftovers = (deps: CommandHandlerDeps, envelope: CommandEnvelope, handle: Handle): Leftovers => {
  const { eventStore } = deps;
  const { unfinished } = eventStore;
  if (unfinished === undefined)
    return { unknown, look: async () => unknown, isAsSeen: async () => true, takeBack: async () => true };
  const commandKey = commandKeyOf(envelope.actorId, envelope.commandId);
  const takenBack = new Set<string>();
  let seen: { readonly events: readonly RecordedEvent[]; readonly mark: number } | null = null;

  const takeBackAll = async (events: readonly RecordedEvent[]): Promise<void> => {
    for (const piece of pieces(events).toReversed()) {
      const [{ id }] = piece;
      if (takenBack.has(id)) continue;
      await takePieceBack(deps, envelope, handle, piece);
      takenBack.add(id);
    }
  };

  const isAsSeen = async (): Promise<boolean> => (await unfinished.leftBy(commandKey))?.mark === seen?.mark;

  return {
    unknown,
    isAsSeen,

    async look() {
      const left = await unfinished.leftBy(commandKey);
      seen = left;
      if (left === null) return unknown;
      await takeBackAll(left.givenUp);
      const standing = new Map<string, Standing>();
      await Promise.all(
        pieces(left.events.filter(({ stream }) => !isReservation(stream))).map(async (events) => {
          const [{ stream, revision }] = events;
          const all = await eventStore.read(stream);
          const last = all.at(-1)?.revision === events.at(-1)?.revision;
          standing.set(stream, { before: all.filter((event) => event.revision < revision), events, last });
        }),
      );
      return { standing, mark: { left: left.mark } };
    },

    async takeBack() {
      if (seen === null || seen.events.length === 0) return isAsSeen();
      if (!(await unfinished.giveUp(commandKey, seen.mark))) return false;
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
  handle: Handle,
  piece: readonly [RecordedEvent, ...RecordedEvent[]],
): Promise<void> => {
  const { eventStore } = deps;
  const [{ id: firstId, stream, position }] = piece;
  const category = categoryOf(stream);
  const rule = isCategory(category) ? undoRules[category] : 'follows';
  if (rule === 'follows' || rule.kind === 'refused') return;
  const { licenceId, actorId, source: _, ...rest } = envelope;
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
  const handled = await handle(deps, back, null, (session) => {
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
