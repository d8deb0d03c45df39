import { runSource } from '@zakup/service-kit/threads/source-thread';

await runSource(new URL('./servers-reading-worker.ts', import.meta.url));
