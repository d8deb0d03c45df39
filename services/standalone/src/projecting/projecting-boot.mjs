import { runSource } from '../source-thread.mjs';

await runSource(new URL('./projecting-worker.ts', import.meta.url));
