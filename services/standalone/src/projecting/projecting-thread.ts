import { Worker } from 'node:worker_threads';
import { unrefDelay } from '@zakup/async/delay';
import { tellFigures } from '@zakup/projector/project';
import type { ServiceContext } from '@zakup/service-kit/service';
import { workerLine } from '@zakup/service-kit/threads/worker-line';
import { workerScript } from '@zakup/service-kit/threads/worker-script';
import type { FromProjecting } from './messages.ts';
import { ProjectingClient, type ProjectingClientOptions } from './projecting-client.ts';
import type { ProjectingData } from './projecting-data.ts';

/** Milliseconds that the thread has to end by itself: a commit of a large batch may be under way. */
const patience = 5_000;

/** Starts a thread that projects. `onWorker`: told of each, for tests that end it. */
export const startProjectingWorker =
  (
    workerData: ProjectingData,
    onWorker: (worker: Worker) => void = () => undefined,
  ): ProjectingClientOptions['start'] =>
  (heard, over) => {
    const worker = new Worker(workerScript(import.meta.url, 'projecting'), { workerData, execArgv: [] });
    onWorker(worker);
    return workerLine<FromProjecting>(worker, { heard, over, patience });
  };

/** A thread that projects the embedded stores, which this process is about to open. It loads meanwhile. */
export const projectingThread = (
  { log, metrics, steps }: Pick<ServiceContext, 'log' | 'metrics' | 'steps'>,
  data: Omit<ProjectingData, 'tellsSteps'>,
): ProjectingClient =>
  new ProjectingClient({
    start: startProjectingWorker({ ...data, tellsSteps: steps.areWatched }),
    log,
    onEnded: () => metrics.projectingThreadEnds.inc(),
    onFigure: tellFigures(metrics, steps),
    wait: unrefDelay,
  });
