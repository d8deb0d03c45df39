import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import { licenceHistory, licenceOf } from '@zakup/seals/licence-history';
import { type SealKey, sealEvents, sealMilliseconds } from '@zakup/seals/seal';
import type { HeadBook } from '@zakup/seals/seal-heads';
import { CorruptSeal, isCorrupt, type SealStore, type StoredSeal } from '@zakup/seals/seal-store';
import { refusalToSeal, type SealRefusal } from './last-seal.ts';
import { nextSeal } from './next-seal.ts';

/** A later holder of the lease writes the seals. */
export class SealingLeaseLost extends Error {
  override readonly name = 'SealingLeaseLost';
}

export interface SealerOptions {
  /** Where it goes on in the log. */
  readonly after: Position;
  readonly eventStore: Pick<EventStore, 'read' | 'readLicence'>;
  readonly seals: SealStore;
  readonly key: SealKey;
  /** Fencing token of the lease under which it writes. */
  readonly fence: number;
  /** Milliseconds since 1970 (UTC). */
  readonly now: () => number;
  /** Milliseconds that only go forward: by them it is told what is due. Default: `now`. */
  readonly elapsed?: () => number;
  readonly random: (bytes: number) => Uint8Array;
  readonly onSealed?: (seal: StoredSeal) => void;
  /** What else forbids to seal a licence; null = nothing. */
  readonly doubtOf?: (licenceId: string) => SealRefusal | null;
  /** What is known of the last seals elsewhere. */
  readonly known?: HeadBook;
  /** The log no longer holds what the licence's last seal attests, or its seals are damaged: nothing is put on top. Told once while that stays so. */
  readonly onRefused?: (refused: SealRefusal) => void;
}

/** Follows the log and writes the seals that are due. Its calls are made one after the other. */
export interface Sealer {
  /** Events of the log, in order. */
  take(events: readonly RecordedEvent[]): void;
  /** Some licence has as many events without a seal as one seal takes. */
  isFull(): boolean;
  /** Writes every seal that is due. Throws `SealingLeaseLost`, and what the stores throw: it may then be called again. */
  settle(): Promise<void>;
  /** Every event up to here is sealed, or in nobody's history. */
  followed(): Position;
  /** Licences that are not sealed any further, as of the last `settle`. */
  refusals(): readonly SealRefusal[];
  /** When the last seal was made since it began, UTC milliseconds; null = none was. */
  lastSealed(): number | null;
}

/** Events of a licence that may have no seal yet. */
interface Waiting {
  /** Where they begin, exclusive, and end: only places that the log itself has told can be read from. */
  readonly after: Position;
  readonly to: Position;
  readonly count: number;
  /** When they are due, by the clock that only goes forward. */
  readonly due: number;
  /** Of which event that was told; 0 = of none. */
  readonly dueOf: Position;
}

/** How long it still waits. Its own instant counts only for what has passed: one that was dated ahead waits no longer than others. */
const waitOf = ({ recordedAt }: RecordedEvent, now: number): number =>
  Math.min(sealMilliseconds, Math.max(0, sealMilliseconds - (now - Date.parse(recordedAt))));

export const sealer = (options: SealerOptions): Sealer => {
  const { eventStore, seals, fence, now, onSealed, onRefused } = options;
  const elapsed = options.elapsed ?? now;
  const dueOf = (event: RecordedEvent): number => elapsed() + waitOf(event, now());
  const waiting = new Map<string, Waiting>();
  const refused = new Map<string, SealRefusal>();
  let reached = options.after;
  let lastSealed: number | null = null;

  const unsealed = async (licenceId: string, after: Position, to: Position): Promise<readonly RecordedEvent[]> => {
    const found: RecordedEvent[] = [];
    for await (const events of licenceHistory(eventStore, licenceId, { after, to, page: sealEvents })) {
      found.push(...events);
      if (found.length >= sealEvents) break;
    }
    return found.slice(0, sealEvents);
  };

  /** Writes what is due of one licence; what forbids it, null = nothing. */
  const sealDue = async (licenceId: string, { after, to, ...known }: Waiting): Promise<SealRefusal | null> => {
    for (;;) {
      const last = await seals.last(licenceId);
      const refusal = await refusalToSeal(options, licenceId, last);
      if (refusal !== null) return refusal;
      const [first, ...others] = await unsealed(licenceId, Math.max(last?.position ?? 0, after), to);
      if (first === undefined) {
        waiting.delete(licenceId);
        return null;
      }
      const count = 1 + others.length;
      // A clock that was set back since does not make it wait anew.
      const due = first.position === known.dueOf ? known.due : dueOf(first);
      if (count < sealEvents && elapsed() < due) {
        waiting.set(licenceId, { after: Math.max(last?.position ?? 0, after), to, count, due, dueOf: first.position });
        return null;
      }
      const next = await nextSeal(options, licenceId, last, [first, ...others]);
      const result = await seals.add(next, fence);
      if (result.kind === 'lost_lease')
        throw new SealingLeaseLost(`Somebody with fence ${result.fence} writes the seals`);
      if (result.kind !== 'added') continue;
      await options.known?.added(next);
      lastSealed = Date.parse(next.seal.sealedAt);
      onSealed?.(next);
    }
  };

  /** What is damaged of one licence holds up no other. Without its salt no seal can be computed, from the first one on. */
  const settleOne = async (licenceId: string, entry: Waiting): Promise<void> => {
    const refusal = await sealDue(licenceId, entry).catch((error: unknown): SealRefusal => {
      if (!isCorrupt(error)) throw error;
      return { licenceId, number: error instanceof CorruptSeal ? error.number : 1, position: entry.to };
    });
    if (refusal === null) {
      refused.delete(licenceId);
      return;
    }
    if (!refused.has(licenceId)) onRefused?.(refusal);
    refused.set(licenceId, refusal);
    // Kept, so that the log is read from here again once it is the right one.
    waiting.set(licenceId, { ...entry, count: 0, due: elapsed() + sealMilliseconds, dueOf: 0 });
  };

  const isDue = ({ count, due }: Waiting): boolean => count >= sealEvents || elapsed() >= due;

  return {
    take(events) {
      for (const event of events) {
        const previous = reached;
        reached = event.position;
        const licenceId = licenceOf(event);
        if (licenceId === null) continue;
        const before = waiting.get(licenceId);
        waiting.set(licenceId, {
          after: before?.after ?? previous,
          to: event.position,
          count: (before?.count ?? 0) + 1,
          due: before?.due ?? dueOf(event),
          dueOf: before?.dueOf ?? event.position,
        });
      }
    },
    isFull: () => [...waiting.values()].some(({ count }) => count >= sealEvents),
    async settle() {
      for (const [licenceId, entry] of [...waiting].filter(([, one]) => isDue(one))) await settleOne(licenceId, entry);
    },
    refusals: () => [...refused.values()],
    lastSealed: () => lastSealed,
    followed: () => [...waiting.values()].reduce((least, { after }) => Math.min(least, after), reached),
  };
};
