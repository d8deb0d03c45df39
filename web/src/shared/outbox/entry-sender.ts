import { backOff } from '@zakup/async/back-off';
import { answeredBatch, lanesOf, type PartResult, rebasedOn, singleEntries } from './batch.ts';
import { type Entry, isHeld, isUnsent, replaces, unmadeIn, waitsForMaking } from './entry.ts';
import type { EntryKeeper } from './entry-keeper.ts';
import type { SendResult, Transport } from './transport.ts';

export interface SenderDeps {
  readonly transport: Transport;
  readonly clock: {
    readonly setTimeout: (run: () => void, ms: number) => unknown;
    readonly clearTimeout: (handle: unknown) => void;
  };
  /** 0 to 1, spreads the attempts of many clients. */
  readonly chance: () => number;
}

export const firstRetry = 1000;
const longestRetry = 30_000;

/** Sends the entries of a keeper, in order per entity, while this tab is the one that sends. */
export class EntrySender {
  readonly #keeper: EntryKeeper;
  readonly #deps: SenderDeps;
  /** Lanes with an entry under way. */
  readonly #busy = new Set<string>();
  #leading = false;
  #closed = false;
  #failures = 0;
  /** The timer of the next attempt after one that failed. */
  #retry: unknown = null;

  constructor(keeper: EntryKeeper, deps: SenderDeps) {
    this.#keeper = keeper;
    this.#deps = deps;
  }

  get leading(): boolean {
    return this.#leading;
  }

  /** From now on this tab is the one that sends. */
  lead(): void {
    this.#leading = true;
    // What a tab that is gone kept meanwhile.
    this.#keeper.load().then(this.pump, this.pump);
  }

  /** Kept before it is sent: a tab killed in between sends it after its restart. */
  enqueue(entry: Entry): void {
    void this.#keeper.keep(entry).then(this.pump);
  }

  drop(id: string): void {
    this.#keeper.drop(id).then(this.pump, this.pump);
  }

  /**
   * Takes back what was never on its way, and nothing of which later ones change too; false = it may be on the server, or this tab is not the
   * one that sends.
   */
  withdraw(id: string): boolean {
    const entry = this.#keeper.entries.get(id);
    if (!this.#leading || entry === undefined || !isUnsent(entry) || entry.attempted) return false;
    const lanes = new Set(lanesOf(entry));
    const isBase = this.#keeper
      .all()
      .some((other) => other.order > entry.order && lanesOf(other).some((lane) => lanes.has(lane)));
    if (!isBase) this.drop(id);
    return !isBase;
  }

  /** Sends what waits without waiting for the next attempt. */
  flush(): void {
    this.#cancelRetry();
    this.#failures = 0;
    this.pump();
  }

  close(): void {
    this.#closed = true;
    this.#cancelRetry();
  }

  /** Sends whatever waits for nothing. */
  readonly pump = (): void => {
    if (!this.#leading || this.#closed) return;
    if (this.#retry !== null) return this.#holdBack();
    const entries = this.#keeper.all();
    const taken = new Set(this.#busy);
    const unmade = unmadeIn(entries.flatMap(singleEntries));
    for (const entry of entries) {
      // Those that were carried out or refused hold nothing back.
      const isPending = entry.state.kind === 'pending';
      if (!isPending && entry.state.kind !== 'conflict') continue;
      if (isPending && singleEntries(entry).some((one) => waitsForMaking(one, unmade))) continue;
      const lanes = lanesOf(entry);
      // A conflict holds back what follows on the same entity until the person has chosen, and so does a batch that waits for its turn.
      const goes = isPending && !lanes.some((lane) => taken.has(lane));
      for (const lane of lanes) taken.add(lane);
      if (goes) void this.#send(entry);
    }
  };

  async #send(entry: Entry): Promise<void> {
    const lanes = lanesOf(entry);
    for (const lane of lanes) this.#busy.add(lane);
    try {
      const sent = entry.attempted ? entry : { ...entry, attempted: true };
      await this.#keeper.keep(sent);
      const result = await this.#deps.transport.send(sent);
      if (!this.#closed) await this.#finish(sent, result);
    } finally {
      for (const lane of lanes) this.#busy.delete(lane);
    }
    if (!this.#closed) this.pump();
  }

  async #finish(sent: Entry, result: SendResult): Promise<void> {
    if (result.kind === 'later') {
      this.#scheduleRetry(result.retryAfterSeconds);
      this.#holdBack();
      return this.#keeper.keep({ ...sent, state: { kind: 'pending', held: true } });
    }
    this.#failures = 0;
    switch (result.kind) {
      case 'accepted':
        if (result.parts !== undefined) return this.#finishBatch(sent, result.position, result.parts);
        return this.#acknowledge({
          ...sent,
          state: { kind: 'acknowledged', position: result.position, revision: result.revision },
        });
      case 'rejected':
      case 'conflict':
        return this.#keeper.keep({ ...sent, state: result });
    }
  }

  async #finishBatch(sent: Entry, position: number, results: readonly PartResult[]): Promise<void> {
    const { done, refused } = answeredBatch(sent, position, results);
    // Kept before the batch goes: a tab that is killed in between finds the same answer, and them under the same ids.
    for (const entry of refused) await this.#keeper.keep(entry);
    if (done === null) this.drop(sent.id);
    else await this.#acknowledge(done);
  }

  async #acknowledge(done: Entry): Promise<void> {
    const keeper = this.#keeper;
    await keeper.keep(done);
    const singles = singleEntries(done);
    const refused = keeper.all().filter(({ state, parts }) => state.kind === 'rejected' && parts === undefined);
    for (const earlier of refused) if (singles.some((one) => replaces(one, earlier))) this.drop(earlier.id);
    for (const next of keeper.entries.values()) {
      if (next.order <= done.order || next.attempted) continue;
      const based = rebasedOn(next, done);
      if (based !== next) await keeper.keep(based);
    }
    keeper.settle();
  }

  /** While one waits for the next attempt nothing else is sent either: all that is not under way is not saved yet. */
  #holdBack(): void {
    for (const entry of this.#keeper.all())
      if (isUnsent(entry) && !isHeld(entry) && !lanesOf(entry).some((lane) => this.#busy.has(lane)))
        void this.#keeper.keep({ ...entry, state: { kind: 'pending', held: true } });
  }

  #scheduleRetry(seconds: number | null): void {
    if (this.#retry !== null || this.#closed) return;
    const longer = backOff({ first: firstRetry, longest: longestRetry }, this.#failures);
    this.#failures += 1;
    const wait = Math.max(seconds === null ? 0 : seconds * 1000, longer * (0.5 + this.#deps.chance() / 2));
    this.#retry = this.#deps.clock.setTimeout(() => {
      this.#retry = null;
      this.pump();
    }, wait);
  }

  #cancelRetry(): void {
    if (this.#retry !== null) this.#deps.clock.clearTimeout(this.#retry);
    this.#retry = null;
  }
}
