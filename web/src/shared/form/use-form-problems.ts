import type { Conflict } from '@zakup/contracts/problems';
import { useState } from 'react';
import type { z } from 'zod';
import { ApiProblem, problemText } from '../api/api-problem.ts';
import { useOpenConflict } from './open-conflicts.ts';

export interface ConflictState {
  readonly conflicts: readonly Conflict[];
  readonly revision: number;
}

type FieldErrors = Readonly<Record<string, string>>;

const firstOf = (errors: readonly (readonly [string, string])[]): FieldErrors => {
  const found: Record<string, string> = {};
  for (const [field, text] of errors) found[field] ??= text;
  return found;
};

/** What is wrong with a form: at its fields by the request's schema or the server, with all of it, and where somebody else was faster. */
export const useFormProblems = ({
  schema,
  duplicate,
  begun,
}: {
  readonly schema: z.ZodType;
  /** Field that a refusal as duplicate speaks about. */
  readonly duplicate?: string;
  readonly begun?: { readonly conflict: ConflictState | null } | null;
}) => {
  const [errors, setErrors] = useState<FieldErrors>({});
  const [problem, setProblem] = useState<string | null>(null);
  const [conflict, setConflict] = useState<ConflictState | null>(begun?.conflict ?? null);
  /** The errors at the fields are the server's: what stands there is not saved. */
  const [refusedAtField, setRefusedAtField] = useState(false);
  useOpenConflict(refusedAtField && Object.keys(errors).length > 0);

  /** Whether a request may be sent. */
  const check = (body: object): boolean => {
    const checked = schema.safeParse(body);
    setErrors(
      checked.success
        ? {}
        : firstOf(checked.error.issues.map((issue) => [issue.path.map(String).join('.'), issue.message])),
    );
    setRefusedAtField(false);
    setProblem(null);
    return checked.success;
  };

  const refuse = (thrown: unknown): void => {
    setConflict(null);
    setRefusedAtField(true);
    if (!(thrown instanceof ApiProblem)) {
      setProblem(problemText(thrown));
      return;
    }
    if (thrown.code === 'CONFLICT' && thrown.conflicts.length > 0) {
      setConflict({ conflicts: thrown.conflicts, revision: thrown.revision ?? 0 });
      return;
    }
    if (thrown.code === 'DUPLICATE' && duplicate !== undefined) {
      setErrors({ [duplicate]: thrown.message });
      return;
    }
    const named = firstOf(
      thrown.errors.map(({ pointer, detail }) => [pointer.replace(/^\//u, '').replaceAll('/', '.'), detail]),
    );
    setErrors(named);
    setProblem(Object.hasOwn(named, 'baseRevision') || thrown.errors.length === 0 ? thrown.message : null);
  };

  /** Fields that are typed into are no longer wrong. */
  const forget = (changed: readonly string[]): void => {
    const cleared = changed.map((field) => field.split('/')[0] ?? field);
    setErrors((before) => {
      const left = Object.entries(before).filter(([field]) => !cleared.some((name) => field.startsWith(name)));
      return left.length === Object.keys(before).length ? before : Object.fromEntries(left);
    });
    setProblem(null);
  };

  const settle = (): void => setConflict(null);

  const clear = (): void => {
    setErrors({});
    setProblem(null);
    settle();
  };

  return { errors, problem, conflict, setProblem, check, refuse, forget, settle, clear };
};
