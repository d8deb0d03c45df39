import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import { productionRouter, withoutIconsByName } from './scripts/lean-dependencies.ts';
import { withoutUnusedBlueprint } from './scripts/unused-blueprint.ts';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/**
 * Writes `csp.json` beside index.html: `{ "scriptHashes": ["sha256-…"] }`, one hash for each inline script of the
 * page, ready to stand in `script-src`. The hash is taken from the built page, so it cannot go stale.
 */
const contentSecurity = (): Plugin => ({
  name: 'content-security',
  apply: 'build',
  enforce: 'post',
  generateBundle(_options, bundle) {
    const page = bundle['index.html'];
    if (page?.type !== 'asset') throw new Error('index.html is missing from the bundle');
    const html = typeof page.source === 'string' ? page.source : new TextDecoder().decode(page.source);
    const scriptHashes = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/gu)].map(
      ([, code = '']) => `sha256-${createHash('sha256').update(code).digest('base64')}`,
    );
    this.emitFile({ type: 'asset', fileName: 'csp.json', source: `${JSON.stringify({ scriptHashes })}\n` });
  },
});

const api = process.env['API_URL'] ?? 'http://127.0.0.1:3000';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), contentSecurity(), withoutIconsByName, productionRouter],
  css: { postcss: { plugins: [withoutUnusedBlueprint] } },
  define: { __APP_VERSION__: JSON.stringify(version) },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': api,
      '/readyz': api,
      '/socket.io': { target: api, ws: true },
    },
  },
});
