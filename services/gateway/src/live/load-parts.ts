import type { Change, LoadProgress } from '@zakup/contracts/socket';
import type { YieldIfDue } from '@zakup/async/yielder';
import { mapYielding } from '@zakup/async/map-yielding';
import { type Encoded, encodedChanges } from './outgoing.ts';
import { changesFor, type StoredChange, type View } from './view.ts';
import { kindsOf, sameFor } from './encode-changes.ts';

/** What goes in one message of a load, made once for all who are shown the same of it. */
export interface Part {
  readonly docs: readonly StoredChange[];
  /** How far the load is with it; null = done. */
  readonly progress: LoadProgress | null;
  readonly kinds: ReadonlySet<string>;
  readonly messages: Map<string, Promise<Encoded | null>>;
}

/** Documents of the store in one message of a load; each becomes at most two on the wire. */
export const loadSlice = 250;

/** `progress` with this part; with all that there is it is the last one. */
export const partOf = (docs: readonly StoredChange[], progress: LoadProgress): Part => ({
  docs,
  progress: progress.sent < progress.total ? progress : null,
  kinds: kindsOf(docs),
  messages: new Map(),
});

export const partsOf = (docs: readonly StoredChange[]): readonly Part[] =>
  Array.from({ length: Math.max(1, Math.ceil(docs.length / loadSlice)) }, (_, index) => {
    const end = (index + 1) * loadSlice;
    return partOf(docs.slice(index * loadSlice, end), { sent: end, total: docs.length });
  });

interface Shown {
  readonly scope: string;
  readonly view: View;
  readonly position: number;
  /** Beside it; made for this message alone. */
  readonly extras: readonly Change[];
  readonly instant: () => string;
  readonly yieldIfDue: YieldIfDue;
}

const written = async (part: Part, { scope, view, position, extras, instant, yieldIfDue }: Shown) => {
  const now = instant();
  const changes = (await mapYielding(part.docs, (stored) => changesFor(view, [stored], now), yieldIfDue)).flat();
  const last = part.progress === null;
  if (!last && changes.length === 0) return null;
  const docs = await mapYielding([...changes, ...extras], (change) => JSON.stringify(change), yieldIfDue);
  return encodedChanges({ scope, position, docs, last, ...(part.progress !== null && { progress: part.progress }) });
};

/** The part as a view is shown it; null = nothing of it, and more comes. */
export const messageOf = (part: Part, shown: Shown): Promise<Encoded | null> => {
  if (shown.extras.length > 0) return written(part, shown);
  const key = sameFor(shown.view, part.kinds);
  const made = part.messages.get(key) ?? written(part, shown);
  part.messages.set(key, made);
  return made;
};
