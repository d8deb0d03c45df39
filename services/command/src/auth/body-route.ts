import type { Problem } from '@zakup/contracts/problems';
import { newCommandId } from '@zakup/service-kit/correlation';
import { jsonBody } from '@zakup/service-kit/json-body';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { Request, RequestHandler, Response } from 'express';
import type { z } from 'zod';
import type { CommandDeps } from '../deps.ts';
import type { CommandEnvelope } from '../pipeline/handle-command.ts';
import { requestHashOf } from '../pipeline/ids.ts';
import { parseBody, unknownParameters } from '../pipeline/requests.ts';

/** What a call that takes no `Idempotency-Key` ends with; `recorded` where it appended to the log. */
export type Outcome =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | {
      readonly kind: 'done';
      readonly data: object;
      readonly recorded?: { readonly position: number; readonly revision?: number; readonly commandId: string };
    };

export const refuse = (problem: Problem): Outcome => ({ kind: 'refused', problem });

export const sendOutcome = (response: Response, outcome: Outcome): void => {
  if (outcome.kind === 'refused') sendProblem(response, outcome.problem);
  else response.json({ success: true, error: null, data: outcome.data, ...outcome.recorded });
};

/** Handlers of a route that reads a body of this schema: 413, 400 and 422, then what `answer` says. */
export const bodyRoute = <Schema extends z.ZodType>(
  schema: Schema,
  answer: (body: z.output<Schema>, request: Request, response: Response) => Promise<Outcome>,
): RequestHandler[] => [
  ...jsonBody(),
  async (request, response) => {
    const unknown = unknownParameters(request.query);
    if (unknown !== null) return sendProblem(response, unknown);
    const parsed = parseBody(schema, request.body);
    sendOutcome(response, parsed.kind === 'refused' ? parsed : await answer(parsed.body, request, response));
  },
];

/** The envelope of a command that nobody will send again under the same key. */
export const unkeyedEnvelope = (
  deps: Pick<CommandDeps, 'now'>,
  request: Request,
  { licenceId, actorId }: { readonly licenceId: string; readonly actorId: string },
): CommandEnvelope => ({
  licenceId,
  actorId,
  commandId: newCommandId(request),
  requestHash: () => requestHashOf(request.method, request.originalUrl, null),
  source: 'screen',
  at: new Date(deps.now()).toISOString(),
});
