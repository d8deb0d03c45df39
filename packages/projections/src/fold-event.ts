import type { HistoryFacts } from '@zakup/contracts/history';
import { type Decoded, decodeEvent } from '@zakup/domain/catalog';
import { categoryOf, isCategory } from '@zakup/domain/entities';
import type { RecordedEvent } from '@zakup/event-store/event-store';
import { FoldState } from './fold-state.ts';
import type { Projection } from './projection.ts';
import { projections as allProjections, rowProjections } from './projections.ts';
import type { AnyRowProjection, RowChange } from './rows/row-projection.ts';
import { beginSoftDeletable, getSoftDeletable, putSoftDeletable } from './soft-delete.ts';
import { foldable, Unfoldable } from './unfoldable.ts';
import type { WorkingSet } from './working-set.ts';

/** Streams of the command side's own book-keeping, whose events are in no catalog. */
const bookkeeping = new Set(['command']);

const isOurs = (stream: string): boolean => /^[a-z]+-[0-9a-f]{2}[^~]*~/u.test(stream);

const problemOf = (decoded: Exclude<Decoded, { kind: 'event' }>, type: string): string => {
  switch (decoded.kind) {
    case 'unknown_type':
      return `Unknown event type ${type}`;
    case 'newer_version':
      return `${type} was written by a newer version`;
    case 'invalid':
      return decoded.problem;
  }
};

const idOf = (stream: string): string => stream.slice(stream.indexOf('~') + 1);

const decode = ({ type, data, metadata: { schemaVersion } }: RecordedEvent): Decoded =>
  decodeEvent({ type, schemaVersion, data });

/** What an event that no row holds says; null when this version cannot read it, which changes nothing that others read. */
const factsIn = (event: RecordedEvent): HistoryFacts | null => {
  const decoded = decode(event);
  return decoded.kind === 'event' ? decoded.event.data : null;
};

const rowsByCategory: ReadonlyMap<string, AnyRowProjection> = new Map(rowProjections.map((one) => [one.category, one]));

const none: readonly Projection[] = [];

const listed = (lists: Map<string, Projection[]>, key: string): Projection[] => {
  const list = lists.get(key) ?? [];
  lists.set(key, list);
  return list;
};

/** Folds events one by one into the rows of a working set, and hands what became of them to projections, in their order. */
export class EventFold {
  readonly #state: FoldState;
  readonly #projections: readonly Projection[];
  readonly #byFactCategory = new Map<string, Projection[]>();
  readonly #settledBefore = new Map<string, Projection[]>();

  constructor(set: WorkingSet, projections: readonly Projection[] = allProjections) {
    this.#state = new FoldState(set);
    this.#projections = projections;
    for (const projection of projections) {
      for (const category of projection.facts?.of ?? []) listed(this.#byFactCategory, category).push(projection);
      for (const kind of projection.settleBefore ?? []) listed(this.#settledBefore, kind).push(projection);
    }
  }

  /**
   * Rejects with `Unfoldable` for an event that this version does not know or cannot follow, `ReadFailed` when the store cannot answer.
   * Undefined = there is nothing to be done.
   */
  fold(event: RecordedEvent): Promise<void> | undefined {
    const { licenceId } = event.metadata;
    const category = categoryOf(event.stream);
    const takers = this.#byFactCategory.get(category);
    if (takers !== undefined) return foldable(licenceId, event.position, () => this.#foldFact(takers, category, event));
    const row = rowsByCategory.get(category);
    if (row === undefined && (isCategory(category) || bookkeeping.has(category) || !isOurs(event.stream)))
      return undefined;
    return foldable(licenceId, event.position, () => this.#foldRow(row, event));
  }

  /** Writes the totals touched since the last time into the working set. */
  async settle(): Promise<void> {
    for (const { settle } of this.#projections) await settle?.(this.#state);
  }

  /** How many documents a commit would hold now, at most. */
  size(): number {
    return this.#state.size();
  }

  committed(): void {
    this.#state.committed();
  }

  drop(): void {
    this.#state.drop();
  }

  async #foldFact(takers: readonly Projection[], category: string, event: RecordedEvent): Promise<void> {
    const fact = { category, id: idOf(event.stream), event, facts: factsIn(event) };
    for (const { facts } of takers) await facts?.apply(fact, this.#state);
  }

  /** `row`: undefined = streams of this category have none, and the event is one of a version that knows them. */
  async #foldRow(row: AnyRowProjection | undefined, event: RecordedEvent): Promise<void> {
    const { position, type } = event;
    const { licenceId } = event.metadata;
    const decoded = decode(event);
    if (decoded.kind !== 'event') throw new Unfoldable(licenceId, position, problemOf(decoded, type));
    if (row === undefined) return;
    const { set } = this.#state;
    const id = idOf(event.stream);
    const key = { kind: row.kind, id, licenceId };
    if (event.revision === 0) beginSoftDeletable(set, key);
    for (const { settle } of this.#settledBefore.get(row.kind) ?? none) await settle?.(this.#state);
    let stored = getSoftDeletable(set, key);
    if (stored instanceof Promise) stored = await stored;
    const before = stored?.data ?? null;
    const after = row.fold(before, decoded.event, event, id);
    const written = putSoftDeletable(set, key, {
      position,
      scopes: row.scopes(after),
      data: after,
      hidden: row.hidden(after),
      wasHidden: stored?.hidden ?? null,
    });
    if (written !== undefined) await written;
    const change = {
      kind: row.kind,
      id,
      licenceId,
      position,
      event,
      decoded: decoded.event,
      before,
      after,
    } as RowChange;
    for (const projection of this.#projections) {
      const work = projection.apply(change, this.#state);
      if (work !== undefined) await work;
    }
  }
}
