import { randomUUID } from 'node:crypto';
import type { Problem } from '@zakup/contracts/problems';
import { type ImportQuery, importQuery } from '@zakup/contracts/requests/import.requests';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import { messages } from '@zakup/domain/messages';
import { may, type Person } from '@zakup/domain/permissions';
import { fileBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { type RequestHandler, type Request, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { admitChange, authenticate, authOf } from '../pipeline/authenticate.ts';
import { type DecisionSession, decisionSession } from '../pipeline/decision-session.ts';
import { denied, parseBody, unknownParameters } from '../pipeline/requests.ts';
import { loadPerson } from '../pipeline/tenant-command.ts';
import { importColumns } from './columns.ts';
import { readTable } from './file/read-table.ts';
import { idsIn, type ImportPlan, mappingRefused, planImport } from './plan-import.ts';
import { modelsFollowed, readReferences } from './read-references.ts';

/** Files of 20 MB and more are too large. */
const mostBytes = 20 * 1024 * 1024 - 1;

/** What a file would bring into a campaign: IMP-1860, IMP-1866. */
export const importRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  router.post(
    '/campaigns/:id/import',
    authenticate(deps),
    admitChange(deps),
    admitFile(deps),
    fileBody(mostBytes),
    dryRun(deps),
  );
  return router;
};

const campaignOf = ({ params }: Request): string => String(params['id'] ?? '');

/** A session for a decision that writes nothing. */
const lookingSession = ({ cache }: CommandDeps, response: Response, now: number): DecisionSession => {
  const { licenceId, userId: actorId } = authOf(response).session;
  const at = new Date(now).toISOString();
  const metadata = { licenceId, actorId, commandId: '', requestHash: '', source: 'api', at } as const;
  return decisionSession(cache, { licenceId, commandKey: '', metadata }, true).session;
};

/** Whether this person may import into the campaign now. */
const refusal = async (session: DecisionSession, person: Person, campaignId: string): Promise<Problem | null> => {
  const refused = denied(may(person, 'placement.import'));
  if (refused !== null) return refused;
  const campaign = (await session.load(campaignDecider, campaignId)).state;
  if (campaign === null || campaign.deleted) return { code: 'NOT_FOUND', message: messages.campaignNotFound };
  if (campaign.status === 'COMPLETED') return { code: 'CAMPAIGN_COMPLETED', message: messages.campaignCompleted };
  return null;
};

/** Refuses before anything of the file is read. */
const admitFile =
  (deps: CommandDeps): RequestHandler =>
  async (request, response, next) => {
    const now = deps.now();
    const session = lookingSession(deps, response, now);
    const person = await loadPerson(session, authOf(response), now);
    const problem: Problem | null =
      person === null
        ? { code: 'UNAUTHENTICATED', message: messages.sessionExpired }
        : await refusal(session, person, campaignOf(request));
    if (problem === null) next();
    else sendProblem(response, problem);
  };

const knownParameters = new Set(Object.keys(importQuery.shape));

const parsedQuery = (query: Readonly<Record<string, unknown>>): ImportQuery | Problem => {
  const unknown = unknownParameters(
    Object.fromEntries(Object.entries(query).filter(([name]) => !knownParameters.has(name))),
  );
  if (unknown !== null) return unknown;
  const parsed = parseBody(importQuery, query);
  return parsed.kind === 'parsed' ? parsed.body : parsed.problem;
};

const isProblem = (value: object): value is Problem => 'code' in value;

/** What the file would do, or why it cannot be read. */
const judgeFile = async (
  deps: CommandDeps,
  file: Buffer,
  { mapping = {} }: ImportQuery,
  asked: { readonly person: Person; readonly campaignId: string; readonly now: number },
): Promise<ImportPlan | Problem> => {
  const read = await readTable(file);
  if (read.kind === 'too_many_rows') return { code: 'TOO_LARGE', message: messages.importTooManyRows };
  if (read.kind === 'unsupported') return { code: 'UNSUPPORTED_FILE', message: messages.fileUnsupported };
  const { table } = read;
  if (!(await modelsFollowed(deps)))
    return { code: 'UNAVAILABLE', message: messages.notCaughtUp, retryAfterSeconds: 1 };
  const references = await readReferences(deps, asked, idsIn(table, importColumns(table, mapping.columns)));
  return mappingRefused(mapping, references) ?? planImport(table, mapping, references);
};

/** Answers with the report; nothing is written. */
const dryRun =
  (deps: CommandDeps): RequestHandler =>
  async (request, response) => {
    const query = parsedQuery(request.query);
    if (isProblem(query)) {
      sendProblem(response, query);
      return;
    }
    const now = deps.now();
    const person = await loadPerson(lookingSession(deps, response, now), authOf(response), now);
    if (person === null) {
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.sessionExpired });
      return;
    }
    const plan = await judgeFile(deps, request.body as Buffer, query, { person, campaignId: campaignOf(request), now });
    if (isProblem(plan)) {
      sendProblem(response, plan);
      return;
    }
    const position = await deps.eventStore.head();
    response.json({ success: true, error: null, data: { report: plan.report }, position, commandId: randomUUID() });
  };
