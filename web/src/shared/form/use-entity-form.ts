import type { Conflict } from '@zakup/contracts/problems';
import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import type { Reply } from '../api/api-client.ts';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { type Send, useSend } from './use-send.ts';

/** Fields as the form holds them, by the names that conflicts use: `name`, `permissions/reports`. */
export type FormValues = Readonly<Record<string, unknown>>;

export interface EntityFormSpec<Doc, Data> {
  /** The entity as the replica has it now; null while a new one is made. */
  readonly doc: Doc | null;
  readonly valuesOf: (doc: Doc | null) => FormValues;
  /** Members of the request; `touched` are the fields that differ from what the person saw (all of a new one). */
  readonly bodyOf: (
    values: FormValues,
    touched: ReadonlySet<string>,
    seen: Doc | null,
  ) => Readonly<Record<string, unknown>>;
  readonly schema: z.ZodType;
  readonly send: (send: Send, body: object) => Promise<Reply<Data>>;
  /** The entity in an answer, ahead of the replica. */
  readonly docOf: (data: Data) => Doc;
  readonly onSaved: (data: Data) => void;
  /** Field that a refusal as duplicate speaks about. */
  readonly duplicate?: string;
}

export interface ConflictState {
  readonly conflicts: readonly Conflict[];
  readonly revision: number;
}

export interface EntityForm {
  readonly values: FormValues;
  /** The value as text; blank when absent. */
  readonly text: (field: string) => string;
  readonly flag: (field: string) => boolean;
  readonly set: (changes: FormValues) => void;
  /** Text of the error at a field such as `participants.0.budget`. */
  readonly error: (field: string) => string | undefined;
  readonly problem: string | null;
  readonly conflict: ConflictState | null;
  /** False until the new values that a conflict speaks about are here. */
  readonly conflictReady: boolean;
  readonly busy: boolean;
  readonly dirty: boolean;
  /** How often fields were found wrong, here or by the server. */
  readonly refusals: number;
  readonly submit: (event: FormEvent) => void;
  readonly takeTheirs: () => void;
  readonly keepMine: () => void;
  /** Forgets what was typed. */
  readonly reset: () => void;
}

interface Seen<Doc> {
  readonly doc: Doc;
  readonly revision: number;
}

/** A value that is text; blank otherwise. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

const firstOf = (errors: readonly (readonly [string, string])[]): Readonly<Record<string, string>> => {
  const found: Record<string, string> = {};
  for (const [field, text] of errors) found[field] ??= text;
  return found;
};

/**
 * A form over a living entity: only what the person changed is held and sent, everything else follows the replica.
 * Checks by the request's own schema, shows all errors, puts the keyboard into the first wrong field.
 */
export const useEntityForm = <Doc extends { readonly revision: number }, Data>(
  spec: EntityFormSpec<Doc, Data>,
): EntityForm => {
  const send = useSend();
  const [answered, setAnswered] = useState<Doc | null>(null);
  const [edits, setEdits] = useState<FormValues>({});
  const [seen, setSeen] = useState<Seen<Doc> | null>(null);
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({});
  const [refusals, setRefusals] = useState(0);
  const [problem, setProblem] = useState<string | null>(null);
  const [conflict, setConflict] = useState<ConflictState | null>(null);
  const [busy, setBusy] = useState(false);

  const current = answered !== null && spec.doc !== null && answered.revision > spec.doc.revision ? answered : spec.doc;
  const values = { ...spec.valuesOf(current), ...edits };

  const set = (changes: FormValues): void => {
    const base = seen?.doc ?? current;
    const known = spec.valuesOf(base);
    const kept = Object.entries({ ...edits, ...changes }).filter(([field, value]) => !same(value, known[field]));
    setEdits(Object.fromEntries(kept));
    if (seen === null && base !== null) setSeen({ doc: base, revision: base.revision });
    const cleared = Object.keys(changes).map((field) => field.split('/')[0] ?? field);
    setErrors((before) => {
      const left = Object.entries(before).filter(([field]) => !cleared.some((name) => field.startsWith(name)));
      return left.length === Object.keys(before).length ? before : Object.fromEntries(left);
    });
    setProblem(null);
  };

  const showErrors = (found: Readonly<Record<string, string>>): void => {
    setErrors(found);
    if (Object.keys(found).length > 0) setRefusals((count) => count + 1);
  };

  const reset = (): void => {
    setEdits({});
    setSeen(null);
    setErrors({});
    setProblem(null);
    setConflict(null);
  };

  const refused = (thrown: unknown): void => {
    if (!(thrown instanceof ApiProblem)) {
      setProblem(problemText(thrown));
      return;
    }
    if (thrown.code === 'CONFLICT' && thrown.conflicts.length > 0) {
      setConflict({ conflicts: thrown.conflicts, revision: thrown.revision ?? 0 });
      return;
    }
    if (thrown.code === 'DUPLICATE' && spec.duplicate !== undefined) {
      showErrors({ [spec.duplicate]: thrown.message });
      return;
    }
    const named = firstOf(
      thrown.errors.map(({ pointer, detail }) => [pointer.replace(/^\//u, '').replaceAll('/', '.'), detail]),
    );
    showErrors(named);
    setProblem(Object.hasOwn(named, 'baseRevision') || thrown.errors.length === 0 ? thrown.message : null);
  };

  const save = async (from: Seen<Doc> | null): Promise<void> => {
    const touched = new Set(Object.keys(current === null ? values : edits));
    const body = spec.bodyOf({ ...spec.valuesOf(from?.doc ?? null), ...edits }, touched, from?.doc ?? null);
    const checked = spec.schema.safeParse(body);
    const found = checked.success
      ? {}
      : firstOf(checked.error.issues.map((issue) => [issue.path.map(String).join('.'), issue.message]));
    showErrors(found);
    setProblem(null);
    if (!checked.success) return;
    setBusy(true);
    try {
      const { data } = await spec.send(send, from === null ? body : { ...body, baseRevision: from.revision });
      setAnswered(spec.docOf(data));
      reset();
      spec.onSaved(data);
    } catch (thrown) {
      setConflict(null);
      refused(thrown);
    } finally {
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
    error: (field) => errors[field],
    problem,
    conflict,
    conflictReady,
    busy,
    dirty: Object.keys(edits).length > 0,
    refusals,
    submit: (event) => {
      event.preventDefault();
      if (busy) return;
      start(seen ?? (current === null ? null : { doc: current, revision: current.revision }));
    },
    takeTheirs: () => {
      if (conflict === null || current === null) return;
      const lost = new Set(conflict.conflicts.map(({ field }) => field));
      setEdits(Object.fromEntries(Object.entries(edits).filter(([field]) => !lost.has(field))));
      setSeen({ doc: current, revision: conflict.revision });
      setConflict(null);
    },
    keepMine: () => {
      if (conflict === null || current === null) return;
      const from = { doc: current, revision: conflict.revision };
      setSeen(from);
      start(from);
    },
    reset,
  };
};
