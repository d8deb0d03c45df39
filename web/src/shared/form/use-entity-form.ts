import type { Conflict } from '@zakup/contracts/problems';
import { type FormEvent, useRef, useState } from 'react';
import type { z } from 'zod';
import type { Reply } from '../api/api-client.ts';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { useOpenConflict } from './open-conflicts.ts';
import { type Send, useSend } from './use-send.ts';

/** Fields as the form holds them, by the names that conflicts use: `name`, `permissions/reports`. */
export type FormValues = Readonly<Record<string, unknown>>;

export interface EntityFormSpec<Doc, Data> {
  /** The entity as the replica has it now; null while a new one is made, and from then on the one that was made. */
  readonly doc: Doc | null;
  readonly valuesOf: (doc: Doc | null) => FormValues;
  /** Members of the request; `touched` are the fields that differ from what the person saw (all of a new one). */
  readonly bodyOf: (
    values: FormValues,
    touched: ReadonlySet<string>,
    seen: Doc | null,
  ) => Readonly<Record<string, unknown>>;
  readonly schema: z.ZodType;
  readonly send: (send: Send, body: object) => Promise<Reply<Data> & { readonly kept?: boolean }>;
  /** What the person typed before, to go on from; read once. */
  readonly begun?: BegunForm | null;
  /** The entity in an answer, ahead of the replica. */
  readonly docOf: (data: Data) => Doc;
  /** `kept`: not on the server yet, it will be sent. */
  readonly onSaved?: (data: Data, kept: boolean) => void;
  /** After a save while which nothing more was typed: a dialog closes. */
  readonly onDone?: () => void;
  /** Field that a refusal as duplicate speaks about. */
  readonly duplicate?: string;
}

export interface ConflictState {
  readonly conflicts: readonly Conflict[];
  readonly revision: number;
}

export interface BegunForm {
  /** Fields that differ from the entity. */
  readonly edits: FormValues;
  /** Revision that they stand on; null = the newest. */
  readonly baseRevision: number | null;
  readonly conflict: ConflictState | null;
  /** «Взять новое». */
  readonly onTheirs: () => void;
}

export interface EntityForm {
  readonly values: FormValues;
  /** The value as text; blank when absent. */
  readonly text: (field: string) => string;
  readonly flag: (field: string) => boolean;
  readonly set: (changes: FormValues) => void;
  /** What a field of text or a choice is given: what is typed stays as it is. */
  readonly field: (name: string) => {
    readonly value: string;
    readonly error: string | undefined;
    readonly onChange: (typed: string) => void;
  };
  /** Text of the error at a field such as `participants.0.budget`. */
  readonly error: (field: string) => string | undefined;
  readonly problem: string | null;
  readonly conflict: ConflictState | null;
  /** False until the new values that a conflict speaks about are here. */
  readonly conflictReady: boolean;
  readonly busy: boolean;
  readonly dirty: boolean;
  readonly submit: (event: FormEvent) => void;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
}

interface Seen<Doc> {
  readonly doc: Doc;
  readonly revision: number;
}

/** A value that is text; blank otherwise. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

/** The edits that differ from one of these states of the entity at least. */
const differing = (edits: FormValues, states: readonly FormValues[]): FormValues =>
  Object.fromEntries(
    Object.entries(edits).filter(([field, value]) => states.some((state) => !same(value, state[field]))),
  );

const isEmpty = (edits: FormValues): boolean => Object.keys(edits).length === 0;

const firstOf = (errors: readonly (readonly [string, string])[]): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const [field, text] of errors) found[field] ??= text;
  return found;
};

/**
 * A form over a living entity: only what the person changed is held and sent, everything else follows the replica.
 * Checks by the request's own schema and tells the first error of every field; `CheckedForm` puts the keyboard into the first wrong one.
 */
