import { runSource } from '../source-thread.mjs';

await runSource(new URL('./reading-worker.ts', import.meta.url));
