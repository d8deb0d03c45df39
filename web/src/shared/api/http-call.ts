import { ApiProblem, noConnection, problemOf } from './api-problem.ts';
import { failureText } from './failure-text.ts';

export interface Reply<Data> {
  readonly data: Data;
  /** Place of the change in the log; null for reads. */
  readonly position: number | null;
  /** Revision of the changed entity; null where the reply has none. */
  readonly revision: number | null;
  readonly commandId: string | null;
  /** Of an answer of the past: the UTC instant of the event that it is of. */
  readonly at?: string;
}

export type Fetch = (path: string, init: RequestInit) => Promise<Response>;

const numberOrNull = (value: unknown): number | null => (typeof value === 'number' ? value : null);

/** `at: { position, time }` of an envelope. */
const instantIn = (at: unknown): string | null => {
  const time = typeof at === 'object' && at !== null && 'time' in at ? at.time : null;
  return typeof time === 'string' ? time : null;
};

const parsed = (response: Response, text: string): unknown =>
  /json/u.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;

const bodyOf = async (response: Response): Promise<unknown> => parsed(response, await response.text());

/** A refusal whose body cannot be read is one without a text, not a line that broke. */
const refusalOf = async (response: Response): Promise<unknown> => {
  const text = await response.text();
  try {
    return parsed(response, text);
  } catch {
    return null;
  }
};

/** Single calls, whoever makes them. Both reject with `ApiProblem`, except an abort, which stays what it is. */
export const httpCalls = (fetch: Fetch) => {
  /** What `read` makes of a good answer; a refusal is thrown, as is whatever breaks on the way. */
  const answered = async <Answer>(
    path: string,
    init: RequestInit,
    read: (response: Response) => Promise<Answer>,
  ): Promise<readonly [Response, Answer]> => {
    let response: Response;
    let problem: unknown;
    try {
      response = await fetch(path, { credentials: 'same-origin', cache: 'no-store', ...init });
      if (response.ok) return [response, await read(response)];
      problem = await refusalOf(response);
    } catch (thrown) {
      if (init.signal?.aborted) throw thrown;
      throw new ApiProblem({ code: 'NETWORK', status: 0, message: noConnection });
    }
    throw problemOf(response, problem, failureText(init.method ?? 'GET', path, response.status));
  };

  const call = async <Data>(path: string, init: RequestInit): Promise<Reply<Data>> => {
    const [response, body] = await answered(path, init, bodyOf);
    if (typeof body !== 'object' || body === null)
      throw new ApiProblem({ code: 'NETWORK', status: response.status, message: noConnection });
    const envelope = body as { data?: Data; position?: unknown; revision?: unknown; commandId?: unknown; at?: unknown };
    const instant = instantIn(envelope.at);
    return {
      data: envelope.data as Data,
      position: numberOrNull(envelope.position),
      revision: numberOrNull(envelope.revision),
      commandId: typeof envelope.commandId === 'string' ? envelope.commandId : null,
      ...(instant !== null && { at: instant }),
    };
  };

  return { answered, call };
};

export type HttpCalls = ReturnType<typeof httpCalls>;
