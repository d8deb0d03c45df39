import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import { chained, chainStart, eventHash, partHashes } from './chain.ts';
import { type CommandIndex, indexCheck } from './command-index.ts';
import { licenceHistory } from './licence-history.ts';
import { hashOfSeal, isSignedBy, noSeal, type PublicSealKey, type Seal, sealMilliseconds } from './seal.ts';
import { CorruptSeal, isCorrupt, noFreshSalt, type SealStore } from './seal-store.ts';

/**
 * What does not fit. `unlinked`: the seal does not go on from the one before; `unsigned`: it bears the signature of no key that is known;
 * `different`: events `from` to `to` are not those that it attests; `missing`: the log ends before `to`; `untimely`: its time is before what
 * it attests, or ahead of the clock; `late`: it was made long after it was due although the log was written to meanwhile; `unsealed`: events
 * `from` to `to` should have a seal since long; `unindexed`: the index of commands does not lead to event `from`, of a command, or to others as well; `unlisted`: the log holds events of
 * the licence that are not in its history, by which it is sealed; `unreadable`: the seal is stored damaged; `unsalted`: the licence's salt is
 * gone or damaged, without which no seal from this one on can be computed.
 */
export interface SealFault {
  readonly kind:
    | 'unlinked'
    | 'unsigned'
    | 'different'
    | 'missing'
    | 'untimely'
    | 'late'
    | 'unsealed'
    | 'unindexed'
    | 'unlisted'
    | 'unreadable'
    | 'unsalted';
  readonly licenceId: string;
  /** 0 of `unsealed`: there is none. */
  readonly seal: number;
  /** Numbers of events in the licence's history, both inclusive. */
  readonly from: number;
  readonly to: number;
  /** Of the first event as it was sealed; of `unreadable` and `unsalted` as it is in the log, '' = there is none. */
  readonly firstEventId: string;
}

export interface LicenceCheck {
  readonly events: number;
  readonly seals: number;
  /** Behind the last seal; 0 where something does not fit. */
  readonly unsealed: number;
  /** Null = every seal attests what is in the log. */
  readonly fault: SealFault | null;
}

/** By what times are judged. All in milliseconds since 1970. */
export interface SealTimes {
  /** By the clock of who checks. */
  readonly now: number;
  /** The installation was surely at work still: the last event of its log, or its last seal. */
  readonly until: number;
  /** Every event up to here has a seal, says the store of seals. */
  readonly followed: Position;
  /** Whether something was written to the log after the one and before the other. */
  readonly isAlive: (after: number, before: number) => boolean;
}

export interface CheckOptions {
  readonly eventStore: Pick<EventStore, 'readLicence'>;
  readonly seals: SealStore;
  /** Those whose signatures count. */
  readonly keys: readonly PublicSealKey[];
  /** Absent = times are not looked at. */
  readonly times?: SealTimes;
  /** Absent = the index of commands is not looked at. */
  readonly commands?: CommandIndex;
}

/** Events that are computed before others get their turn. */
const atOnce = 100;

/** Milliseconds that sealing may be behind what is due, and clocks apart. */
export const sealLeeway = 10 * 60_000;
const clockLeeway = 5_000;

/** Throws `CorruptSeal` once the seals before that one were given. */
async function* sealsOf(seals: SealStore, licenceId: string): AsyncGenerator<Seal, void, undefined> {
  let after = 0;
  const soundPage = async () => {
    try {
      return await seals.read(licenceId, { after });
    } catch (error) {
      if (!(error instanceof CorruptSeal) || error.number <= after + 1) throw error;
      return seals.read(licenceId, { after, limit: error.number - after - 1 });
    }
  };
  for (;;) {
    const page = await soundPage();
    for (const { seal } of page) yield seal;
    if (page.length === 0) return;
    after = page.at(-1)?.seal.number ?? after;
  }
}

const linkOf = (last: Seal | null): string => (last === null ? noSeal : hashOfSeal(last));

const instantOf = ({ recordedAt }: RecordedEvent): number => Date.parse(recordedAt);

/** What the seal says of its own time; seals of the first version say nothing of the log's instants. */
const timeFault = (
  { format, sealedAt }: Seal,
  last: Seal | null,
  [first, end]: readonly [RecordedEvent, RecordedEvent],
  times: SealTimes | undefined,
): 'untimely' | 'late' | null => {
  const at = Date.parse(sealedAt);
  if (format === 'zakup-seal-1' || times === undefined) return null;
  const isBefore = at < instantOf(end) || (last !== null && at < Date.parse(last.sealedAt));
  if (isBefore || at > times.now + clockLeeway) return 'untimely';
  const due = instantOf(first) + sealMilliseconds + sealLeeway;
  return at > due && times.isAlive(due, at - sealLeeway) ? 'late' : null;
};

