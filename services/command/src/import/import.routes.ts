import { randomUUID } from 'node:crypto';
import { commandKeyOf } from '@zakup/contracts/derived-ids';
import { type ImportReport, presentImport } from '@zakup/contracts/imports';
import type { Problem } from '@zakup/contracts/problems';
import { type ImportQuery, importQuery } from '@zakup/contracts/requests/import.requests';
import { campaignDecider } from '@zakup/domain/campaign/campaign.decider';
import type { ImportEvent, StoredReport } from '@zakup/domain/import/events';
import { importEntity, importLaneEntity } from '@zakup/domain/import/import.entity';
import type { Import } from '@zakup/domain/import/state';
import { messages } from '@zakup/domain/messages';
import { may, type Person } from '@zakup/domain/permissions';
import { fileBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { type Request, type RequestHandler, type Response, Router } from 'express';
import type { CommandDeps } from '../deps.ts';
import { authOf } from '../pipeline/authenticate.ts';
import { rowOf } from '../pipeline/decide-on.ts';
import { type DecisionSession, decisionSession } from '../pipeline/decision-session.ts';
import { denied, parseBody, unknownParameters } from '../pipeline/requests.ts';
import { loadPerson, type PerRequest, type TenantCommand, tenantRoute } from '../pipeline/tenant-command.ts';
import type { TenantContext } from '../pipeline/tenant-context.ts';
import { contractorNotes } from './contractor-notes.ts';
import { holdFile } from './hold-file.ts';
import { countImports } from './import-metrics.ts';
import { laneTaken, loadLane, partOfRows } from './import-parts.ts';
import { judgeInTurn, type JudgeFile } from './judge-file.ts';
import type { ImportPlan } from './plan-import.ts';
import { stagedParts } from './staged-parts.ts';
import { mostBytes, type UploadedFile, uploadedFile } from './uploaded-file.ts';

/** Placements from files: FILE-1 to FILE-15. */
export const importRoutes = (deps: CommandDeps): Router => {
  const router = Router();
  const judge = judgeInTurn(deps);
  const readFile = [admitFile(deps), holdFile(), fileBody(mostBytes), takeFile, dryRun(deps, judge)];
  router.post('/campaigns/:id/import', tenantRoute(deps, startImport(deps, judge), readFile));
  router.delete('/imports/:id', tenantRoute(deps, cancelImport(deps)));
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

const isDryRun = ({ query }: Request): boolean => query['dryRun'] === 'true';

/** Whether the request was carried out before: it is answered the same again, whatever became of the campaign. */
const isKnown = async ({ eventStore }: CommandDeps, request: Request, response: Response): Promise<boolean> => {
  const key = request.get('Idempotency-Key')?.toLowerCase();
  if (key === undefined || isDryRun(request)) return false;
  return (await eventStore.readCommand(commandKeyOf(authOf(response).session.userId, key))).length > 0;
};

/** Refuses before anything of the file is read. */
const admitFile =
  (deps: CommandDeps): RequestHandler =>
  async (request, response, next) => {
    if (await isKnown(deps, request, response)) {
      next();
      return;
    }
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

const takeFile: RequestHandler = (request, _response, next) => {
  request.body = uploadedFile(request.body as Buffer);
  next();
};

const knownParameters = new Set(Object.keys(importQuery.shape));

const isProblem = (value: object): value is Problem => 'code' in value;

const parsedQuery = (query: Readonly<Record<string, unknown>>): ImportQuery | Problem => {
  const unknown = unknownParameters(
    Object.fromEntries(Object.entries(query).filter(([name]) => !knownParameters.has(name))),
  );
  if (unknown !== null) return unknown;
  const parsed = parseBody(importQuery, query);
  return parsed.kind === 'parsed' ? parsed.body : parsed.problem;
};

/** Answers `?dryRun=true` with the report; nothing is written. */
const dryRun =
  (deps: CommandDeps, judge: JudgeFile): RequestHandler =>
  async (request, response, next) => {
    const query = parsedQuery(request.query);
    if (isProblem(query)) {
      sendProblem(response, query);
      return;
    }
    if (query.dryRun !== 'true') {
      next();
      return;
    }
    const now = deps.now();
    const person = await loadPerson(lookingSession(deps, response, now), authOf(response), now);
    if (person === null) {
      sendProblem(response, { code: 'UNAUTHENTICATED', message: messages.sessionExpired });
      return;
    }
    const asked = { person, campaignId: campaignOf(request), now };
    const plan = await judge(request.body as UploadedFile, query, asked);
    if (isProblem(plan)) {
      sendProblem(response, plan);
      return;
    }
    const contractors = await contractorNotes(deps.readStore, person.licence.id, plan.known);
    const report: ImportReport = { ...plan.report, contractors };
    const position = await deps.eventStore.head();
    response.json({ success: true, error: null, data: { report }, position, commandId: randomUUID() });
  };

const answerImport =
  ({ metrics }: CommandDeps): TenantCommand<Import, ImportEvent>['answer'] =>
  (done, id) => {
    countImports(metrics, done);
    const { target } = done;
    return { import: presentImport({ ...rowOf(target, id), position: target.position }) };
  };

/** Stages what the file says; `importProcess` writes it. */
const startImport =
  (deps: CommandDeps, judge: JudgeFile): PerRequest<Import, ImportEvent> =>
  () => {
    /** What the file says; judged anew where another import, or the undo of one, came between. `since`: revision of the lane. */
    let judged: { readonly since: number; readonly plan: Promise<ImportPlan | Problem> } | undefined;
    return {
      source: 'import',
      readsQuery: true,
      target: ({ commandId }) => ({ entity: importEntity, id: commandId }),

      async decide({ session, person, now, params, body, query: given }, id) {
        const campaignId = params['id'] ?? '';
        const query = parsedQuery(given);
        if (isProblem(query)) return query;
        const refused = await refusal(session, person, campaignId);
        if (refused !== null) return refused;
        if ((await session.load(importEntity, id)).state !== null)
          return { code: 'DUPLICATE', message: messages.alreadyExists };
        const { state: lane, revision } = await loadLane(session, campaignId);
        const taken = lane === null ? null : await laneTaken(session, lane);
        if (taken !== null) return taken;
        if (judged === undefined || judged.since !== revision)
          judged = {
            since: revision,
            plan: judge(body as UploadedFile, query, { person, campaignId, now }),
          };
        const plan = await judged.plan;
        if (isProblem(plan)) return plan;
        if (plan.report.dateOrder === 'ambiguous') return dateOrderUnclear;
        stage(session, { id, campaignId, name: query.name ?? '', before: lane?.importId }, plan);
        return null;
      },

      answer: answerImport(deps),
    };
  };

const dateOrderUnclear: Problem = {
  code: 'VALIDATION_FAILED',
  message: messages.dateOrderUnclear,
  errors: [{ pointer: '/mapping/dateOrder', detail: messages.dateOrderUnclear }],
};

/** Duplicates that an import tells one by one; all are counted. */
const mostDuplicates = 1_000;
/** Columns that an import tells; a report alone tells all. */
const mostColumns = 50;

/** Small enough for one event of any log. */
const storedReport = (report: ImportPlan['report']): StoredReport => ({
  ...report,
  columns: report.columns.slice(0, mostColumns),
  duplicates: report.duplicates.slice(0, mostDuplicates),
});

interface Staged {
  readonly id: string;
  readonly campaignId: string;
  readonly name: string;
  /** The import before this one in the campaign. */
  readonly before: string | undefined;
}

const stage = (
  session: DecisionSession,
  { id, campaignId, name, before }: Staged,
  { report, rows, failed }: ImportPlan,
): void => {
  const parts = stagedParts(rows);
  // Where a log is not atomic across streams, what loses the lane must not leave an import that would be written all the same.
  session.emit(importLaneEntity, campaignId, [{ type: 'ImportLaneTaken', data: { importId: id } }]);
  session.emit(importEntity, id, [
    {
      type: 'ImportStarted',
      data: {
        campaignId,
        name,
        report: storedReport(report),
        total: report.rows,
        skipped: report.willSkip,
        failed,
        parts: parts.length,
        ...(before !== undefined && { replaces: before }),
      },
    },
    ...parts.map((part) => ({ type: 'ImportRowsStaged', data: { rows: part } }) as const),
  ]);
};

const cancelImport = (deps: CommandDeps): TenantCommand<Import, ImportEvent> => ({
  target: ({ params }) => ({ entity: importEntity, id: params['id']?.toLowerCase() ?? '' }),

  async decide({ session, person, query }: TenantContext, id) {
    const refused = denied(may(person, 'import.cancel', 'some'));
    if (refused !== null) return refused;
    const { state } = await session.load(importEntity, id);
    if (state === null) return { code: 'NOT_FOUND', message: messages.importNotFound };
    const theirs = denied(may(person, 'import.cancel', { actorId: state.by }));
    if (theirs !== null) return theirs;
    const unknown = unknownParameters(query);
    if (unknown !== null) return unknown;
    if (state.status !== 'running') return null;
    // Finishes the part that somebody has left half written; what that changes is seen by the precondition on the import.
    if (!deps.eventStore.atomicAcrossStreams)
      await deps.eventStore.readCommand(commandKeyOf(state.by, id, partOfRows(state.written)));
    session.emit(importEntity, id, [{ type: 'ImportCancelled', data: {} }]);
    return null;
  },

  answer: answerImport(deps),
});