export const useEntityForm = <Doc extends { readonly revision: number }, Data>(
  spec: EntityFormSpec<Doc, Data>,
): EntityForm => {
  const send = useSend();
  const [answered, setAnswered] = useState<Doc | null>(null);
  const [edits, setEdits] = useState<FormValues>(spec.begun?.edits ?? {});
  // The same without waiting for a render: an answer comes while more is typed.
  const held = useRef<FormValues>(edits);
  /** The edits that a save under way has sent. */
  const sending = useRef<FormValues | null>(null);
  const [seen, setSeen] = useState<Seen<Doc> | null>(() =>
    spec.begun && spec.doc ? { doc: spec.doc, revision: spec.begun.baseRevision ?? spec.doc.revision } : null,
  );
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [conflict, setConflict] = useState<ConflictState | null>(spec.begun?.conflict ?? null);
  const [busy, setBusy] = useState(false);
  /** The errors at the fields are the server's: what stands there is not saved. */
  const [refusedAtField, setRefusedAtField] = useState(false);
  useOpenConflict(refusedAtField && Object.keys(errors).length > 0);

  const current = answered !== null && spec.doc !== null && answered.revision > spec.doc.revision ? answered : spec.doc;
  const values = { ...spec.valuesOf(current), ...edits };

  /** Edits stand on what was seen when the first of them was made; without edits nothing was. */
  const hold = (next: FormValues, from: Seen<Doc> | null): void => {
    held.current = next;
    setEdits(next);
    setSeen(isEmpty(next) ? null : from);
  };

  const set = (changes: FormValues): void => {
    const from = seen ?? (current === null ? null : { doc: current, revision: current.revision });
    const there = spec.valuesOf(current);
    // An old value is an edit too where somebody else changed the field, or a save under way does.
    const states = [spec.valuesOf(from?.doc ?? null), there, { ...there, ...sending.current }];
    hold(differing({ ...held.current, ...changes }, states), from);
    const cleared = Object.keys(changes).map((field) => field.split('/')[0] ?? field);
    setErrors((before) => {
      const left = Object.entries(before).filter(([field]) => !cleared.some((name) => field.startsWith(name)));
      return left.length === Object.keys(before).length ? before : Object.fromEntries(left);
    });
    setProblem(null);
  };

  const restart = (left: FormValues, from: Seen<Doc> | null): void => {
    hold(left, from);
    setErrors({});
    setProblem(null);
    setConflict(null);
  };

  /** What was typed while `sent` was saved goes on from the answer. */
  const goOn = (doc: Doc, sent: FormValues): void => {
    const more = Object.entries(held.current).filter(
      ([field, value]) => !Object.hasOwn(sent, field) || !same(value, sent[field]),
    );
    restart(differing(Object.fromEntries(more), [spec.valuesOf(doc)]), { doc, revision: doc.revision });
  };

  const refused = (thrown: unknown): void => {
    setRefusedAtField(true);
    if (!(thrown instanceof ApiProblem)) {
      setProblem(problemText(thrown));
      return;
    }
    if (thrown.code === 'CONFLICT' && thrown.conflicts.length > 0) {
      setConflict({ conflicts: thrown.conflicts, revision: thrown.revision ?? 0 });
      return;
    }
    if (thrown.code === 'DUPLICATE' && spec.duplicate !== undefined) {
      setErrors({ [spec.duplicate]: thrown.message });
      return;
    }
    const named = firstOf(
      thrown.errors.map(({ pointer, detail }) => [pointer.replace(/^\//u, '').replaceAll('/', '.'), detail]),
    );
    setErrors(named);
    setProblem(Object.hasOwn(named, 'baseRevision') || thrown.errors.length === 0 ? thrown.message : null);
  };

  const save = async (from: Seen<Doc> | null): Promise<void> => {
    const touched = new Set(Object.keys(current === null ? values : edits));
    const body = spec.bodyOf({ ...spec.valuesOf(from?.doc ?? null), ...edits }, touched, from?.doc ?? null);
    const checked = spec.schema.safeParse(body);
    const found = checked.success
      ? {}
      : firstOf(checked.error.issues.map((issue) => [issue.path.map(String).join('.'), issue.message]));
    setErrors(found);
    setRefusedAtField(false);
    setProblem(null);
    if (!checked.success) return;
    setBusy(true);
    sending.current = edits;
    try {
      const { data, kept = false } = await spec.send(
        send,
        from === null ? body : { ...body, baseRevision: from.revision },
      );
      const doc = spec.docOf(data);
      setAnswered(doc);
      goOn(doc, edits);
      spec.onSaved?.(data, kept);
      if (isEmpty(held.current)) spec.onDone?.();
    } catch (thrown) {
      setConflict(null);
      refused(thrown);
    } finally {
      sending.current = null;
      setBusy(false);
    }
  };

  const conflictReady = conflict !== null && current !== null && current.revision >= conflict.revision;
  const start = (from: Seen<Doc> | null): void => {
    save(from).catch((thrown: unknown) => setProblem(problemText(thrown)));
  };

  return {
    values,
    text: (field) => textOf(values[field]),
    flag: (field) => values[field] === true,
    set,
    field: (name) => ({
      value: textOf(values[name]),
      error: errors[name],
      onChange: (typed) => set({ [name]: typed }),
    }),
    error: (field) => errors[field],
    problem,
    conflict,
    conflictReady,
    busy,
    dirty: !isEmpty(edits),
    submit: (event) => {
      event.preventDefault();
      if (busy) return;
      start(seen ?? (current === null ? null : { doc: current, revision: current.revision }));
    },
    takeTheirs: () => {
      if (conflict === null || current === null) return;
      spec.begun?.onTheirs();
      const lost = new Set(conflict.conflicts.map(({ field }) => field));
      hold(Object.fromEntries(Object.entries(edits).filter(([field]) => !lost.has(field))), {
        doc: current,
        revision: conflict.revision,
      });
      setConflict(null);
    },
    keepMine: () => {
      if (conflict === null || current === null) return;
      const from = { doc: current, revision: conflict.revision };
      hold(held.current, from);
      start(from);
    },
  };
};
