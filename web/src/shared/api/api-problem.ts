import type { Conflict, Problem, ProblemBody, ProblemCode } from '@zakup/contracts/problems';

/** A refusal of the server, or `NETWORK` when no answer arrived (also: an answer that is not ours). */
export type ApiProblemCode = ProblemCode | 'NETWORK';

export interface ApiProblemParts {
  readonly code: ApiProblemCode;
  /** HTTP status; 0 when no answer arrived. */
  readonly status: number;
  /** The text for the person. */
  readonly message: string;
  readonly errors?: readonly { readonly pointer: string; readonly detail: string }[];
  readonly conflicts?: readonly Conflict[];
  readonly revision?: number;
  readonly undo?: NonNullable<Problem['undo']>;
  readonly sessions?: readonly { readonly id: string; readonly createdAt: string; readonly userAgent: string }[];
  /** Correlation id to name when asking for help. */
  readonly requestId?: string;
  readonly retryAfterSeconds?: number;
}

/** What every call of `apiClient` rejects with (aborts excepted). */
export class ApiProblem extends Error {
  readonly code: ApiProblemCode;
  readonly status: number;
  readonly errors: readonly { readonly pointer: string; readonly detail: string }[];
  readonly conflicts: readonly Conflict[];
  readonly revision: number | null;
  /** With the refusal of an undo: how many placements it is about, and how many of them others changed. */
  readonly undo: NonNullable<Problem['undo']> | null;
  readonly sessions: readonly { readonly id: string; readonly createdAt: string; readonly userAgent: string }[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(parts: ApiProblemParts) {
    super(parts.message);
    this.name = 'ApiProblem';
    this.code = parts.code;
    this.status = parts.status;
    this.errors = parts.errors ?? [];
    this.conflicts = parts.conflicts ?? [];
    this.revision = parts.revision ?? null;
    this.undo = parts.undo ?? null;
    this.sessions = parts.sessions ?? [];
    this.requestId = parts.requestId ?? null;
    this.retryAfterSeconds = parts.retryAfterSeconds ?? null;
  }

  /** Text of the first error at a JSON pointer such as `/name`; null = none. */
  errorAt(pointer: string): string | null {
    return this.errors.find((error) => error.pointer === pointer)?.detail ?? null;
  }
}

/** The text of anything thrown, for a person. */
export const problemText = (thrown: unknown, fallback = 'Что-то пошло не так'): string =>
  thrown instanceof ApiProblem ? thrown.message : fallback;

const isProblemBody = (body: unknown): body is ProblemBody =>
  typeof body === 'object' &&
  body !== null &&
  'code' in body &&
  typeof body.code === 'string' &&
  'error' in body &&
  typeof body.error === 'string' &&
  body.error !== '';

export const noConnection = 'Ошибка соединения с сервером';

/** The problem that a body tells. */
export const problemIn = (
  body: ProblemBody,
  status: number,
  retry: Pick<ApiProblemParts, 'retryAfterSeconds'> = {},
): ApiProblem =>
  new ApiProblem({
    code: body.code,
    status,
    message: body.error,
    requestId: body.instance,
    ...(body.errors && { errors: body.errors }),
    ...(body.conflicts && { conflicts: body.conflicts }),
    ...(body.revision !== undefined && { revision: body.revision }),
    ...(body.undo && { undo: body.undo }),
    ...(body.sessions && { sessions: body.sessions }),
    ...retry,
  });

/** The problem of a failed answer; `textless` is what one without a text of the server's own says. */
export const problemOf = (response: Response, body: unknown, textless: string): ApiProblem => {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  const retry = Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {};
  if (!isProblemBody(body)) {
    // A proxy in front answers for a server that is away: worth another try, unlike a refusal of the server itself.
    const away = response.status >= 502 && response.status <= 504;
    return new ApiProblem({
      code: away ? 'NETWORK' : 'INTERNAL',
      status: response.status,
      message: away ? noConnection : textless,
      ...retry,
    });
  }
  return problemIn(body, response.status, retry);
};
