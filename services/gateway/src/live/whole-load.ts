import { createYielder } from '@zakup/async/yielder';
import type { ReadModelDeps } from '../read-models/read-model-deps.ts';
import { type LineColumns, lineColumns } from './campaign-lines.ts';
import { isEarned } from './earnings-reader.ts';
import { loadSlice, messageOf, type Part, partOf } from './load-parts.ts';
import type { Encoded } from './outgoing.ts';
import type { Read } from './scope-read.ts';
import { keyOf } from './scope-reader.ts';
import type { Scope } from './scope.ts';
import { readInSlices } from './scope-slices.ts';
import { changesFor, type StoredChange, variantOf, type View } from './view.ts';

/** Documents that grow with the rows of a campaign: the first change after a load is to be as short as the next ones. */
const growing: ReadonlySet<string> = new Set(['analytics', 'earnings']);

export const newestOf = ({ docs, position }: Pick<Read, 'docs' | 'position'>): number =>
  docs.reduce((newest, change) => Math.max(newest, change.position), position);

/** A document that grows, as it was sent. */
export interface Grown {
  readonly name: string;
  readonly variant: string;
  readonly position: number;
  readonly text: string;
}

/** Of what was read those that grow, as the view is shown them. */
export const grownIn = (docs: readonly StoredChange[], view: View, now: string) =>
  docs
    .filter(({ doc, gone }) => growing.has(doc.kind) && !gone)
    .flatMap((stored) =>
      changesFor(view, [stored], now).map(({ kind, doc }) => {
        const variant = `${kind} ${variantOf(view, stored.doc.kind)}`;
        return { name: keyOf(stored), variant, position: stored.position, doc };
      }),
    );

/** One message of a load. */
export interface WrittenPart extends Pick<Part, 'progress'> {
  /** Null = the view is shown nothing of it, and more comes. */
  readonly message: Encoded | null;
}

/** What is known of a load once all of it is written. */
export interface LoadEnd {
  /** The newest of its documents may be newer than its position. */
  readonly reaches: number;
  readonly documents: number;
  readonly grown: readonly Grown[];
}

/** All of a scope as a view is shown it, while it is being written. */
export interface ArrivingLoad {
  readonly position: number;
  /** In order, each as soon as it is written, for each who iterates; throws where the load breaks off. */
  readonly parts: AsyncIterable<WrittenPart>;
  /** Rejects where the load breaks off. */
  readonly end: Promise<LoadEnd>;
}

export interface LoadTaker {
  readonly begun: (position: number) => void;
  readonly part: (part: WrittenPart) => void;
  /** Of the placements of each part, before it. */
  readonly lines?: (lines: LineColumns) => void;
}

/** Reads and writes all of a campaign's or a contractor's scope, which is nobody's own, part after part. Rejects with what the taker throws. */
export const writeLoad = async (
  { now, ...deps }: Pick<ReadModelDeps, 'readStore' | 'partition' | 'now'>,
  licenceId: string,
  scope: Scope,
  view: View,
  taker: LoadTaker,
): Promise<LoadEnd> => {
  const instant = (): string => new Date(now()).toISOString();
  const yieldIfDue = createYielder({ long: true });
  const grown: Grown[] = [];
  let [position, total, sent, reaches] = [0, 0, 0, 0];
  let waiting: StoredChange[] = [];

  const send = async (docs: readonly StoredChange[], isLast: boolean): Promise<void> => {
    sent += docs.length;
    const part = partOf(docs, { sent: isLast ? total : sent, total });
    const shown = { scope: scope.name, view, position, extras: [], instant, yieldIfDue };
    taker.lines?.(lineColumns(docs));
    taker.part({ progress: part.progress, message: await messageOf(part, shown) });
    for (const { doc, ...one } of grownIn(docs, view, instant())) grown.push({ ...one, text: JSON.stringify(doc) });
  };

  await readInSlices(deps, licenceId, scope, {
    begun(at) {
      ({ position, total } = at);
      reaches = position;
      taker.begun(position);
    },
    async take(docs) {
      reaches = newestOf({ docs, position: reaches });
      waiting.push(...docs);
      // What is there at the end is the last part, so as much is kept back. Earnings with their lines are as long as many rows.
      const most = docs.some(isEarned) ? 1 : loadSlice;
      while (waiting.length > most) {
        const next = waiting.slice(0, Math.min(loadSlice, waiting.length - 1));
        waiting = waiting.slice(next.length);
        await send(next, false);
      }
    },
  });
  await send(waiting, true);
  return { reaches, documents: sent, grown };
};
