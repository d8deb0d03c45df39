import type { LagMinute, LagNotice } from '@zakup/contracts/notices';
import type { BatchFigures } from './run-projector.ts';

const minute = 60_000;
/** Minutes that are kept, the present one among them. */
const kept = 60;

/** The last hour of projecting, by the minute; it goes on from what an earlier process noted of it. */
export class LagHistory {
  readonly #now: () => number;
  /** When the work began here. */
  readonly #begun: number;
  readonly #minutes = new Map<number, LagMinute>();
  #since: number;
  /** The last minute that is known to have been one of work. */
  #worked: number;
  #isNoted = false;

  /** `now`: UTC milliseconds. */
  constructor(now: () => number) {
    this.#now = now;
    this.#begun = now();
    this.#since = this.#begun;
    this.#worked = this.#present();
    this.#add(this.#worked, { events: 0, lagMilliseconds: 0 });
  }

  /** What was noted before; null = nothing. Events are counted without a gap since then: those recorded meanwhile are projected here. */
  goOnFrom(before: LagNotice | null): void {
    if (before === null) return;
    this.#since = Math.min(this.#since, before.since);
    for (const { at, ...one } of before.minutes) this.#add(at, one);
  }

  add({
    recorded,
    firstRecordedAt,
    lagMilliseconds,
  }: Pick<BatchFigures, 'recorded' | 'firstRecordedAt' | 'lagMilliseconds'>): void {
    this.#work();
    for (const [at, events] of recorded) {
      if (at >= this.#first()) this.#add(at, { events, lagMilliseconds: null });
    }
    if (firstRecordedAt >= this.#begun) {
      // By two clocks, which need not agree to the millisecond.
      this.#add(this.#worked, { events: 0, lagMilliseconds: Math.max(0, lagMilliseconds) });
      this.#waitedSince(firstRecordedAt);
    }
    this.#isNoted = false;
  }

  /** What is to be noted now; null = it is. */
  toNote(): LagNotice | null {
    this.#work();
    if (this.#isNoted) return null;
    this.#isNoted = true;
    for (const at of this.#minutes.keys()) {
      if (at < this.#first() || at > this.#worked) this.#minutes.delete(at);
    }
    return { since: this.#since, minutes: [...this.#minutes.values()].toSorted((a, b) => a.at - b.at) };
  }

  /** What was given last could not be. */
  notNoted(): void {
    this.#isNoted = false;
  }

  #present(): number {
    return Math.floor(this.#now() / minute) * minute;
  }

  /** The oldest minute that is kept. */
  #first(): number {
    return this.#worked - (kept - 1) * minute;
  }

  /** At the end of each minute before the present one it had waited so long, though nobody knew of it then. */
  #waitedSince(recordedAt: number): void {
    const from = Math.max(this.#first(), Math.floor(recordedAt / minute) * minute);
    for (let at = from; at < this.#worked; at += minute)
      this.#add(at, { events: 0, lagMilliseconds: at + minute - recordedAt });
  }

  /** Minutes since the last look were minutes of work, whether there was any or not. */
  #work(): void {
    const present = this.#present();
    for (let at = Math.max(this.#worked + minute, present - (kept - 1) * minute); at <= present; at += minute) {
      this.#add(at, { events: 0, lagMilliseconds: 0 });
      this.#isNoted = false;
    }
    this.#worked = present;
  }

  #add(at: number, { events, lagMilliseconds }: Omit<LagMinute, 'at'>): void {
    const before = this.#minutes.get(at) ?? { at, events: 0, lagMilliseconds: null };
    this.#minutes.set(at, {
      at,
      events: before.events + events,
      lagMilliseconds:
        lagMilliseconds === null ? before.lagMilliseconds : Math.max(before.lagMilliseconds ?? 0, lagMilliseconds),
    });
  }
}
