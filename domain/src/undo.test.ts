import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { campaignDecider } from './campaign/campaign.decider.ts';
import { campaignUndo } from './campaign/campaign.undo.ts';
import { channelDecider } from './channel/channel.decider.ts';
import { channelUndo } from './channel/channel.undo.ts';
import { contractorDecider } from './contractor/contractor.decider.ts';
import { contractorUndo } from './contractor/contractor.undo.ts';
import { creativeDecider } from './creative/creative.decider.ts';
import { creativeUndo } from './creative/creative.undo.ts';
import { advance, type Decider, type DomainEvent, type Entity, type Folded, nothing } from './decider.ts';
import { fieldValue } from './merge.ts';
import { placementDecider } from './placement/placement.decider.ts';
import { placementUndo } from './placement/placement.undo.ts';
import { savedViewsDecider } from './views/saved-views.decider.ts';
import { savedViewsUndo } from './views/saved-views.undo.ts';
import { type Attempt, attempts } from './testing/arbitraries.ts';
import { firstInstant } from './testing/given.ts';
import { decideUndo, type Past, type PastEvent, touchedBy, type Undoable, type Undone } from './undo.ts';

/** A stream with the command of each event; every command is given a second after the one before. */
interface Log<Event> {
  readonly events: readonly PastEvent<Event>[];
}

const appended = <Event>(
  { events }: Log<Event>,
  command: string,
  emitted: readonly { readonly event: Event; readonly undoes?: string }[],
  actorId = 'anna',
): Log<Event> => ({
  events: [
    ...events,
    ...emitted.map(({ event, undoes }, index) => ({
      event,
      id: `${command}#${index}`,
      command,
      undoes,
      actorId,
      at: new Date(Date.parse(firstInstant) + events.length * 1000).toISOString(),
    })),
  ],
});

const folded = <State, Event extends DomainEvent>(
  entity: Entity<State, Event>,
  events: readonly PastEvent<Event>[],
): Folded<State> =>
  events.reduce<Folded<State>>(
    (before, { event, at, actorId }) => advance(entity, before, event, { at, actorId }),
    nothing,
  );

/** What the command did to the stream, and what came after. */
const pastOf = <State, Event extends DomainEvent>(
  entity: Entity<State, Event>,
  { events }: Log<Event>,
  command: string,
): Past<State, Event> => {
  const from = events.findIndex((one) => one.command === command);
  const to = events.findLastIndex((one) => one.command === command) + 1;
  const after = folded(entity, events.slice(0, to)).state;
  const current = folded(entity, events).state;
  if (from === -1 || after === null || current === null) throw new Error(`${command} did nothing`);
  return {
    before: folded(entity, events.slice(0, from)).state,
    after,
    current,
    events: events.slice(from, to),
    since: events.slice(to),
  };
};

const undo = <State, Event extends DomainEvent, Facts>(
  entity: Undoable<State, Event, Facts>,
  log: Log<Event>,
  command: string,
  facts: Facts,
): Undone<Event> => decideUndo(entity, pastOf(entity, log, command), facts);

const undoneEvents = <Event>(undone: Undone<Event>): readonly { readonly event: Event; readonly undoes: string }[] => {
  if (undone.kind !== 'undone') throw new Error(JSON.stringify(undone));
  return undone.events;
};

/** The log of a story, a command each, and the names of the commands that did something. */
const play = <State, Command, Event extends DomainEvent, Facts>(
  decider: Decider<State, Command, Event, Facts>,
  story: readonly Attempt<Command, Facts>[],
): { readonly log: Log<Event>; readonly commands: readonly string[] } => {
  let log: Log<Event> = { events: [] };
  const commands: string[] = [];
  for (const [index, [command, facts]] of story.entries()) {
    const decision = decider.decide(command, folded(decider, log.events).state, facts);
    if (decision.kind === 'rejected' || decision.events.length === 0) continue;
    log = appended(
      log,
      `c${index}`,
      decision.events.map((event) => ({ event })),
    );
    commands.push(`c${index}`);
  }
  return { log, commands };
};

