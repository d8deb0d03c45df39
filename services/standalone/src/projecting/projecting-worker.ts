import { parentPort, workerData } from 'node:worker_threads';
import type { FromProjecting, ToProjecting } from './messages.ts';
import type { ProjectingData } from './projecting-data.ts';
import { ProjectingServer } from './projecting-server.ts';

const port = parentPort;
if (port === null) throw new Error('Read models are projected in a worker thread');

const say = (message: FromProjecting): void => port.postMessage(message, []);
const server = new ProjectingServer(workerData as ProjectingData, say);

port.on('message', (message: ToProjecting) => {
  if (message.kind === 'close') void server.close().finally(() => port.close());
  else server.take(message);
});