/** Goes through a licence's history, an event at a time, and computes its chain. */
const historyWalk = ({ eventStore, seals, commands }: CheckOptions, licenceId: string) => {
  const isIndexed = commands === undefined ? null : indexCheck(commands);
  const events = (async function* () {
    for await (const page of licenceHistory(eventStore, licenceId)) yield* page;
  })();
  let saltKey: Uint8Array | null = null;
  let [chain, count] = [chainStart(licenceId), 0];
  const state = { count: () => count, chain: () => chain };
  const next = async (): Promise<RecordedEvent | null> => {
    const { value, done } = await events.next();
    if (done === true) return null;
    count += 1;
    if (count % atOnce === 0) await yieldToEventLoop();
    return value;
  };
  return {
    ...state,
    next,
    /** The next one, chained as the seal does. */
    async chainedNext({ format }: Seal): Promise<RecordedEvent | null> {
      saltKey ??= await seals.saltKey(licenceId, noFreshSalt(licenceId));
      const event = await next();
      if (event !== null) chain = chained(chain, eventHash(partHashes(saltKey, event, format)));
      return event;
    },
    isIndexed: async (event: RecordedEvent): Promise<boolean> => isIndexed === null || isIndexed(event),
  };
};

type Walk = ReturnType<typeof historyWalk>;

/** The first thing that does not fit a seal, with where; null = it fits. */
const sealFault = async (
  seal: Seal,
  last: Seal | null,
  walk: Walk,
  { keys, times }: CheckOptions,
): Promise<Pick<SealFault, 'kind' | 'from'> | null> => {
  const from = walk.count() + 1;
  const isNext = seal.number === (last?.number ?? 0) + 1 && seal.total === from - 1 + seal.count;
  const goesOn = seal.previous === linkOf(last) && (last === null || seal.format >= last.format);
  if (!isNext || !goesOn) return { kind: 'unlinked', from };
  if (!keys.some((key) => isSignedBy(seal, key))) return { kind: 'unsigned', from };
  let [first, end]: (RecordedEvent | null)[] = [null, null];
  let unindexed: number | null = null;
  while (walk.count() < seal.total) {
    const event = await walk.chainedNext(seal);
    if (event === null) return { kind: 'missing', from };
    first ??= event;
    end = event;
    if (unindexed === null && !(await walk.isIndexed(event))) unindexed = walk.count();
  }
  if (!first || !end || walk.chain() !== seal.chain || first.id !== seal.firstEventId || end.id !== seal.lastEventId)
    return { kind: 'different', from };
  if (unindexed !== null) return { kind: 'unindexed', from: unindexed };
  const kind = timeFault(seal, last, [first, end], times);
  return kind === null ? null : { kind, from };
};

/** What has no seal: how much it is, and whether it should have one. */
const tailOf = async (
  walk: Walk,
  times: SealTimes | undefined,
): Promise<{ readonly unsealed: number; readonly first: RecordedEvent | null; readonly isOverdue: boolean }> => {
  const sealed = walk.count();
  let first: RecordedEvent | null = null;
  for (let event = await walk.next(); event !== null; event = await walk.next()) first ??= event;
  const isOverdue =
    times !== undefined &&
    first !== null &&
    (first.position <= times.followed || times.until - instantOf(first) > sealMilliseconds + sealLeeway);
  return { unsealed: walk.count() - sealed, first, isOverdue };
};

/**
 * Computes the licence's chain from its first event on and compares it with each seal, up to the first one that does not fit, or cannot be
 * read; then looks whether what has none is young enough. Throws what the stores throw, but `CorruptSeal` and `CorruptSalt`.
 */
export const checkLicence = async (options: CheckOptions, licenceId: string): Promise<LicenceCheck> => {
  const walk = historyWalk(options, licenceId);
  let [checked, events]: [number, number] = [0, 0];
  let last: Seal | null = null;
  try {
    for await (const seal of sealsOf(options.seals, licenceId)) {
      const found = await sealFault(seal, last, walk, options);
      if (found !== null) {
        const { number, total, firstEventId } = seal;
        const fault = { ...found, licenceId, seal: number, to: total, firstEventId };
        return { events, seals: checked, unsealed: 0, fault };
      }
      checked += 1;
      events = walk.count();
      last = seal;
    }
  } catch (error) {
    if (!isCorrupt(error)) throw error;
    // Neither is found in the middle of a seal: what follows is all that cannot be compared.
    const { first } = await tailOf(walk, undefined);
    const place = { licenceId, from: events + 1, to: walk.count(), firstEventId: first?.id ?? '' };
    const fault =
      error instanceof CorruptSeal
        ? ({ kind: 'unreadable', seal: error.number, ...place } as const)
        : ({ kind: 'unsalted', seal: checked + 1, ...place } as const);
    return { events, seals: checked, unsealed: 0, fault };
  }
  const { unsealed, first, isOverdue } = await tailOf(walk, options.times);
  const from = events + 1;
  const overdue = { kind: 'unsealed', licenceId, seal: 0, from, to: events + unsealed } as const;
  const fault = isOverdue ? { ...overdue, firstEventId: first?.id ?? '' } : null;
  return { events, seals: checked, unsealed, fault };
};
