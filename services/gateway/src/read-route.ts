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
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';
import type { GatewayDeps } from './deps.ts';
import { type FileAnswer, sendFile } from './exports/send-file.ts';
import { inPlace } from './limits/in-place.ts';
import type { Weight } from './limits/limits.ts';
import { costOf, type Held, tooManyFiles, tooManyReports } from './limits/read-guard.ts';
import type { Place } from './limits/places.ts';
import { seesOthersEarnings, viewerOf, type Viewer } from './person.ts';
import { checkpointOf, reach } from './reach.ts';
import { lastEntryOf } from './queries/one-moment.ts';
import { rowOf } from './rows.ts';
import { sendJson } from './send-json.ts';
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
  /** How much it asks of the process; default: plain. Costly answers follow from path, query and rights alone, and are shared by those who ask the same. */
  readonly weight?: Weight;
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

const send = (
  response: Response,
  position: number,
  { data, top = {} }: Answer,
  at: Moment | null = null,
  held: Held | null = null,
): Promise<void> => {
  const moment = at === null ? {} : { at };
  return sendJson(response, { success: true, error: null, data, position, ...moment, ...top }, held);
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

/** An answer that is still to be made. */
interface Made {
  readonly context: ReadContext;
  /** What the context reads, for somebody else as well. */
  readonly documents: DocumentReader;
  readonly make: (context: ReadContext) => Promise<Answer | FileAnswer>;
}

const isFile = (weight: Weight): boolean => weight === 'file' || weight === 'bundle';

/** Whoever has the same rights is answered the same; who does not see what others earn sees something of their own. */
const rightsOf = ({ person }: Viewer): readonly unknown[] => [
  person.role,
  person.isOwner,
  person.permissions,
  person.licence,
  seesOthersEarnings(person) ? null : person.userId,
];

/** What the answer is of: the licence's last change, however much others did since. */
const momentOfContext = async ({ at, deps, licence, position }: ReadContext): Promise<number> =>
  at?.position ?? ((await lastEntryOf(deps.readStore, licence.id)) || position);

/** Made once for all who ask the same, few of a licence at a time. Null: its turn did not come. */
const costlyAnswer = async ({ context, documents, make }: Made, url: string): Promise<Answer | null> => {
  const { guard } = context.deps;
  const asked = new URL(url, 'http://localhost');
  asked.searchParams.delete('after');
  const moment = await momentOfContext(context);
  const of = [context.licence.id, moment, context.at !== null, rightsOf(context)];
  const key = JSON.stringify([...of, asked.pathname, asked.search]);
  const alone = async (waiting: AbortSignal): Promise<Answer | null> => {
    const place = await guard.place(context.licence.id, waiting);
    if (place === null) return null;
    try {
      const answer = await make({ ...context, waiting, readStore: readWhile(waiting, documents) });
      if ('content' in answer) throw new Error(`${asked.pathname} answers a file and does not weigh like one`);
      return answer;
    } finally {
      place.leave();
    }
  };
  const shared = await guard.shared.of(key, context.waiting, alone);
  // On a licence that keeps changing somebody else's may be of a little earlier.
  const isBehind = (shared?.position ?? moment) < moment;
  return isBehind ? alone(context.waiting) : shared;
};

interface FileAsked {
  readonly route: Pick<ReadRoute<z.ZodObject, unknown>, 'may' | 'shows'>;
  readonly viewer: Viewer;
  readonly given: Request['query'];
}

/** Whether who asked may still have it: their session, their rights, and what is in it of these. */
const stillMay = ({ session, deps }: ReadContext, { route, viewer, given }: FileAsked) => {
  const shown = ({ person }: Viewer): string => JSON.stringify(route.shows?.(person) ?? null);
  const begun = shown(viewer);
  return async (): Promise<Problem | null> => {
    const open = await deps.credentials.session(session.id, deps.now());
    const asker = open === null ? null : await viewerOf({ ...deps, patience: 0 }, open);
    if (asker === null) return { code: 'UNAUTHENTICATED', message: messages.sessionExpired };
    const may = route.may(asker.person, given);
    if (!may.allowed) return { code: may.code, message: may.message };
    return shown(asker) === begun ? null : late;
  };
};

/** Sends a file: few of a session at once, and made in turns with what else is costly in the licence. */
const sendFileOf = async (response: Response, made: Made, asked: FileAsked): Promise<void> => {
  const { context } = made;
  const { deps, waiting, licence } = context;
  const counted = deps.guard.file(context.session.id);
  if (counted === null) return sendProblem(response, tooManyFiles);
  let place: Place | null = null;
  try {
    place = await deps.guard.place(licence.id, waiting);
    if (place === null) return sendProblem(response, tooManyReports);
    const answer = await made.make(context);
    if (!('content' in answer)) throw new Error('Not a file');
    const refusalNow = stillMay(context, asked);
    let refused: Problem | null;
    try {
      refused = waiting.aborted ? late : await refusalNow();
    } catch (error) {
      answer.content.destroy();
      throw error;
    }
    if (refused !== null) {
      answer.content.destroy();
      return waiting.aborted ? undefined : sendProblem(response, refused);
    }
    const turn = inPlace(place, () => deps.guard.place(licence.id, waiting, null), deps.guard.timers);
    try {
      await sendFile(response, answer, { mayGoOn: async () => (await refusalNow()) === null, turn, at: context.at });
    } finally {
      turn.end();
    }
  } catch (error) {
    if (!waiting.aborted) throw error;
  } finally {
    place?.leave();
    counted.leave();
  }
};

export const readRoute =
  <Query extends z.ZodObject, Found>(deps: GatewayDeps, route: ReadRoute<Query, Found>): RequestHandler =>
  async (request, response) => {
    const { passwordChange = false, weight = 'plain' } = route;
    const { guard } = deps;
    const authenticated = await authenticateToken(deps, bearerOf(request.get('Authorization')), { passwordChange });
    if (authenticated.kind === 'refused') return sendProblem(response, signInProblems[authenticated.reason]);
    const { session } = authenticated;
    const bound = route.boundTo?.(request.query) ?? null;
    const ofThePast = bound !== null || (route.at === true && request.query['at'] !== undefined);
    const asker = { sessionId: session.id, licenceId: session.licenceId };
    const spent = guard.charge(asker, costOf('plain', ofThePast));
    if (spent !== null) return sendProblem(response, spent);
    const after: Waited = ofThePast ? { kind: 'complete' } : await waited(deps, request.query['after']);
    if (after.kind === 'late') return sendProblem(response, late);
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
    // What is refused costs no more than any other read.
    const paid = costOf('plain', ofThePast);
    const overspent = weight === 'plain' ? null : guard.charge(asker, costOf(weight, ofThePast) - paid, paid);
    if (overspent !== null) return sendProblem(response, overspent);
    const made: Made = {
      context,
      documents: moment?.kind === 'found' ? moment.documents : deps.readStore,
      make: (of) => route.answer(of, found, parsed.query),
    };
    if (isFile(weight)) return sendFileOf(response, made, { route, viewer, given: request.query });
    let answer: Answer | FileAnswer | null;
    try {
      answer = weight === 'plain' ? await made.make(context) : await costlyAnswer(made, request.originalUrl);
    } catch (error) {
      if (waiting.aborted) return;
      throw error;
    }
    if (waiting.aborted) return;
    if (answer === null) return sendProblem(response, tooManyReports);
    if ('content' in answer) throw new Error(`${request.path} answers a file and does not weigh like one`);
    await send(response, Math.max(answer.position ?? 0, context.position), answer, context.at, guard.hold(asker));
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
