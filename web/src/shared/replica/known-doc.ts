import type { DocKind } from '@zakup/contracts/wire-entities';

/** What is known of a scope. */
export interface ScopeState {
  readonly name: string;
  /** The last complete one; null before the first load and after a reset. */
  position: number | null;
  drawn: boolean;
  /** After a reset: what is not in the next complete load goes. */
  replacing: boolean;
  /** When it was last asked for, in asks of any scope. */
  asked: number;
  /** When the load was asked for that brought all of it, in asks of any scope; 0 while there is none. */
  loaded: number;
  /** Of what it said something of. */
  keys: Set<string>;
}

/** What a scope last said of a document: where it stands, and what it is there, `null` when it is gone. */
export interface Said {
  readonly scope: ScopeState;
  readonly position: number;
  readonly doc: unknown;
  /** How often any scope had been asked for when it was heard. */
  readonly heard: number;
}

/** What a first load has brought and nothing else knows: in its place already, and out of sight until the load is complete. */
export interface Load {
  complete: boolean;
  readonly keys: Set<string>;
  readonly kinds: Set<DocKind>;
}

export interface KnownDoc {
  readonly key: string;
  readonly kind: DocKind;
  /** What is shown of it; null = nothing, as it is nowhere. */
  doc: unknown;
  /** One for each scope that said something, few at most; none while the document is on its way. Scopes do not move together. */
  readonly said: Said[];
  /** Of which it came, while nothing else had brought it. */
  load: Load | null;
}

/** Keys of what changed, with their kinds. */
export type Touched = Map<string, DocKind>;

export const keyOf = (kind: DocKind, id: string): string => `${kind}\u0000${id}`;

export const saidIn = ({ said }: KnownDoc, scope: ScopeState): Said | undefined =>
  said.find((one) => one.scope === scope);

/** In its place, and out of sight until its load is complete. */
export const isArriving = ({ load }: KnownDoc): boolean => load !== null && !load.complete;

export const isVisible = (known: KnownDoc): boolean => known.doc !== null && !isArriving(known);

export const isIn = (known: KnownDoc, scope: ScopeState): boolean =>
  !isArriving(known) && (saidIn(known, scope)?.doc ?? null) !== null;

/**
 * What is to be shown, of what all scopes say: the highest position. Only what was heard before another scope that has the document was asked
 * for all of its own is older than that, whatever its position: where they differ, positions have begun anew.
 */
export const newestOf = (said: readonly Said[]): unknown => {
  if (said.length === 1) return said[0]?.doc ?? null;
  const present = said.filter(({ doc }) => doc !== null);
  let newest: Said | undefined;
  for (const one of present) {
    if (present.some(({ scope }) => scope.loaded > one.heard)) continue;
    if (!newest || one.position > newest.position) newest = one;
    else if (one.position === newest.position && one.scope.loaded > newest.scope.loaded) newest = one;
  }
  return newest?.doc ?? null;
};
