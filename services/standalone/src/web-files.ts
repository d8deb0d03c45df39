import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import compression from 'compression';
import express, { Router } from 'express';

/** The built web app: hashed assets for ever, the page itself never from a cache, and the page for every path a screen may have. */
export const webFiles = (dist: string): Router => {
  const router = Router();
  // Files only: what tells secrets apart must not show in the length of an answer.
  router.use(compression());
  router.use('/assets', express.static(join(dist, 'assets'), { immutable: true, maxAge: '1y', index: false }));
  router.use('/assets', (_request, response) => {
    response.status(404).end();
  });
  router.use(express.static(dist, { index: false, maxAge: 0, dotfiles: 'ignore' }));
  router.get('/{*splat}', (_request, response) => {
    response.set('Cache-Control', 'no-cache').sendFile(join(dist, 'index.html'), (error: unknown) => {
      if (error === undefined || response.headersSent) return;
      response
        .status(503)
        .set('Retry-After', '5')
        .type('text')
        .send('Веб-приложение собирается. Обновите страницу через несколько секунд');
    });
  });
  return router;
};

/** Hashes of the page's inline scripts as the build wrote them; none when there is no build. */
export const scriptHashesOf = (dist: string): readonly string[] => {
  const file = join(dist, 'csp.json');
  if (!existsSync(file)) return [];
  const { scriptHashes } = JSON.parse(readFileSync(file, 'utf8')) as { scriptHashes?: readonly string[] };
  return scriptHashes ?? [];
};
