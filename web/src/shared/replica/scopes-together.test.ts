import type { Change, Changes } from '@zakup/contracts/socket';
import * as fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { memoryReplica, type Replica } from './replica.ts';

interface Version {
  readonly position: number;
  /** How often the read models had been built anew. */
  readonly build: number;
  /** The scopes that have it. */
  readonly in: ReadonlySet<string>;
}
const scopes = ['workspace', 'campaign:1', 'contractor:1'] as const;
const ids = ['a', 'b', 'c'] as const;
const nameOf = ({ position, build }: Version): string => `v${position} of build ${build}`;
const doc = (id: string, name: string): unknown => ({ id, name });

/** Under way to the client, in order; scopes do not wait for each other. */
type Letter =
  | { readonly kind: 'ack'; readonly reset: boolean }
  | { readonly kind: 'reset' }
  | { readonly kind: 'changes'; readonly message: Changes; readonly build: number };

interface Feed {
  /** What the client asked for was read up to here; null = it asks for nothing, or has to ask anew. */
  position: number | null;
  build: number;
  /** Of what the client holds. */
  holds: number;
  letters: Letter[];
  held: boolean;
}

type Step =
  | { readonly kind: 'change'; readonly id: string; readonly in: readonly string[] }
  | { readonly kind: 'rebuild'; readonly lost: number }
  | { readonly kind: 'feed' | 'hear' | 'reset' | 'toggle'; readonly scope: string }
  | { readonly kind: 'lose line' };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('change' as const),
      id: fc.constantFrom(...ids),
      in: fc.subarray([...scopes]),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('rebuild' as const), lost: fc.nat(4) }) },
  {
    weight: 22,
    arbitrary: fc.record({
      kind: fc.constantFrom('feed', 'feed', 'hear', 'hear', 'hear', 'hear', 'reset', 'toggle'),
      scope: fc.constantFrom(...scopes),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'lose line' as const }) },
);

/** A server that keeps documents by scope and position, and clients' lines in which each scope goes at its own pace. */
const world = (replica: Replica) => {
  const truth = new Map<string, Version>();
  const feeds = new Map<string, Feed>(
    scopes.map((scope) => [scope, { position: null, build: 0, holds: 0, letters: [], held: false }]),
  );
  let [head, build] = [0, 0];
  const feedOf = (scope: string): Feed => feeds.get(scope) as Feed;

  const changesOf = (scope: string, since: number): readonly Change[] =>
    [...truth]
      .filter(([, version]) => version.position > since)
      .flatMap(([id, version]) => {
        const there = version.in.has(scope);
        if (!there && since < 0) return [];
        return [{ kind: 'channel', id, position: version.position, doc: there ? doc(id, nameOf(version)) : null }];
      });
  const post = (scope: string, docs: readonly Change[], cut: boolean): void => {
    const [first, ...rest] = docs;
    const messages: Changes[] =
      cut && first
        ? [
            { scope, position: head, docs: [first], last: false },
            { scope, position: head, docs: rest, last: true },
          ]
        : [{ scope, position: head, docs, last: true }];
    for (const message of messages) feedOf(scope).letters.push({ kind: 'changes', message, build });
  };
  const ask = (scope: string): void => {
    const feed = feedOf(scope);
    const since = replica.position(scope);
    replica.ask(scope);
    const reset = since !== null && feed.holds !== build;
    const from = reset ? -1 : (since ?? -1);
    feed.letters = [{ kind: 'ack', reset }];
    post(scope, changesOf(scope, from), true);
    feed.position = head;
    feed.build = build;
  };
  const forget = (scope: string): void => {
    replica.forget(scope);
    Object.assign(feedOf(scope), { held: false, letters: [], position: null });
  };
  const hear = (scope: string): void => {
    const letter = feedOf(scope).letters.shift();
    switch (letter?.kind) {
      case undefined:
        return;
      case 'ack':
        if (letter.reset) replica.reset(scope);
        return;
      case 'reset':
        replica.reset(scope);
        ask(scope);
        return;
      case 'changes':
        replica.apply(letter.message);
        if (letter.message.last) feedOf(scope).holds = letter.build;
    }
  };
  const feed = (scope: string): void => {
    const one = feedOf(scope);
    if (!one.held || one.position === null) return;
    if (one.build !== build) {
      one.letters.push({ kind: 'reset' });
      one.position = null;
      return;
    }
    if (one.position === head) return;
    post(scope, changesOf(scope, one.position), false);
    one.position = head;
  };

  return {
    truth,
    isHeld: (scope: string): boolean => feedOf(scope).held,
    take(one: Step): void {
      switch (one.kind) {
        case 'change':
          head += 1;
          truth.set(one.id, { position: head, build, in: new Set(one.in) });
          return;
        case 'rebuild':
          build += 1;
          head = Math.max(0, head - one.lost);
          // Other content at the same, a lower or no position.
          for (const [id, version] of truth)
            truth.set(id, { ...version, position: Math.min(head, version.position), build });
          return;
        case 'feed':
          return feed(one.scope);
        case 'hear':
          return hear(one.scope);
        case 'reset': {
          const reset = feedOf(one.scope);
          if (!reset.held || reset.position === null) return;
          reset.letters.push({ kind: 'reset' });
          reset.position = null;
          return;
        }
        case 'toggle':
          if (feedOf(one.scope).held) return forget(one.scope);
          feedOf(one.scope).held = true;
          return ask(one.scope);
        case 'lose line':
          for (const scope of scopes) {
            replica.abandonPartial(scope);
            if (feedOf(scope).held) ask(scope);
          }
      }
    },
    /** Everything that is under way arrives. */
    settle(): void {
      for (let round = 0; round < 4; round += 1)
        for (const scope of scopes) {
          feed(scope);
          while (feedOf(scope).letters.length > 0) hear(scope);
        }
    },
  };
};

