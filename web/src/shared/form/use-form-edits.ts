import { useRef, useState } from 'react';

/** Fields as the form holds them, by the names that conflicts use: `name`, `permissions/reports`. */
export type FormValues = Readonly<Record<string, unknown>>;

/** The entity that edits stand on. */
export interface Seen<Doc> {
  readonly doc: Doc;
  readonly revision: number;
}

export interface BegunEdits {
  /** Fields that differ from the entity. */
  readonly edits: FormValues;
  /** Revision that they stand on; null = the newest. */
  readonly baseRevision: number | null;
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The edits that differ from one of these states of the entity at least. */
const differing = (edits: FormValues, states: readonly FormValues[]): FormValues =>
  Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => states.some((state) => !same(value, state[field]))),
  );

export const isEmpty = (edits: FormValues): boolean => Object.keys(edits).length === 0;

/** What a person typed over a living entity, `current` as it is now, and the state of it that this stands on. */
export const useFormEdits = <Doc extends { readonly revision: number }>(
  {
    doc: first,
    valuesOf,
    begun,
  }: {
    readonly doc: Doc | null;
    readonly valuesOf: (doc: Doc | null) => FormValues;
    /** What the person typed before, to go on from; read once. */
    readonly begun?: BegunEdits | null;
  },
  current: Doc | null,
) => {
  const [edits, setEdits] = useState<FormValues>(begun?.edits ?? {});
  // The same without waiting for a render: an answer comes while more is typed.
  const held = useRef<FormValues>(edits);
  /** The edits that a save under way has sent. */
  const sending = useRef<FormValues | null>(null);
  const [seen, setSeen] = useState<Seen<Doc> | null>(() =>
    begun && first ? { doc: first, revision: begun.baseRevision ?? first.revision } : null,
  );

  /** What the next edit stands on. */
  const start = (): Seen<Doc> | null =>
    seen ?? (current === null ? null : { doc: current, revision: current.revision });

  /** Edits stand on what was seen when the first of them was made; without edits nothing was. */
  const hold = (next: FormValues, from: Seen<Doc> | null): void => {
    held.current = next;
    setEdits(next);
    setSeen(isEmpty(next) ? null : from);
  };

  const change = (changes: FormValues): void => {
    const from = start();
    const there = valuesOf(current);
    // An old value is an edit too where somebody else changed the field, or a save under way does.
    const states = [valuesOf(from?.doc ?? null), there, { ...there, ...sending.current }];
    hold(differing({ ...held.current, ...changes }, states), from);
  };

  /** What was typed while `sent` was saved goes on from the answer. */
  const goOn = (doc: Doc, sent: FormValues): void => {
    const more = Object.entries(held.current).filter(
      ([field, value]) => !Object.hasOwn(sent, field) || !same(value, sent[field]),
    );
    hold(differing(Object.fromEntries(more), [valuesOf(doc)]), { doc, revision: doc.revision });
  };

  return {
    edits,
    /** The edits without waiting for a render. */
    typed: (): FormValues => held.current,
    start,
    hold,
    change,
    beginSave: (): void => {
      sending.current = edits;
    },
    endSave: (): void => {
      sending.current = null;
    },
    goOn,
  };
};
