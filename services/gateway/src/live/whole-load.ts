import { createYielder } from '@zakup/async/yielder';
import type { ReadModelDeps } from '../read-models/read-model-deps.ts';
import { mapYielding } from '@zakup/async/map-yielding';
import { messageOf, type Part, partsOf } from './load-parts.ts';
import type { Encoded } from './outgoing.ts';
import type { Read } from './scope-read.ts';
import { keyOf, scopeReader } from './scope-reader.ts';
import type { Scope } from './scope.ts';
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

/** All of a scope as a view is shown it, written. */
export interface WholeLoad {
  readonly position: number;
  /** The newest of its documents may be newer than its position. */
  readonly reaches: number;
  readonly documents: number;
  readonly parts: readonly WrittenPart[];
  readonly grown: readonly Grown[];
}

/** Reads and writes all of a campaign's or a contractor's scope, which is nobody's own. */
export const wholeLoad = async (
  { now, ...deps }: Pick<ReadModelDeps, 'readStore' | 'partition' | 'now'>,
  licenceId: string,
  scope: Scope,
  view: View,
): Promise<WholeLoad> => {
  const { docs, position } = await scopeReader(deps, licenceId, scope, () => false)(undefined);
  const yieldIfDue = createYielder({ long: true });
  const instant = (): string => new Date(now()).toISOString();
  const parts: WrittenPart[] = [];
  for (const part of partsOf(docs)) {
    const shown = { scope: scope.name, view, position, extras: [], instant, yieldIfDue };
    parts.push({ progress: part.progress, message: await messageOf(part, shown) });
  }
  const grown = await mapYielding(
    grownIn(docs, view, instant()),
    ({ doc, ...one }) => ({ ...one, text: JSON.stringify(doc) }),
    yieldIfDue,
  );
  return { position, reaches: newestOf({ docs, position }), documents: docs.length, parts, grown };
};