const positionIn = (shown: { readonly name: string } | null): number =>
  shown === null ? -1 : Number(/v(?<at>\d+)/u.exec(shown.name)?.groups?.['at']);

const isIn = (replica: Replica, scope: string, id: string): boolean =>
  replica.all('channel', scope).some((one) => one.id === id);

/** Ids that stand at a lower place after the step, though no scope let go of them. */
const takenBack = (replica: Replica, server: ReturnType<typeof world>, one: Step): readonly string[] => {
  const before = ids.map((id) => positionIn(replica.get('channel', id)));
  const holders = ids.map((id) => scopes.filter((scope) => isIn(replica, scope, id)));
  server.take(one);
  return ids.filter((id, index) => {
    const shown = replica.get('channel', id);
    // Where one says that it went, what the others were told may be older.
    const isLeft = holders[index]?.some((scope) => !isIn(replica, scope, id)) === true;
    return shown !== null && !isLeft && positionIn(shown) < (before[index] ?? -1);
  });
};

describe('what several scopes say of one document', () => {
  it('RP-20 nothing that is there goes back, however loads, changes, resets and leaves of its scopes meet', () => {
    const steps = fc.array(
      step.filter(({ kind }) => kind !== 'rebuild'),
      { maxLength: 80, size: 'max' },
    );
    fc.assert(
      fc.property(steps, (list) => {
        const replica = memoryReplica();
        const server = world(replica);
        expect(list.flatMap((one) => takenBack(replica, server, one))).toEqual([]);
      }),
      { numRuns: 800, seed: 20 },
    );
  });

  it('RP-21 once everything has arrived each scope shows what is so, also where positions began anew', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 100, size: 'max' }), (list) => {
        const replica = memoryReplica();
        const server = world(replica);
        for (const one of list) server.take(one);
        server.settle();
        const there = [...server.truth].flatMap(([id, version]) =>
          scopes
            .filter((scope) => server.isHeld(scope) && version.in.has(scope))
            .map((scope) => `${scope} ${id} ${nameOf(version)}`),
        );
        const shown = scopes.flatMap((scope) =>
          replica.all('channel', scope).map(({ id, name }) => `${scope} ${id} ${name}`),
        );
        expect(shown.toSorted()).toEqual(there.toSorted());
      }),
      { numRuns: 800, seed: 21 },
    );
  });
});

const at = (id: string, position: number, name = `v${position}`): Change => ({
  kind: 'channel',
  id,
  position,
  doc: { id, name },
});
const whole = (scope: string, position: number, ...docs: Change[]): Changes => ({ scope, position, docs, last: true });

describe('a scope that is loaded anew', () => {
  it('RP-19 an older load that ends after the reset of another scope takes nothing back', () => {
    const replica = memoryReplica();
    for (const scope of ['campaign:c', 'contractor:old']) replica.ask(scope);
    for (const scope of ['campaign:c', 'contractor:old']) replica.apply(whole(scope, 2, at('p', 2)));
    replica.ask('contractor:new');
    replica.apply({ ...whole('contractor:new', 9, at('p', 2)), last: false });
    replica.apply(whole('campaign:c', 10, at('p', 10)));
    replica.reset('contractor:old');
    replica.ask('contractor:old');
    replica.apply(whole('contractor:new', 9));
    expect(replica.get('channel', 'p')).toEqual({ id: 'p', name: 'v10' });
  });

  it('RP-22 what began anew in one scope is shown at once, and what another one says of before no more', () => {
    const replica = memoryReplica();
    for (const scope of ['workspace', 'campaign:1']) replica.ask(scope);
    for (const scope of ['workspace', 'campaign:1']) replica.apply(whole(scope, 10, at('p', 10)));
    replica.reset('workspace');
    replica.ask('workspace');
    replica.apply(whole('workspace', 9, at('p', 8, 'rebuilt')));
    expect(replica.get('channel', 'p')?.name).toBe('rebuilt');
    replica.forget('campaign:1');
    expect(replica.get('channel', 'p')?.name).toBe('rebuilt');
  });

  it('RP-23 what comes again as it was stays the object it is, and nobody hears of it', () => {
    const replica = memoryReplica();
    const all = (): Change[] => [at('a', 1), at('b', 2), at('c', 3)];
    replica.apply(whole('campaign:1', 3, ...all()));
    const before = replica.all('channel', 'campaign:1');
    const [a, heard] = [replica.get('channel', 'a'), vi.fn<() => void>()];
    replica.subscribeKind('channel', heard);
    replica.reset('campaign:1');
    replica.apply(whole('campaign:1', 3, ...all()));
    replica.apply(whole('contractor:1', 3, at('a', 1)));
    expect(replica.get('channel', 'a')).toBe(a);
    expect(replica.all('channel', 'campaign:1')).toBe(before);
    expect(heard).toHaveBeenCalledTimes(1);
    replica.reset('campaign:1');
    replica.apply(whole('campaign:1', 4, at('a', 1), at('b', 4), at('c', 3)));
    expect(replica.all('channel', 'campaign:1').filter((one) => !before.includes(one))).toEqual([
      { id: 'b', name: 'v4' },
    ]);
  });
});
