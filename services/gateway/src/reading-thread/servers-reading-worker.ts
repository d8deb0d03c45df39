import { parentPort, workerData } from 'node:worker_threads';
import { openOnServers } from './open-on-servers.ts';
import { serveReading } from './serve-port.ts';
import type { ServersReadingData } from './servers-data.ts';

serveReading(parentPort, () => openOnServers(workerData as ServersReadingData));
