import type { Problem } from '@zakup/contracts/problems';
import { messages } from '@zakup/domain/messages';
import type { Verdict } from '@zakup/domain/permissions';
import type { z } from 'zod';

export type Parsed<Body> =
  | { readonly kind: 'parsed'; readonly body: Body }
  | { readonly kind: 'refused'; readonly problem: Problem };

/** More mistakes than a person reads, fewer than a hostile body can hold. */
const mostErrors = 100;

const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');

/** Checks a body's shape: `error` is the first text in the schema's order, `errors` has all up to a hundred (CALL-3). */
export const parseBody = <Schema extends z.ZodType>(schema: Schema, body: unknown): Parsed<z.output<Schema>> => {
  const result = schema.safeParse(body ?? {});
  if (result.success) return { kind: 'parsed', body: result.data };
  const found = new Map<string, { readonly pointer: string; readonly detail: string }>();
  for (const { path, code, message: said } of result.error.issues.slice(0, mostErrors)) {
    const pointer = pointerOf(path);
    const detail = path.length === 0 && code === 'invalid_type' ? messages.bodyInvalid : said;
    found.set(JSON.stringify([pointer, detail]), { pointer, detail });
  }
  const errors = [...found.values()];
  const message = errors[0]?.detail ?? messages.bodyInvalid;
  return { kind: 'refused', problem: { code: 'VALIDATION_FAILED', message, errors } };
};

/** The refusal of a query that has any member, for calls that take none; null = it has none. */
export const unknownParameters = (query: Readonly<Record<string, unknown>>): Problem | null => {
  const names = Object.keys(query).slice(0, mostErrors);
  if (names.length === 0) return null;
  const detail = messages.unknownParameter;
  return {
    code: 'VALIDATION_FAILED',
    message: detail,
    errors: names.map((name) => ({ pointer: pointerOf([name]), detail })),
  };
};

/** A verdict as a problem; null when allowed. */
export const denied = (verdict: Verdict): Problem | null =>
  verdict.allowed ? null : { code: verdict.code, message: verdict.message };

/** Only the members that are there. */
export const definedOf = <Members extends object>(
  members: Members,
): { [K in keyof Members]?: Exclude<Members[K], undefined> } =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as {
    [K in keyof Members]?: Exclude<Members[K], undefined>;
  };
