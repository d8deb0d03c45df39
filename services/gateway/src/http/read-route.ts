import type { Problem } from '@zakup/contracts/problems';
import { signInProblems, tooManyKeys } from '@zakup/contracts/sign-in-problems';
import { authenticateBearer, bearerOf } from '@zakup/credentials/authenticate';
import type { FieldError } from '@zakup/domain/decider';
import { messages } from '@zakup/domain/messages';
import type { Person, Verdict } from '@zakup/domain/permissions';
import type { MomentAsked } from '@zakup/projections/past/licence-fold';
import { addressOf } from '@zakup/service-kit/network-address';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { GatewayDeps } from '../deps.ts';
import type { FileAnswer } from '../exports/send-file.ts';
import type { Weight } from './limits/limits.ts';
import { costOf, tooManyReports } from './limits/read-guard.ts';
import { viewerOf } from './person.ts';
import { checkpointOf } from './wait-for-position.ts';
import { parseQuery, type Waited, waited } from './asked-query.ts';
import type { RegisteredRoute, Question, ReadingThread } from '../reading-thread/reading-thread.ts';
import { contextAt } from './context-at.ts';
import { costlyAnswer } from './costly-answer.ts';
import { sendFileOf } from './file-answer.ts';
import type { Answer } from './answer.ts';
import type { Made, ReadContext } from './read-context.ts';
import { noteTaken } from './note-taken.ts';
import { expired, invalid, late, Refused } from './refused.ts';
import { readWhile, whileWaited } from './while-waited.ts';
import { sendAnswer } from './send-json.ts';
import { resolveAt, type PastMoment } from '../time-travel/resolve-at.ts';

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
  /** People alone ask for it; absent = keys do too. */
  readonly closedToKeys?: true;
  /** Also open to a session that may only change its password. */
  readonly passwordChange?: boolean;
  /** How much it asks of the process; default: plain. Costly answers follow from path, query and rights alone, and are shared by those who ask the same. */
  readonly weight?: Weight;
  /** Takes `?at=`: everything but rights comes from the context, then of the past. */
  readonly at?: true;
  /** The position to which another member of the query binds it, as a cursor does; it is then answered as of that, whatever else is asked for. */
  readonly boundTo?: (given: Request['query']) => number | null;
}

/** For routes whose path names nothing. */
export const nothingToFind = { find: async (): Promise<true> => true, missing: messages.notFound } as const;

/** What this version cannot show will not be there in a second. */
const unfoldable: Problem = { code: 'UNAVAILABLE', message: messages.atUnfoldable, retryAfterSeconds: 600 };

/** What is asked for before anything of it was found. */
interface Admitted {
  readonly now: ReadContext;
  readonly after: Waited;
  /** Whether it is of a moment; `bound`: of the one that another member of the query binds it to. */
  readonly ofThePast: boolean;
  readonly bound: number | null;
}

/** Who asks, and whether they may; rights are those of now, whatever moment is asked for. */
const admitted = async <Query extends z.ZodObject, Found>(
  deps: GatewayDeps,
  route: ReadRoute<Query, Found>,
  request: Request,
  waiting: AbortSignal,
): Promise<Admitted> => {
  const { passwordChange = false, closedToKeys = false } = route;
  const address = addressOf(request.ip);
  const keys = { access: closedToKeys ? 'none' : 'read', address, throttle: deps.keyThrottle } as const;
  const token = bearerOf(request.get('Authorization'));
  const authenticated = await authenticateBearer(deps, token, { passwordChange, keys });
  if (authenticated.kind === 'limited') throw new Refused(tooManyKeys(authenticated.retryAfterSeconds));
  if (authenticated.kind === 'refused') throw new Refused(signInProblems[authenticated.reason]);
  const { session } = authenticated;
  const bound = route.boundTo?.(request.query) ?? null;
  const ofThePast = bound !== null || (route.at === true && request.query['at'] !== undefined);
  const spent = deps.guard.charge(askerOf(session), costOf('plain', ofThePast));
  if (spent !== null) throw new Refused(spent);
  const after: Waited = ofThePast ? { kind: 'complete' } : await waited(deps, request.query['after']);
  if (after.kind === 'late') throw new Refused(late);
  const viewer = await viewerOf(deps, session);
  if (viewer === null) throw new Refused(expired);
  const verdict = route.may(viewer.person, request.query);
  if (!verdict.allowed) throw new Refused({ code: verdict.code, message: verdict.message });
  // Read before the documents: they may be newer than the answer says, never older.
  const position = await checkpointOf(deps);
  const params = request.params as Record<string, string>;
  const readStore = readWhile(waiting, deps.readStore);
  return { now: { ...viewer, deps, session, params, position, readStore, at: null, waiting }, after, ofThePast, bound };
};

const questionOf = (
  { person, user, licence, rightsAt, session, params }: ReadContext,
  { place }: { readonly place: number },
  when: Pick<Question, 'position' | 'at'>,
): Question => ({ route: place, viewer: { person, user, licence, rightsAt }, session, params, ...when });

const askerOf = ({ id, licenceId }: ReadContext['session']) => ({ sessionId: id, licenceId });

