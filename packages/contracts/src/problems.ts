import { z } from 'zod';
import { revisionSchema } from './position.ts';

/** The one table from refusal to HTTP status (CALL-2). */
export const problemStatus = {
  MALFORMED: 400,
  UNAUTHENTICATED: 401,
  ACCESS_DENIED: 403,
  LICENSE_INACTIVE: 403,
  PASSWORD_CHANGE_REQUIRED: 403,
  NOT_FOUND: 404,
  CONFLICT: 409,
  DUPLICATE: 409,
  CAMPAIGN_COMPLETED: 409,
  SESSION_LIMIT: 409,
  IMPORT_RUNNING: 409,
  TOO_LARGE: 413,
  VALIDATION_FAILED: 422,
  PAYLOAD_MISMATCH: 422,
  UNSUPPORTED_FILE: 422,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type ProblemCode = keyof typeof problemStatus;

/** A field that somebody changed after the revision the person saw; values in outside form. */
export const conflictSchema = z.object({
  /** `<kind>:<id>`, where the command is about several entities. */
  entity: z.string().optional(),
  field: z.string(),
  base: z.unknown(),
  theirs: z.unknown(),
  mine: z.unknown(),
  by: z.object({ userId: z.string(), name: z.string() }),
  at: z.string(),
});
export type Conflict = z.infer<typeof conflictSchema>;

/** How much of what is to be undone others changed since. */
export const undoCountsSchema = z.object({
  /** Placements that the command is about. */
  placements: z.int(),
  /** Those among them that somebody changed since. */
  changed: z.int(),
  /** Those among these that the person may not change any more: they can be skipped, and not be overwritten. */
  denied: z.int().optional(),
  /** All conflicts, of which `conflicts` tells the first 1,000. */
  conflicts: z.int().optional(),
});
export type UndoCounts = z.infer<typeof undoCountsSchema>;

/** What a service decides to refuse with; `toProblemBody` puts it into the form of the wire. */
export interface Problem {
  readonly code: ProblemCode;
  /** The text for the person. */
  readonly message: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly conflicts?: readonly Conflict[];
  /** Current revision of the entity in conflict. */
  readonly revision?: number;
  /** Which item of a batch was refused, from 0. */
  readonly index?: number;
  /** With `CONFLICT` of an undo. */
  readonly undo?: UndoCounts;
  /** Own open sessions, with `SESSION_LIMIT`. */
  readonly sessions?: readonly { readonly id: string; readonly createdAt: string; readonly userAgent: string }[];
  readonly retryAfterSeconds?: number;
}

/** RFC 9457, with what a client of this product needs beside (CALL-2). */
export const problemBodySchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.number(),
  detail: z.string(),
  instance: z.string(),
  success: z.literal(false),
  error: z.string(),
  code: z.enum(Object.keys(problemStatus) as [ProblemCode, ...ProblemCode[]]),
  errors: z.array(z.object({ pointer: z.string(), detail: z.string() })).optional(),
  conflicts: z.array(conflictSchema).optional(),
  revision: revisionSchema.optional(),
  index: z.int().optional(),
  undo: undoCountsSchema.optional(),
  sessions: z.array(z.object({ id: z.string(), createdAt: z.string(), userAgent: z.string() })).optional(),
});
export type ProblemBody = z.infer<typeof problemBodySchema>;

export const toProblemBody = (problem: Problem, correlationId: string): ProblemBody => ({
  type: `urn:zakup:problem:${problem.code.toLowerCase().replaceAll('_', '-')}`,
  title: problem.code,
  status: problemStatus[problem.code],
  detail: problem.message,
  instance: correlationId,
  success: false,
  error: problem.message,
  code: problem.code,
  ...(problem.errors && { errors: [...problem.errors] }),
  ...(problem.conflicts && { conflicts: [...problem.conflicts] }),
  ...(problem.revision !== undefined && { revision: problem.revision }),
  ...(problem.index !== undefined && { index: problem.index }),
  ...(problem.undo && { undo: problem.undo }),
  ...(problem.sessions && { sessions: [...problem.sessions] }),
});
