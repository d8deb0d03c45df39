import { parsePosition } from '@zakup/contracts/position';
import type { Problem } from '@zakup/contracts/problems';
import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { authenticateToken, bearerOf, refusalOfAdmin } from '@zakup/credentials/authenticate';
import type { Session } from '@zakup/credentials/credentials';
import type { FieldError } from '@zakup/domain/decider';
import { messages } from '@zakup/domain/messages';
import type { Person, Verdict } from '@zakup/domain/permissions';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { Moment } from '@zakup/projections/past/licence-fold';
import { breather } from '@zakup/turns/breather';
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { GatewayDeps } from './deps.ts';
import { type FileAnswer, sendFile } from './exports/send-file.ts';
import { isShort, jsonTexts } from './json-texts.ts';
import { viewerOf, type Viewer } from './person.ts';
import { checkpointOf, reach } from './reach.ts';
import { rowOf } from './rows.ts';
import { type MomentFound, momentOf, type PastMoment } from './time-travel/asked-moment.ts';

export interface Answer {
  readonly data: object;
  /** Members repeated beside `data`. */
  readonly top?: object;
  /** Up to where everything is in it, where that is further than the context says. */
  readonly position?: number;
}

/** Who asks has the rights of now; `licence` is as it was at the moment that is asked for. */
export interface ReadContext extends Viewer {
  readonly deps: GatewayDeps;
  /** The read models, or the documents of the moment that is asked for. */
  readonly readStore: DocumentReader;
  /** The moment that is asked for; null = now. */
  readonly at: Moment | null;
  /** Aborted once nobody waits for the answer. */
  readonly waiting: AbortSignal;
  readonly session: Session;
  readonly params: Readonly<Record<string, string>>;
  /** Everything up to here is in the answer. */
  readonly position: number;
}

/** One GET of a signed-in person; its parts are asked in the order of refusals. */
export interface ReadRoute<Query extends z.ZodObject, Found> {
  /** 403. `given`: the query as it came. */
  readonly may: (person: Person, given: Request['query']) => Verdict;
  /** What a download has of the person's rights: once that is another, nothing more is sent. Default: only whether they may. */
  readonly shows?: (person: Person) => object;
  /** What the path names; null = 404 with the text `missing`. */
  readonly find: (context: ReadContext) => Promise<Found | null>;
  readonly missing: string;
  /** 422. Query members beside `after`; a strict object, so that others are unknown. */
  readonly query: Query;
  /** 422 of a well-formed query that does not fit who asks, or itself; null = it does. */
  readonly unfit?: (context: ReadContext, query: z.output<Query>) => FieldError | null;
  readonly answer: (context: ReadContext, found: Found, query: z.output<Query>) => Promise<Answer | FileAnswer>;
  /** Also open to a session that may only change its password. */
  readonly passwordChange?: boolean;
  /** Takes `?at=`: everything but rights comes from the context, then of the past. */
  readonly at?: true;
  /** The position to which another member of the query binds it, as a cursor does; it is then answered as of that, whatever else is asked for. */
  readonly boundTo?: (given: Request['query']) => number | null;
}

/** For routes that take `after` alone. */
export const noQuery = z.strictObject({});

/** For routes whose path names nothing. */
export const nothingToFind = { find: async (): Promise<true> => true, missing: messages.notFound } as const;

type Waited = { readonly kind: 'complete' | 'late' } | { readonly kind: 'wrong'; readonly message: string };

/** Waits for `?after=`. A position that is none, or beyond the log, is refused later: what the path names comes first. */
const waited = async (deps: GatewayDeps, after: unknown): Promise<Waited> => {
  if (after === undefined) return { kind: 'complete' };
  const position = typeof after === 'string' ? parsePosition(after) : null;
  if (position === null) return { kind: 'wrong', message: messages.positionInvalid };
  if ((await checkpointOf(deps)) >= position) return { kind: 'complete' };
  if (position > (await deps.eventStore.head())) return { kind: 'wrong', message: messages.positionAhead };
  return { kind: (await reach(deps, position)) ? 'complete' : 'late' };
};

const invalid = (errors: readonly { readonly pointer: string; readonly detail: string }[]): Problem => ({
  code: 'VALIDATION_FAILED',
  message: errors[0]?.detail ?? messages.unknownParameter,
  errors,
});

