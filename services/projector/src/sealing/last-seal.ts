import type { EventStore, Position } from '@zakup/event-store/event-store';
import { hashOfSeal } from '@zakup/seals/seal';
import type { HeadBook, SealHead } from '@zakup/seals/seal-heads';
import type { StoredSeal } from '@zakup/seals/seal-store';

/**
 * A licence whose log no longer holds the last event of its last seal, where it was, whose last seal is not the one that is known, or whose
 * seals or salt are stored damaged.
 */
export interface SealRefusal {
  readonly licenceId: string;
  /** Of the seal, and where its last event was; where that cannot be read, the last place that it may have been. */
  readonly number: number;
  readonly position: Position;
}

export interface LastSealDeps {
  readonly eventStore: Pick<EventStore, 'read'>;
  /** What is known of the last seals elsewhere. */
  readonly known?: Pick<HeadBook, 'of'> | undefined;
  /** What else forbids to seal a licence; null = nothing. */
  readonly doubtOf?: ((licenceId: string) => SealRefusal | null) | undefined;
}

/** Whether the log still holds the last event of the last seal where it was. */
const isOn = async (
  eventStore: LastSealDeps['eventStore'],
  { seal, position, stream, revision }: StoredSeal,
): Promise<boolean> => {
  const [event] = await eventStore.read(stream, { from: revision, to: revision });
  return event?.id === seal.lastEventId && event.position === position;
};

/** The seal that is known to be the last, when it is not in its place any more. */
const replaced = (known: SealHead | null, last: StoredSeal | null): SealHead | null => {
  if (known === null || (last !== null && last.seal.number > known.number)) return null;
  return last?.seal.number === known.number && hashOfSeal(last.seal) === known.hash ? null : known;
};

/** What forbids to put another seal on the last one of the licence; null = nothing. */
export const refusalToSeal = async (
  deps: LastSealDeps,
  licenceId: string,
  last: StoredSeal | null,
): Promise<SealRefusal | null> => {
  const doubt = deps.doubtOf?.(licenceId) ?? null;
  if (doubt !== null) return doubt;
  const known = replaced(deps.known?.of(licenceId) ?? null, last);
  if (known !== null) return { licenceId, number: known.number, position: known.position };
  return last === null || (await isOn(deps.eventStore, last))
    ? null
    : { licenceId, number: last.seal.number, position: last.position };
};
