import { runSource } from '@zakup/service-kit/threads/source-thread';

await runSource(new URL('./seeding-worker.ts', import.meta.url));
