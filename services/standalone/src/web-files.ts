import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import express, { Router } from 'express';
import { type PackedFiles, packedFiles } from './packed-files.ts';

/** The built web app: hashed assets for ever, the page itself never from a cache, and the page for every path a screen may have. */
export const webFiles = (dist: string, packed: PackedFiles = packedFiles()): Router => {
  const router = Router();
  const assets = join(dist, 'assets');
  const page = join(dist, 'index.html');
  // Files only: what tells secrets apart must not show in the length of an answer.
  router.use('/assets', packed.below(assets, 'public, max-age=31536000, immutable'));
  router.use('/assets', express.static(assets, { immutable: true, maxAge: '1y', index: false }));
  router.use('/assets', (_request, response) => {
    response.status(404).end();
  });
  router.use(packed.below(dist, 'public, max-age=0'));
  router.use(express.static(dist, { index: false, maxAge: 0, dotfiles: 'ignore' }));
  router.get('/{*splat}', packed.always(page, 'no-cache'));
  router.get('/{*splat}', (_request, response) => {
    response.set('Cache-Control', 'no-cache').sendFile(page, (error: unknown) => {
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
