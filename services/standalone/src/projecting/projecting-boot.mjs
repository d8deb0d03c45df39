import { runSource } from '@zakup/service-kit/threads/source-thread';

await runSource(new URL('./projecting-worker.ts', import.meta.url));
