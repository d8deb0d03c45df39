import { type FormEvent, useState } from 'react';
import type { z } from 'zod';
import type { Reply } from '../api/api-client.ts';
import { problemText } from '../api/api-problem.ts';
import { type BegunEdits, type FormValues, isEmpty, type Seen, useFormEdits } from './use-form-edits.ts';
import { type ConflictState, useFormProblems } from './use-form-problems.ts';
import { type Send, useSend } from './use-send.ts';

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

export interface BegunForm extends BegunEdits {
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

/** A value that is text; blank otherwise. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/**
 * A form over a living entity: only what the person changed is held and sent, everything else follows the replica.
 * Checks by the request's own schema and tells the first error of every field; `CheckedForm` puts the keyboard into the first wrong one.
 */
export const useEntityForm = <Doc extends { readonly revision: number }, Data>(
  spec: EntityFormSpec<Doc, Data>,
): EntityForm => {
  const send = useSend();
  const [answered, setAnswered] = useState<Doc | null>(null);
  const [busy, setBusy] = useState(false);
  const current = answered !== null && spec.doc !== null && answered.revision > spec.doc.revision ? answered : spec.doc;
  const { edits, typed, start, hold, change, beginSave, endSave, goOn } = useFormEdits(spec, current);
  const problems = useFormProblems(spec);
  const { errors, conflict } = problems;
  const values = { ...spec.valuesOf(current), ...edits };

  const set = (changes: FormValues): void => {
    change(changes);
    problems.forget(Object.keys(changes));
  };

  const save = async (from: Seen<Doc> | null): Promise<void> => {
    const touched = new Set(Object.keys(current === null ? values : edits));
    const body = spec.bodyOf({ ...spec.valuesOf(from?.doc ?? null), ...edits }, touched, from?.doc ?? null);
    if (!problems.check(body)) return;
    setBusy(true);
    beginSave();
    try {
      const { data, kept = false } = await spec.send(
        send,
        from === null ? body : { ...body, baseRevision: from.revision },
      );
      const doc = spec.docOf(data);
      setAnswered(doc);
      goOn(doc, edits);
      problems.clear();
      spec.onSaved?.(data, kept);
      if (isEmpty(typed())) spec.onDone?.();
    } catch (thrown) {
      problems.refuse(thrown);
    } finally {
      endSave();
      setBusy(false);
    }
  };
  const saveFrom = (from: Seen<Doc> | null): void => {
    save(from).catch((thrown: unknown) => problems.setProblem(problemText(thrown)));
  };

  return {
    values,
    text: (field) => textOf(values[field]),
    flag: (field) => values[field] === true,
    set,
    field: (name) => ({
      value: textOf(values[name]),
      error: errors[name],
      onChange: (text) => set({ [name]: text }),
    }),
    error: (field) => errors[field],
    problem: problems.problem,
    conflict,
    conflictReady: conflict !== null && current !== null && current.revision >= conflict.revision,
    busy,
    dirty: !isEmpty(edits),
    submit: (event) => {
      event.preventDefault();
      if (!busy) saveFrom(start());
    },
    takeTheirs: () => {
      if (conflict === null || current === null) return;
      spec.begun?.onTheirs();
      const lost = new Set(conflict.conflicts.map(({ field }) => field));
      hold(Object.fromEntries(Object.entries(edits).filter(([field]) => !lost.has(field))), {
        doc: current,
        revision: conflict.revision,
      });
      problems.settle();
    },
    keepMine: () => {
      if (conflict === null || current === null) return;
      const from = { doc: current, revision: conflict.revision };
      hold(typed(), from);
      saveFrom(from);
    },
  };
};
