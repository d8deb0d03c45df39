import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { jsonLog } from '@zakup/service-kit/log';
import type { GatewayDeps } from '../deps.ts';
import { readingThreadServer } from '../reading-thread/reading-thread-server.ts';
import { readingThreadClient } from '../reading-thread/reading-thread-client.ts';
import type { FromThread, ToThread } from '../reading-thread/messages.ts';
import { readingThreadDeps } from '../reading-thread/reading-thread-deps.ts';
import type { ReadingThread } from '../reading-thread/reading-thread.ts';

/** A thread that makes answers, without a thread: what both sides tell each other crosses a channel all the same. */
export const threadInPlace = (
  deps: () => Parameters<typeof readingThreadDeps>[0],
  note: (name: string) => Promise<void> = async () => undefined,
  now: () => number = () => performance.now(),
): {
  readonly thread: ReadingThread;
  readonly starts: () => number;
  readonly stops: () => number;
  readonly end: () => void;
} => {
  let starts = 0;
  let stops = 0;
  let end = (): void => undefined;
  const thread = readingThreadClient({
    log: jsonLog({ level: 'silent' }),
    note,
    onEnded: () => undefined,
    now,
    start(heard, over) {
      starts += 1;
      const { port1: here, port2: there }: { port1: MessagePort; port2: MessagePort } = new MessageChannel();
      const made = readingThreadServer(readingThreadDeps(deps()), (message, transfer) =>
        there.postMessage(message, transfer),
      );
      there.on('message', (message: ToThread) => {
        if (message.kind === 'stop') stops += 1;
        if (message.kind !== 'close') made.take(message);
      });
      here.on('message', (message: FromThread) => heard(message));
      end = () => {
        made.stop();
        here.close();
        over(new Error('Ended by the test'));
      };
      return { post: (message) => here.postMessage(message, []), close: async () => end() };
    },
  });
  return { thread, starts: () => starts, stops: () => stops, end: () => end() };
};

/** What a gateway is given to make its answers in such a thread. */
export const byThread = (deps: GatewayDeps, thread: ReadingThread): GatewayDeps => ({
  ...deps,
  thread,
  past: thread.past,
  routes: [],
});
