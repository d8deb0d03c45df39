import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { authenticateAdmin, bearerOf, unattendedHeader } from '@zakup/credentials/authenticate';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import type { RequestHandler } from 'express';
import type { GatewayDeps } from '../deps.ts';
import { checkpointOf } from './wait-for-position.ts';
import { sendAnswer } from './send-json.ts';
import { noQuery, parseQuery, waited } from './asked-query.ts';
import { late, Refused } from './refused.ts';

/** A GET of the admin's realm without query members of its own. */
export const adminRoute =
  (deps: GatewayDeps, answer: (login: string) => Promise<object>): RequestHandler =>
  async (request, response) => {
    try {
      const unattended = request.get(unattendedHeader) !== undefined;
      const admin = await authenticateAdmin(deps, bearerOf(request.get('Authorization')), { unattended });
      if (admin.kind === 'refused') throw new Refused(signInProblems[admin.reason]);
      const after = await waited(deps, request.query['after']);
      if (after.kind === 'late') throw new Refused(late);
      parseQuery(noQuery, request.query, after);
      const position = await checkpointOf(deps);
      await sendAnswer(response, position, { data: await answer(admin.login) });
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      sendProblem(response, error.problem);
    }
  };