const problemsOf = (error: z.ZodError): Problem =>
  invalid(
    error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ pointer: `/${key}`, detail: messages.unknownParameter }))
        : [{ pointer: `/${issue.path.map(String).join('/')}`, detail: issue.message }],
    ),
  );

const send = async (
  response: Response,
  position: number,
  { data, top = {} }: Answer,
  at: Moment | null = null,
): Promise<void> => {
  const moment = at === null ? {} : { at };
  const envelope = { success: true, error: null, data, position, ...moment, ...top };
  response.set('Cache-Control', 'no-store');
  if (isShort(envelope)) response.json(envelope);
  else await sendInTurns(response, jsonTexts(envelope));
};

/** Characters that are put together before they are encoded. */
const partLength = 65_536;

/** Sends a long body like a short one, whole and with its length, but lets others have their turn while it is written. */
const sendInTurns = async (response: Response, texts: Iterable<string>): Promise<void> => {
  const breathe = breather();
  const parts: Buffer[] = [];
  let text = '';
  for (const more of texts) {
    text += more;
    if (text.length < partLength) continue;
    parts.push(Buffer.from(text));
    text = '';
    await breathe();
  }
  parts.push(Buffer.from(text));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  response.set({ 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': String(length) });
  if (response.req.method !== 'HEAD')
    for (const part of parts) {
      if (response.destroyed) return;
      response.write(part);
      await breathe();
    }
  response.end();
};

const late: Problem = { code: 'UNAVAILABLE', message: messages.notCaughtUp, retryAfterSeconds: 1 };

/** What this version cannot show will not be there in a second. */
const unfoldable: Problem = { code: 'UNAVAILABLE', message: messages.atUnfoldable, retryAfterSeconds: 600 };

/** The same documents, read no further once nobody waits: the next read then ends with the signal's reason. */
const readWhile = (waiting: AbortSignal, documents: DocumentReader): DocumentReader => {
  const wanted = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    waiting.throwIfAborted();
    return work();
  };
  return {
    get: (kind, id) => wanted(() => documents.get(kind, id)),
    getMany: (kind, ids) => wanted(() => documents.getMany(kind, ids)),
    query: (kind, query) => wanted(() => documents.query(kind, query)),
    readEach: (kind, query, take) =>
      wanted(() =>
        documents.readEach(kind, query, (docs) => {
          waiting.throwIfAborted();
          return take(docs);
        }),
      ),
  };
};

/** The context as it was at the moment; null when the licence itself was not there yet. */
const contextAt = async (
  now: ReadContext,
  { moment, documents: all }: PastMoment,
  waiting: AbortSignal,
): Promise<ReadContext | null> => {
  const { id } = now.licence;
  const documents = readWhile(waiting, all);
  const licence = await rowOf(documents, 'license', id, id);
  return licence === null ? null : { ...now, licence, readStore: documents, at: moment, position: moment.position };
};

/** Parses the query; `after` was waited for before. */
const parseQuery = <Query extends z.ZodObject>(
  schema: Query,
  given: Request['query'],
  after: Waited,
): { readonly query: z.output<Query> } | { readonly problem: Problem } => {
  if (after.kind === 'wrong') return { problem: invalid([{ pointer: '/after', detail: after.message }]) };
  const { after: _, ...members } = given;
  const parsed = schema.safeParse(members);
  return parsed.success ? { query: parsed.data } : { problem: problemsOf(parsed.error) };
};

/** Aborted when nobody waits for the answer any more. */
const whileWaited = (response: Response): AbortSignal => {
  const waiting = new AbortController();
  if (response.destroyed) waiting.abort();
  else response.once('close', () => waiting.abort());
  return waiting.signal;
};

export const readRoute =
  <Query extends z.ZodObject, Found>(deps: GatewayDeps, route: ReadRoute<Query, Found>): RequestHandler =>
  async (request, response) => {
    const { passwordChange = false } = route;
    const authenticated = await authenticateToken(deps, bearerOf(request.get('Authorization')), { passwordChange });
    if (authenticated.kind === 'refused') return sendProblem(response, signInProblems[authenticated.reason]);
    const bound = route.boundTo?.(request.query) ?? null;
    const ofThePast = bound !== null || (route.at === true && request.query['at'] !== undefined);
    const after: Waited = ofThePast ? { kind: 'complete' } : await waited(deps, request.query['after']);
    if (after.kind === 'late') return sendProblem(response, late);
    const { session } = authenticated;
    const viewer = await viewerOf(deps, session);
    if (viewer === null) {
      return sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.sessionExpired });
    }
    const verdict = route.may(viewer.person, request.query);
    if (!verdict.allowed) return sendProblem(response, { code: verdict.code, message: verdict.message });
    // Read before the documents: they may be newer than the answer says, never older.
    const position = await checkpointOf(deps);
    const params = request.params as Record<string, string>;
    const waiting = whileWaited(response);
    const now: ReadContext = {
      ...viewer,
      deps,
      session,
      params,
      position,
      readStore: readWhile(waiting, deps.readStore),
      at: null,
      waiting,
    };
    let moment: MomentFound | null = null;
    try {
      const asked = bound === null ? request.query : { at: String(bound) };
      if (ofThePast) moment = await momentOf(deps, session.licenceId, position, asked, waiting);
    } catch (error) {
      if (waiting.aborted) return;
      throw error;
    }
    if (moment?.kind === 'unfoldable') return sendProblem(response, unfoldable);
    let then: ReadContext | null;
    let found: Found | null;
    try {
      then = moment?.kind === 'found' ? await contextAt(now, moment, waiting) : null;
      found = await route.find(then ?? now);
    } catch (error) {
      if (waiting.aborted) return;
      throw error;
    }
    const context = then ?? now;
    if (found === null) return sendProblem(response, { code: 'NOT_FOUND', message: route.missing });
    if (ofThePast && then === null) {
      const detail = moment?.kind === 'wrong' ? moment.message : messages.atBeforeLicence;
      return sendProblem(response, invalid([{ pointer: bound === null ? '/at' : '/cursor', detail }]));
    }
    const { at: _, ...others } = request.query;
    const parsed = parseQuery(route.query, ofThePast ? others : request.query, after);
    if ('problem' in parsed) return sendProblem(response, parsed.problem);
    const unfit = route.unfit?.(context, parsed.query) ?? null;
    if (unfit !== null) return sendProblem(response, invalid([unfit]));
    let answer: Answer | FileAnswer;
    try {
      answer = await route.answer(context, found, parsed.query);
    } catch (error) {
      if (waiting.aborted) return;
      throw error;
    }
    if (waiting.aborted) {
      if ('content' in answer) answer.content.destroy();
      return;
    }
    if ('content' in answer) {
      const shown = ({ person }: Viewer): string => JSON.stringify(route.shows?.(person) ?? null);
      const begun = shown(viewer);
      const refusalNow = async (): Promise<Problem | null> => {
        const open = await deps.credentials.session(session.id, deps.now());
        const asker = open === null ? null : await viewerOf({ ...deps, patience: 0 }, open);
        if (asker === null) return { code: 'UNAUTHENTICATED', message: messages.sessionExpired };
        const may = route.may(asker.person, request.query);
        if (!may.allowed) return { code: may.code, message: may.message };
        return shown(asker) === begun ? null : late;
      };
      let refused: Problem | null;
      try {
        refused = await refusalNow();
      } catch (error) {
        answer.content.destroy();
        throw error;
      }
      if (refused === null) return sendFile(response, answer, async () => (await refusalNow()) === null, context.at);
      answer.content.destroy();
      return sendProblem(response, refused);
    }
    await send(response, answer.position ?? context.position, answer, context.at);
  };

/** A GET of the admin's realm without query members of its own. */
export const adminRoute =
  (deps: GatewayDeps, answer: () => Promise<object>): RequestHandler =>
  async (request, response) => {
    const refused = await refusalOfAdmin(deps, bearerOf(request.get('Authorization')));
    if (refused !== null) return sendProblem(response, signInProblems[refused]);
    const after = await waited(deps, request.query['after']);
    if (after.kind === 'late') return sendProblem(response, late);
    const parsed = parseQuery(noQuery, request.query, after);
    if ('problem' in parsed) return sendProblem(response, parsed.problem);
    const position = await checkpointOf(deps);
    await send(response, position, { data: await answer() });
  };
