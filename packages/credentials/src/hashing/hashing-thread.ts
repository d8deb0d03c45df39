import { Worker } from 'node:worker_threads';

/** What a thread is asked to do: hash a password, or compare it with hashes: those of one salt cost as much as one. */
export interface HashingTask {
  readonly password: string;
  readonly stored?: readonly string[];
  readonly options?: {
    readonly memoryCost: number;
    readonly timeCost: number;
    readonly parallelism: number;
    /** 16 bytes; default: random ones. */
    readonly salt?: Uint8Array;
  };
}

type Answer = { readonly value: string | readonly boolean[] } | { readonly error: string };

/** A thread that hashes, behind all others in the line for a core where the system lets it. */
export interface HashingThread {
  /** The hash, or of each whether the password fits; to be asked once at a time. Rejects for a hash that is none, and when the thread ends. */
  run(task: HashingTask): Promise<string | readonly boolean[]>;
}

const workerScript = import.meta.url.endsWith('.ts') ? './hashing-worker.mjs' : './hashing-worker.js';

/** Starts with the first task, and again after a failure; keeps no process alive that has nothing else to do. */
export const hashingThread = (): HashingThread => {
  let worker: Worker | null = null;

  const started = (): Worker => {
    if (worker !== null) return worker;
    const fresh = new Worker(new URL(workerScript, import.meta.url), { execArgv: [] });
    const over = (): void => {
      if (worker === fresh) worker = null;
    };
    fresh.once('error', over).once('exit', over);
    worker = fresh;
    return fresh;
  };

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        const thread = started();
        const settle = (): void => {
          thread.off('message', answered).off('error', failed).off('exit', ended);
          thread.unref();
        };
        const answered = (answer: Answer): void => {
          settle();
          if ('error' in answer) reject(new Error(answer.error));
          else resolve(answer.value);
        };
        const failed = (error: Error): void => {
          settle();
          reject(error);
        };
        const ended = (): void => failed(new Error('The thread that hashes passwords has ended'));
        thread.on('message', answered).on('error', failed).on('exit', ended);
        thread.ref();
        thread.postMessage(task, []);
      }),
  };
};