/** What holds of undoing on every entity, over random commands. `goesBack`: some changes have no way back. */
const holds = <State, Command, Event extends DomainEvent, Facts, UndoFacts>(
  decider: Decider<State, Command, Event, Facts>,
  entity: Undoable<State, Event, UndoFacts>,
  attempt: fc.Arbitrary<Attempt<Command, Facts>>,
  facts: UndoFacts,
  goesBack: (past: Past<State, Event>) => boolean = () => true,
): void => {
  const stories = fc.array(attempt, { minLength: 1, maxLength: 15 });
  const { category } = entity;
  const single = (state: State, names: readonly string[]): readonly unknown[] =>
    names.map((name) => fieldValue(entity.fields(state), name));
  /** Who comes back to a list comes last. */
  const unordered = (state: State): object =>
    Object.fromEntries(
      Object.entries(entity.fields(state)).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.map((entry) => JSON.stringify(entry)).toSorted() : value,
      ]),
    );

  describe(`undoing on ${category}`, () => {
    it('UND-1 gives the fields that the last command touched their values of before, and undone again, of after', () => {
      fc.assert(
        fc.property(stories, (story) => {
          const { log, commands } = play(decider, story);
          const last = commands.at(-1);
          if (last === undefined) return;
          const past = pastOf(entity, log, last);
          if (!goesBack(past)) return;
          const names = touchedBy(entity, past);
          const back = appended(log, 'undo', undoneEvents(undo(entity, log, last, facts)));
          const state = folded(entity, back.events).state;
          if (state === null) throw new Error('gone');
          expect(single(state, names)).toEqual(single(past.before ?? state, names));
          expect(past.before !== null || entity.isGone(state, past.after)).toBe(true);
          if (!back.events.some(({ command }) => command === 'undo')) return;
          const again = appended(back, 'redo', undoneEvents(undo(entity, back, 'undo', facts)));
          const redone = folded(entity, again.events).state;
          if (redone === null) throw new Error('gone');
          expect(single(redone, names)).toEqual(single(past.after, names));
          expect(entity.isGone(redone, redone)).toBe(entity.isGone(past.after, past.after));
        }),
        { numRuns: 300 },
      );
    });

    it('UND-2 goes back command by command to the beginning, the latest first', () => {
      fc.assert(
        fc.property(stories, (story) => {
          const { log, commands } = play(decider, story);
          if (!commands.every((command) => goesBack(pastOf(entity, log, command)))) return;
          let back = log;
          for (const command of commands.toReversed()) {
            const past = pastOf(entity, back, command);
            back = appended(back, `undo of ${command}`, undoneEvents(undo(entity, back, command, facts)));
            const state = folded(entity, back.events).state;
            if (state === null) throw new Error('gone');
            expect(unordered(state)).toEqual(unordered(past.before ?? state));
            expect(past.before !== null || entity.isGone(state, past.after)).toBe(true);
          }
        }),
        { numRuns: 200 },
      );
    });

    it('UND-3 is refused, with every field in conflict, exactly when a field it touched was touched since and differs', () => {
      fc.assert(
        fc.property(stories, (story) => {
          const { log, commands } = play(decider, story);
          for (const command of commands) {
            const past = pastOf(entity, log, command);
            if (past.before === null || !goesBack(past)) continue;
            const { before, current, after } = past;
            const touchedSince = past.since.flatMap(({ event }) => entity.changedFields(event));
            const value = (state: State, name: string): string =>
              JSON.stringify(fieldValue(entity.fields(state), name));
            const conflicting = touchedBy(entity, past).filter(
              (name) =>
                touchedSince.includes(name) &&
                value(before, name) !== value(after, name) &&
                value(before, name) !== value(current, name),
            );
            const undone = undo(entity, log, command, facts);
            const found = undone.kind === 'conflict' ? undone.conflicts.map(({ field }) => field) : [];
            // Beside what was touched stands that the entity is gone.
            const isField = (field: string): boolean => field !== 'deleted' && field !== 'mergedInto';
            expect(found.filter(isField).sort()).toEqual(conflicting.filter(isField).sort());
          }
        }),
        { numRuns: 200 },
      );
    });
  });
};

const open = { campaign: { status: 'ACTIVE', deleted: false } } as const;
holds(placementDecider, placementUndo, attempts.placement, open);
holds(contractorDecider, contractorUndo, attempts.contractor, {
  actor: { id: 'anna', role: 'CEO' },
  into: { isActive: true },
});
holds(creativeDecider, creativeUndo, attempts.creative, {});
holds(savedViewsDecider, savedViewsUndo, attempts.views, {});
holds(
  channelDecider,
  channelUndo,
  attempts.channel,
  { campaignNames: [] },
  ({ before, current, events }) =>
    (before !== null || current.campaigns.length === 0) &&
    events.every(
      ({ event }) => event.type !== 'CampaignAttachedToChannel' && event.type !== 'CampaignDetachedFromChannel',
    ),
);
holds(
  campaignDecider,
  campaignUndo,
  attempts.campaign,
  { channel: { deleted: false } },
  ({ before, after }) => before === null || before.status === after.status || before.status !== 'DRAFT',
);
