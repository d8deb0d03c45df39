import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalog, decodeEvent } from './catalog.ts';
import type { Decider, Decision, DomainEvent } from './decider.ts';
import { entityByCategory } from './entities.ts';
import { type Attempt, attempts } from './testing/arbitraries.ts';
import { foldOf } from './testing/given.ts';

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value))
    Object.values(Object.freeze(value)).forEach(frozen);
  return value;
};

const stored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const eventsOf = <Event>(decision: Decision<Event>): readonly Event[] =>
  decision.kind === 'accepted' ? decision.events : [];

/** Decides a story command by command on frozen states: a decider that writes into what it is given would throw. */
const play = <State, Command, Event extends DomainEvent, Facts>(
  decider: Decider<State, Command, Event, Facts>,
  story: readonly Attempt<Command, Facts>[],
): { readonly history: readonly Event[]; readonly repeated: readonly Event[] } => {
  const history: Event[] = [];
  const repeated: Event[] = [];
  for (const [command, facts] of story) {
    const { state } = frozen(foldOf(decider, history));
    const decision = decider.decide(frozen(command), state, frozen(facts));
    history.push(...frozen(eventsOf(decision)));
    if (decision.kind === 'accepted' && isSetting(command))
      repeated.push(...eventsOf(decider.decide(command, foldOf(decider, history).state, facts)));
  }
  return { history, repeated };
};

const isSetting = (command: unknown): boolean =>
  typeof command === 'object' && command !== null && 'changes' in command;

/** The fields that differ before and after some event which does not say that it touches them. */
const untold = <State, Command, Event extends DomainEvent, Facts>(
  decider: Decider<State, Command, Event, Facts>,
  history: readonly Event[],
): readonly string[] =>
  history.flatMap((event, index) => {
    const before = foldOf(decider, history.slice(0, index)).state;
    const after = foldOf(decider, history.slice(0, index + 1)).state;
    if (before === null || after === null) return [];
    const touched = new Set(decider.changedFields(event).map((name) => name.split('/')[0]));
    const was = decider.fields(before);
    return Object.entries(decider.fields(after))
      .filter(([field, value]) => !touched.has(field) && JSON.stringify(value) !== JSON.stringify(was[field]))
      .map(([field]) => `${event.type} changes ${field}`);
  });

/** What holds of every decider, over random commands. */
const holds = <State, Command, Event extends DomainEvent, Facts>(
  decider: Decider<State, Command, Event, Facts>,
  attempt: fc.Arbitrary<Attempt<Command, Facts>>,
): void => {
  const stories = fc.array(attempt, { minLength: 1, maxLength: 25 });
  const { category } = decider;

  describe(`decider of ${category}`, () => {
    it('DE-1 decides without throwing, and its events replay to the same state, however often they are folded', () => {
      fc.assert(
        fc.property(stories, (story) => {
          const { history } = play(decider, story);
          const once = foldOf(decider, history);
          expect(once.revision).toBe(history.length - 1);
          expect(foldOf(decider, history)).toEqual(once);
          expect(foldOf(decider, stored(history))).toEqual(once);
        }),
        { numRuns: 200 },
      );
    });

    it('DE-2 decides the same each time it is asked', () => {
      fc.assert(
        fc.property(stories, (story) => {
          expect(play(decider, story)).toEqual(play(decider, story));
        }),
        { numRuns: 100 },
      );
    });

    it('DE-3 emits only what the catalog takes back as it was stored', () => {
      fc.assert(
        fc.property(stories, (story) => {
          const history = stored(play(decider, story).history);
          const decoded = history.map(({ type, data }) => decodeEvent({ type, schemaVersion: 1, data }));
          expect(decoded).toEqual(history.map((event) => ({ kind: 'event', event })));
        }),
        { numRuns: 200 },
      );
    });

    it('DE-4 changes no field that its events do not tell of', () => {
      fc.assert(
        fc.property(stories, (story) => {
          expect(untold(decider, play(decider, story).history)).toEqual([]);
        }),
        { numRuns: 100 },
      );
    });

    it('DE-5 appends nothing when a change is decided once more right after itself', () => {
      fc.assert(
        fc.property(stories, (story) => {
          expect(play(decider, story).repeated).toEqual([]);
        }),
        { numRuns: 100 },
      );
    });

    it('DE-6 is reached in all its events by the random commands', () => {
      const emitted = new Set<string>();
      for (const story of fc.sample(stories, { seed: 1, numRuns: 2000 }))
        for (const { type } of play(decider, story).history) emitted.add(type);
      const known = Object.entries(catalog)
        .filter(([, { categories }]) => categories.some((one) => one === category))
        .map(([type]) => type);
      expect([...emitted].sort()).toEqual(known.sort());
    });
  });
};

holds(entityByCategory.placement, attempts.placement);
holds(entityByCategory.contractor, attempts.contractor);
holds(entityByCategory.campaign, attempts.campaign);
holds(entityByCategory.channel, attempts.channel);
holds(entityByCategory.creative, attempts.creative);
holds(entityByCategory.employee, attempts.employee);
holds(entityByCategory.licence, attempts.licence);
holds(entityByCategory.activation, attempts.activation);
holds(entityByCategory.views, attempts.views);
holds(entityByCategory.keys, attempts.keys);
holds(entityByCategory.webhooks, attempts.webhooks);
holds(entityByCategory.nick, attempts.reservation);