interface Then<Query extends z.ZodObject> extends Pick<Made, 'context' | 'documents'> {
  readonly make: (context: ReadContext, query: z.output<Query>) => Promise<Answer | FileAnswer>;
}

/** A route and its place among all. */
type Placed<Query extends z.ZodObject, Found> = ReadRoute<Query, Found> & { readonly place: number };

/** At a moment that another thread folds: there alone its documents can be read. */
const lookedFor = async <Query extends z.ZodObject, Found>(
  thread: ReadingThread,
  now: ReadContext,
  route: Placed<Query, Found>,
  moment: PastMoment & { readonly asked: MomentAsked },
): Promise<Then<Query> | null> => {
  const { position } = moment.moment;
  const context = { ...now, at: moment.moment, position };
  const question = questionOf(now, route, { position, at: moment.asked });
  const looked = await thread.look(question, now.waiting);
  if (looked === 'missing') throw new Refused({ code: 'NOT_FOUND', message: route.missing });
  if (looked === 'no_licence') return null;
  const make = (of: ReadContext, query: z.output<Query>) => thread.answer(question, query, of.waiting);
  return { context, documents: moment.documents, make };
};

/** What the path names, now or at the moment that is asked for. */
const foundThen = async <Query extends z.ZodObject, Found>(
  { now, ofThePast, bound }: Admitted,
  route: Placed<Query, Found>,
  given: Request['query'],
): Promise<Then<Query>> => {
  const { deps, session, position, waiting } = now;
  const { thread } = deps;
  const asked = bound === null ? given : { at: String(bound) };
  const moment = ofThePast ? await resolveAt(deps, askerOf(session), position, asked, waiting) : null;
  if (moment?.kind === 'unfoldable') throw new Refused(unfoldable);
  if (moment?.kind === 'found' && thread !== undefined) {
    const looked = await lookedFor(thread, now, route, moment);
    if (looked !== null) return looked;
  }
  const then = moment?.kind === 'found' && thread === undefined ? await contextAt(now, moment) : null;
  const context = then ?? now;
  const found = await route.find(context);
  if (found === null) throw new Refused({ code: 'NOT_FOUND', message: route.missing });
  if (ofThePast && then === null) {
    const detail = moment?.kind === 'wrong' ? moment.message : messages.atBeforeLicence;
    throw new Refused(invalid([{ pointer: bound === null ? '/at' : '/cursor', detail }]));
  }
  const { weight = 'plain' } = route;
  const make: Then<Query>['make'] =
    thread === undefined || weight === 'plain'
      ? (of, query) => route.answer(of, found, query)
      : (of, query) => thread.answer(questionOf(now, route, { position, at: null }), query, of.waiting);
  return { context, documents: moment?.kind === 'found' ? moment.documents : deps.readStore, make };
};

/** Makes and sends what is asked for; refuses in the order of the rules. */
const answered = async <Query extends z.ZodObject, Found>(
  deps: GatewayDeps,
  route: Placed<Query, Found>,
  request: Request,
  response: Response,
  waiting: AbortSignal,
): Promise<void> => {
  const { weight = 'plain' } = route;
  const asked = await admitted(deps, route, request, waiting);
  const { now, ofThePast, after } = asked;
  const { context, documents, make } = await foundThen(asked, route, request.query);
  const { at: _, ...others } = request.query;
  const query = parseQuery(route.query, ofThePast ? others : request.query, after);
  const unfit = route.unfit?.(context, query) ?? null;
  if (unfit !== null) throw new Refused(invalid([unfit]));
  // What is refused costs no more than any other read.
  const paid = costOf('plain', ofThePast);
  const asker = askerOf(now.session);
  const overspent = weight === 'plain' ? null : deps.guard.charge(asker, costOf(weight, ofThePast) - paid, paid);
  if (overspent !== null) throw new Refused(overspent);
  const made: Made = { context, documents, make: (of) => make(of, query) };
  if (weight === 'file' || weight === 'bundle')
    return sendFileOf(response, made, { route, viewer: now, given: request.query, ip: request.ip });
  const answer = weight === 'plain' ? await made.make(context) : await costlyAnswer(made, request.originalUrl);
  if (waiting.aborted) return;
  if (answer === null) throw new Refused(tooManyReports);
  if ('content' in answer) throw new Error(`${request.path} answers a file and does not weigh like one`);
  if (answer.taken !== undefined) await noteTaken(now, answer.taken, request.ip);
  const position = Math.max(answer.position ?? 0, context.position);
  await sendAnswer(response, position, answer, context.at, deps.guard.hold(asker));
};

export const readRoute = <Query extends z.ZodObject, Found>(
  deps: GatewayDeps,
  route: ReadRoute<Query, Found>,
): RequestHandler => {
  const held: RegisteredRoute<ReadContext> = {
    find: route.find,
    missing: route.missing,
    answer: (context, found, query) => route.answer(context, found as Found, query as z.output<Query>),
  };
  const placed = { ...route, place: (deps.routes?.push(held) ?? 0) - 1 };
  return async (request, response) => {
    const waiting = whileWaited(response);
    try {
      await answered(deps, placed, request, response, waiting);
    } catch (error) {
      if (waiting.aborted) return;
      if (!(error instanceof Refused)) throw error;
      sendProblem(response, error.problem);
    }
  };
};
