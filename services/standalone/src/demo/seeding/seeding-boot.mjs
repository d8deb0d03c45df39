// A worker thread does not inherit the loader that runs TypeScript source where Node has none of its own.
import { register } from 'tsx/esm/api';

register();
await import('./seeding-worker.ts');
