import type { Worker } from 'node:worker_threads';

export interface WorkerLineOptions<From> {
  readonly heard: (message: From) => void;
  /** Called once when the thread has ended, with the reason where there is one. */
  readonly over: (reason: unknown) => void;
  /** Milliseconds that the thread has to end by itself. */
  readonly patience: number;
}

/** The line to a thread that was just started, which keeps no process from ending; told to close, the thread ends by itself or is ended. */
export const workerLine = <From>(worker: Worker, { heard, over, patience }: WorkerLineOptions<From>) => {
  worker.unref();
  let reason: unknown;
  worker.on('message', (message: From) => heard(message));
  worker.on('error', (error) => {
    reason = error;
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      over(reason);
      resolve();
    });
  });
  return {
    post: (message: object): void => worker.postMessage(message, []),
    async close(): Promise<void> {
      worker.postMessage({ kind: 'close' }, []);
      const timer = setTimeout(() => void worker.terminate(), patience);
      await ended;
      clearTimeout(timer);
    },
  };
};
