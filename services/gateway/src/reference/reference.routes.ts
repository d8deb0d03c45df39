import { frameProblems } from '@zakup/contracts/frame-problems';
import { sendProblem } from '@zakup/service-kit/problem-middleware';
import { Router } from 'express';
import swaggerUi from 'swagger-ui-express';
import { openApiDocument } from './openapi-document.ts';
import { page, pageStart, pageStyle } from './page.ts';

/** Of the package only what the page asks for. */
const packaged = new Set(['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']);
const own: ReadonlyMap<string, { readonly type: string; readonly text: string }> = new Map([
  ['start.js', { type: 'text/javascript', text: pageStart }],
  ['page.css', { type: 'text/css', text: pageStyle }],
]);
const hour = 60 * 60 * 1000;

/** The description of all calls, for programs and for people; open to everybody. */
export const referenceRoutes = (): Router => {
  const router = Router();
  const [, assets] = swaggerUi.serveWithOptions({ redirect: false, maxAge: hour });
  let document: Promise<string> | null = null;

  router.get('/openapi.json', async (_request, response) => {
    document ??= openApiDocument().then((made) => JSON.stringify(made));
    response.type('application/json').send(await document);
  });

  router.get('/docs', (_request, response) => {
    response.type('text/html').send(page);
  });

  router.get('/docs/:file', (request, response, next) => {
    const { file: name } = request.params;
    const text = own.get(name);
    if (text !== undefined) {
      response.type(text.type).send(text.text);
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
