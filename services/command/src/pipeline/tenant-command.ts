import { commandKeyOf, derivedId } from '@zakup/contracts/derived-ids';
import type { Problem } from '@zakup/contracts/problems';
import type { DomainEvent } from '@zakup/domain/decider';
import { isKeyInForce, keyIn, keysDecider } from '@zakup/domain/keys/keys.decider';
import { employeeDecider } from '@zakup/domain/employee/employee.decider';
import { licenceDecider } from '@zakup/domain/licence/licence.decider';
import { licenceStatus } from '@zakup/domain/licence/licence-status';
import { messages } from '@zakup/domain/messages';
import { type Person, personOf, personOfKey } from '@zakup/domain/permissions';
import { correlationIdsOf, newCommandId } from '@zakup/service-kit/correlation';
import { spanOf } from '@zakup/service-kit/http-span';
import { jsonBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { noSteps } from '@zakup/service-kit/steps';
import type { Request, RequestHandler } from 'express';
import { z } from 'zod';
import { admitChange, type Authenticated, authenticate, authOf } from './authenticate.ts';
import { type DecisionSession, decisionSession } from './decision-session.ts';
import { type CommandEnvelope, type Decide, type Handled, handleCommand, type Target } from './handle-command.ts';
import { requestHashOf } from './ids.ts';
import type { PipelineDeps } from './pipeline-deps.ts';
import { unknownParameters } from './requests.ts';
import { streamsBefore } from './stream-cache.ts';
import type { TenantContext } from './tenant-context.ts';

export interface TenantCommand<State, Event extends DomainEvent> {
  /** The entity the reply carries; `newId` for one that the command makes; `null`: the reply carries several, and no revision. */
  readonly target: (ids: {
    readonly params: Readonly<Record<string, string>>;
    /** As it came, unparsed. */
    readonly body: unknown;
    readonly licenceId: string;
    readonly userId: string;
    readonly newId: TenantContext['newId'];
    readonly commandId: string;
  }) => Target<State, Event> | null;
  /** The door its events came through; absent = the one that the request names. */
  readonly source?: CommandEnvelope['source'];
  /**
   * The reply tells what `decide` found. A repeat is then decided once more, on the log as it was just before the command's events
   * and at its instant, so that it finds the same.
   */
  readonly redecides?: true;
  /** People alone send it; absent = a key that may write does too. */
  readonly closedToKeys?: true;
  /** It reads its own query; absent = it takes none. */
  readonly readsQuery?: true;
  /** Loads, checks in the order of refusals, emits; a problem refuses. */
  readonly decide: (context: TenantContext, id: string) => Promise<Problem | null>;
  /** The reply's `data`. */
  readonly answer: (
    done: Extract<Handled<State>, { kind: 'done' }>,
    id: string,
    auth: Authenticated,
  ) => Promise<object> | object;
}

/** A command that keeps something of its own from deciding to answering, such as a one-time secret. */
export type PerRequest<State, Event extends DomainEvent> = () => TenantCommand<State, Event>;

const commandIdSchema = z.uuid();
/** Refusals before 422 in their order (CALL-3). */
const comesFirst: ReadonlySet<Problem['code']> = new Set([
  'UNAUTHENTICATED',
  'ACCESS_DENIED',
  'LICENSE_INACTIVE',
  'NOT_FOUND',
]);
const sources = new Set(['screen', 'phone', 'paste'] as const);
type ClientSource = typeof sources extends Set<infer Source> ? Source : never;

/** The door through which a request says that it came; anything unknown came through the API. */
const sourceOf = (request: Request): CommandEnvelope['source'] => {
  const given = request.get('X-Zakup-Source');
  return given !== undefined && sources.has(given as ClientSource) ? (given as ClientSource) : 'api';
};

/** Handlers of one route of a signed-in person, in the order of refusals: 401, 429, 413 and 400, then what the command says. */
export const tenantRoute = <State, Event extends DomainEvent>(
  deps: PipelineDeps,
  command: TenantCommand<State, Event> | PerRequest<State, Event>,
  readBody: readonly RequestHandler[] = jsonBody(),
): RequestHandler[] => [
  authenticate(deps, { keys: closedToKeys(command) ? 'none' : 'write' }),
  admitChange(deps),
  ...readBody,
  handler(deps, typeof command === 'function' ? command : () => command),
];

const closedToKeys = <State, Event extends DomainEvent>(
  command: TenantCommand<State, Event> | PerRequest<State, Event>,
): boolean => (typeof command === 'function' ? command() : command).closedToKeys === true;

const handler =
  <State, Event extends DomainEvent>(deps: PipelineDeps, commandOf: PerRequest<State, Event>): RequestHandler =>
  async (request, response) => {
    const given = request.get('Idempotency-Key');
    if (given !== undefined && !commandIdSchema.safeParse(given).success) {
      sendProblem(response, { code: 'MALFORMED', message: messages.commandIdInvalid });
      return;
    }
    const sent = sentCommand(commandOf(), request, authOf(response), given?.toLowerCase() ?? newCommandId(request));
    const handled = await carriedOut(deps, sent, request);
    if (handled.kind === 'done') {
      response.json(await replyTo(deps, sent, handled));
      return;
    }
    if (handled.problem.code === 'CONFLICT')
      deps.metrics.conflicts.inc({ command: `${request.method} ${request.route?.path ?? ''}` });
    sendProblem(response, handled.problem);
  };

/** Handles it, and tells how long that and the append took. */
const carriedOut = async <State, Event extends DomainEvent>(
  deps: PipelineDeps,
  { target, envelopeAt, decideAt }: SentCommand<State, Event>,
  request: Request,
): Promise<Handled<State>> => {
  const { steps = noSteps, metrics } = deps;
  const now = deps.now();
  const step = steps.begin('command', correlationIdsOf(request), spanOf(request));
  const onAppend = (ms: number): void => {
    metrics.appendLatency.observe({ outcome: 'appended' }, ms / 1000);
    step.part('append', ms);
  };
  try {
    const handled = await handleCommand({ ...deps, onAppend }, envelopeAt(now), target, decideAt(now));
    step.end(
      handled.kind === 'done'
        ? { outcome: handled.appended, position: handled.position }
        : { outcome: 'refused', problem: handled.problem.code },
    );
    return handled;
  } catch (error) {
    step.end({ outcome: 'failed' }, true);
    throw error;
  }
};

/** A command as one request sent it. */
interface SentCommand<State, Event extends DomainEvent> {
  readonly command: TenantCommand<State, Event>;
  readonly auth: Authenticated;
  readonly commandId: string;
  readonly commandKey: string;
  readonly target: Target<State, Event> | null;
  /** At an instant, in UTC milliseconds. */
  readonly envelopeAt: (at: number) => CommandEnvelope;
  readonly decideAt: (at: number) => Decide;
}

const sentCommand = <State, Event extends DomainEvent>(
  command: TenantCommand<State, Event>,
  request: Request,
  auth: Authenticated,
  commandId: string,
): SentCommand<State, Event> => {
  const { licenceId, userId, key } = auth.session;
  const commandKey = commandKeyOf(userId, commandId);
  const newId = (purpose: string): string => derivedId(commandKey, purpose);
  const params = request.params as Record<string, string>;
  const { method, originalUrl, body, query } = request;
  const target = command.target({ params, body, licenceId, userId, newId, commandId });
  let requestHash: string | undefined;
  return {
    command,
    auth,
    commandId,
    commandKey,
    target,

    envelopeAt: (at) => ({
      licenceId,
      actorId: userId,
      keyName: key?.name,
      commandId,
      requestHash: () => (requestHash ??= requestHashOf(method, originalUrl, body)),
      source: command.source ?? (key === undefined ? sourceOf(request) : 'api'),
      at: new Date(at).toISOString(),
    }),

    decideAt: (at) => async (session) => {
      const person = await loadPerson(session, auth, at);
      if (person === null) return { code: 'UNAUTHENTICATED', message: messages.sessionExpired };
      const context = { session, person, params, body, query, now: at, newId };
      const problem = await command.decide(context, target?.id ?? '');
      // A DELETE reads its own `?baseRevision=`; the others have none, and say so after rights and what the path names.
      if (method === 'DELETE' || command.readsQuery === true || (problem !== null && comesFirst.has(problem.code)))
        return problem;
      return unknownParameters(query) ?? problem;
    },
  };
};

const replyTo = async <State, Event extends DomainEvent>(
  { eventStore }: PipelineDeps,
  { command, auth, commandId, commandKey, target, decideAt }: SentCommand<State, Event>,
  handled: Extract<Handled<State>, { kind: 'done' }>,
): Promise<object> => {
  const [first] = handled.events;
  if (command.redecides === true && handled.appended === 'before' && first !== undefined) {
    const then = streamsBefore(eventStore, first.position, handled.events);
    const about = { licenceId: auth.session.licenceId, commandKey, metadata: first.metadata };
    const { session } = decisionSession(then, about, false);
    await decideAt(Date.parse(first.metadata.at))(session);
  }
  return {
    success: true,
    error: null,
    data: await command.answer(handled, target?.id ?? '', auth),
    position: handled.position,
    ...(target !== null && handled.target.revision >= 0 && { revision: handled.target.revision }),
    commandId,
  };
};

/**
 * The signed-in person with role, rights and licence as they are now, or the owner for whom a key acts; null when the person is gone, or the
 * key.
 */
export const loadPerson = async (
  session: Pick<DecisionSession, 'load'>,
  auth: { readonly session: Pick<Authenticated['session'], 'userId' | 'licenceId'> },
  now: number,
): Promise<Person | null> => {
  const { userId, licenceId } = auth.session;
  const employee = (await session.load(employeeDecider, userId)).state;
  if (employee === null) return loadKeyActor(session, auth.session, now);
  const licence = (await session.load(licenceDecider, licenceId)).state;
  if (!employee.isActive || licence === null) return null;
  const status = licenceStatus(licence, new Date(now).toISOString());
  return personOf({ ...employee, id: userId }, { ...licence, id: licenceId }, status);
};

const loadKeyActor = async (
  session: Pick<DecisionSession, 'load'>,
  { userId, licenceId }: Pick<Authenticated['session'], 'userId' | 'licenceId'>,
  now: number,
): Promise<Person | null> => {
  const key = keyIn((await session.load(keysDecider, licenceId)).state, userId);
  const licence = (await session.load(licenceDecider, licenceId)).state;
  const ownerId = licence?.ownerId ?? null;
  if (key === null || !isKeyInForce(key, now) || ownerId === null) return null;
  const owner = await loadPerson(session, { session: { userId: ownerId, licenceId } }, now);
  return owner === null ? null : personOfKey(owner, key);
};
