import { runSource } from '../../source-thread.mjs';

await runSource(new URL('./seeding-worker.ts', import.meta.url));
