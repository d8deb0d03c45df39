import { runSource } from '@zakup/standalone/source-thread';

await runSource(new URL('./seeding-worker.ts', import.meta.url));
