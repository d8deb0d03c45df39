import { setImmediate as turn } from 'node:timers/promises';
import type { EventStore, Position, RecordedEvent } from '@zakup/event-store/event-store';
import { chainOver, chainStart, sealFormat } from '@zakup/seals/chain';
import { licenceHistory, licenceOf } from '@zakup/seals/licence-history';
import { hashOfSeal, noSeal, type SealKey, sealEvents, sealMilliseconds } from '@zakup/seals/seal';
import type { SealStore, StoredSeal } from '@zakup/seals/seal-store';

/** A later holder of the lease writes the seals. */
export class SealingLeaseLost extends Error {
  override readonly name = 'SealingLeaseLost';
}

/** A licence whose log no longer holds the last event of its last seal, where it was. */
export interface SealRefusal {
  readonly licenceId: string;
  /** Of the seal, and where its last event was. */
  readonly number: number;
  readonly position: Position;
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
  readonly random: (bytes: number) => Uint8Array;
  readonly onSealed?: (seal: StoredSeal) => void;
  /** The log no longer holds what the licence's last seal attests: nothing is put on top of it. Told once while that stays so. */
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
}

/** Events of a licence that may have no seal yet. */
interface Waiting {
  /** Where they begin, exclusive, and end: only places that the log itself has told can be read from. */
  readonly after: Position;
  readonly to: Position;
  readonly count: number;
  /** When they are due, in milliseconds since 1970. */
  readonly due: number;
}

/** Events whose chain is computed before others get their turn. */
const atOnce = 100;

const dueOf = ({ recordedAt }: RecordedEvent): number => Date.parse(recordedAt) + sealMilliseconds;

/** A seal is never dated before the one that it follows, nor before what it attests: clocks may be set back. */
const sealedAfter = (now: number, ...others: readonly (string | undefined)[]): string =>
  new Date(Math.max(now, ...others.map((at) => (at === undefined ? 0 : Date.parse(at))))).toISOString();

export const sealer = (options: SealerOptions): Sealer => {
  const { eventStore, seals, key, fence, now, random, onSealed, onRefused } = options;
  const waiting = new Map<string, Waiting>();
  const refused = new Map<string, SealRefusal>();
  let reached = options.after;

  const unsealed = async (licenceId: string, after: Position, to: Position): Promise<readonly RecordedEvent[]> => {
    const found: RecordedEvent[] = [];
    for await (const events of licenceHistory(eventStore, licenceId, { after, to, page: sealEvents })) {
      found.push(...events);
      if (found.length >= sealEvents) break;
    }
    return found.slice(0, sealEvents);
  };

  /** Whether the log still holds the last event of the last seal where it was. */
  const isOn = async ({ seal, position, stream, revision }: StoredSeal): Promise<boolean> => {
    const [event] = await eventStore.read(stream, { from: revision, to: revision });
    return event?.id === seal.lastEventId && event.position === position;
  };

  const sealOver = async (
    licenceId: string,
    last: StoredSeal | null,
    events: readonly [RecordedEvent, ...RecordedEvent[]],
  ): Promise<StoredSeal> => {
    const saltKey = await seals.saltKey(licenceId, () => random(32));
    let chain = last?.seal.chain ?? chainStart(licenceId);
    for (let from = 0; from < events.length; from += atOnce) {
      chain = chainOver(chain, saltKey, events.slice(from, from + atOnce));
      await turn();
    }
    const end = events.at(-1) ?? events[0];
    const seal = key.sign({
      format: sealFormat,
      licenceId,
      number: (last?.seal.number ?? 0) + 1,
      total: (last?.seal.total ?? 0) + events.length,
      count: events.length,
      firstEventId: events[0].id,
      lastEventId: end.id,
      chain,
      previous: last === null ? noSeal : hashOfSeal(last.seal),
      sealedAt: sealedAfter(now(), last?.seal.sealedAt, end.recordedAt),
    });
    return { seal, position: end.position, stream: end.stream, revision: end.revision };
  };

  const settleOne = async (licenceId: string, { after, to }: Waiting): Promise<void> => {
    for (;;) {
      const last = await seals.last(licenceId);
      if (last !== null && !(await isOn(last))) {
        const refusal = { licenceId, number: last.seal.number, position: last.position };
        if (!refused.has(licenceId)) onRefused?.(refusal);
        refused.set(licenceId, refusal);
        // Kept, so that the log is read from here again once it is the right one.
        waiting.set(licenceId, { after, to, count: 0, due: now() + sealMilliseconds });
        return;
      }
      refused.delete(licenceId);
      const [first, ...others] = await unsealed(licenceId, Math.max(last?.position ?? 0, after), to);
      if (first === undefined) {
        waiting.delete(licenceId);
        return;
      }
      const count = 1 + others.length;
      const due = dueOf(first);
      if (count < sealEvents && now() < due) {
        waiting.set(licenceId, { after: Math.max(last?.position ?? 0, after), to, count, due });
        return;
      }
      const next = await sealOver(licenceId, last, [first, ...others]);
      const result = await seals.add(next, fence);
      if (result.kind === 'lost_lease')
        throw new SealingLeaseLost(`Somebody with fence ${result.fence} writes the seals`);
      if (result.kind === 'added') onSealed?.(next);
    }
  };

  const isDue = ({ count, due }: Waiting): boolean => count >= sealEvents || now() >= due;

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
        });
      }
    },
    isFull: () => [...waiting.values()].some(({ count }) => count >= sealEvents),
    async settle() {
      for (const [licenceId, entry] of [...waiting].filter(([, one]) => isDue(one))) await settleOne(licenceId, entry);
    },
    refusals: () => [...refused.values()],
    followed: () => [...waiting.values()].reduce((least, { after }) => Math.min(least, after), reached),
  };
};
