import { frameProblems } from '@zakup/contracts/frame-problems';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { page, pageStart, pageStyle } from './page.ts';
import { type PreparedAnswer, prepared, sendPrepared } from './prepared-answer.ts';

/** Of the package only what the page asks for. */
const packaged = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const own: ReadonlyMap<string, PreparedAnswer> = new Map([
  ['start.js', prepared('text/javascript', pageStart)],
  ['page.css', prepared('text/css', pageStyle)],
]);
const ownPage = prepared('text/html', page);
const hour = 60 * 60 * 1000;

/** Its schemas are of all calls and answers, which take a process longer to make at its start than anything else it reads: with the first question. */
const described = async (): Promise<PreparedAnswer> => {
  const { openApiDocument } = await import('./openapi-document.ts');
  return prepared('application/json', JSON.stringify(await openApiDocument()));
};

/** The description of all calls, for programs and for people; open to everybody. */
export const referenceRoutes = (): Router => {
  const router = Router();
  const [, assets] = swaggerUi.serveWithOptions({ redirect: false, maxAge: hour });
  let document: Promise<PreparedAnswer> | null = null;

  router.get('/openapi.json', async (_request, response) => {
    document ??= described().catch((error: unknown) => {
      document = null;
      throw error;
    });
    sendPrepared(response, await document);
  });

  router.get('/docs', (_request, response) => {
    sendPrepared(response, ownPage);
  });

  router.get('/docs/:file', (request, response, next) => {
    const { file: name } = request.params;
    const answer = own.get(name);
    if (answer !== undefined) {
      sendPrepared(response, answer);
      return;
    }
    if (!packaged.has(name)) {
      sendProblem(response, frameProblems.pathUnknown);
      return;
    }
    request.url = `/${name}`;
    void assets(request, response, next);
  });

  return router;
};
