import { fileURLToPath } from 'node:url';
import { freshServerBuild } from './start/server-build.ts';
import { freshWebBuild } from './start/web-build.ts';

const root = fileURLToPath(new URL('..', import.meta.url)).replace(/[\\/]$/, '');
await freshWebBuild(root);
await freshServerBuild(root);
