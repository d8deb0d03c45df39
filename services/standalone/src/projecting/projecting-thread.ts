import { Worker } from 'node:worker_threads';
import { unrefDelay } from '@zakup/async/delay';
import { countIn } from '@zakup/projector/project';
import type { ServiceContext } from '@zakup/service-kit/service';
import { workerLine } from '../worker-line.ts';
import type { FromProjecting } from './messages.ts';
import { ProjectingClient, type ProjectingClientOptions } from './projecting-client.ts';
import type { ProjectingData } from './projecting-data.ts';

/** Built code runs as it is, source by Node's own stripping of types or through a loader. */
const workerScript = (): string => {
  if (!import.meta.url.endsWith('.ts')) return './projecting-worker.js';
  const stripsTypes = 'typescript' in process.features && process.features.typescript !== false;
  return stripsTypes ? './projecting-worker.ts' : './projecting-boot.mjs';
};

/** Milliseconds that the thread has to end by itself: a commit of a large batch may be under way. */
const patience = 5_000;

/** Starts a thread that projects. `onWorker`: told of each, for tests that end it. */
export const startProjectingWorker =
  (
    workerData: ProjectingData,
    onWorker: (worker: Worker) => void = () => undefined,
  ): ProjectingClientOptions['start'] =>
  (heard, over) => {
    const worker = new Worker(new URL(workerScript(), import.meta.url), { workerData, execArgv: [] });
    onWorker(worker);
    return workerLine<FromProjecting>(worker, { heard, over, patience });
  };

/** A thread that projects the embedded stores, which this process is about to open. It loads meanwhile. */
export const projectingThread = (
  { log, metrics }: Pick<ServiceContext, 'log' | 'metrics'>,
  data: ProjectingData,
): ProjectingClient =>
  new ProjectingClient({
    start: startProjectingWorker(data),
    log,
    onEnded: () => metrics.projectingThreadEnds.inc(),
    onFigure: countIn(metrics),
    wait: unrefDelay,
  });
