import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { jsonLog } from '@zakup/service-kit/log';
import type { GatewayDeps } from '../deps.ts';
import { answering } from '../reading-thread/answering.ts';
import { askedThread } from '../reading-thread/asked-thread.ts';
import type { FromThread, ToThread } from '../reading-thread/messages.ts';
import { notServing } from '../reading-thread/not-serving.ts';
import type { ReadingThread } from '../reading-thread/reading-thread.ts';

/** A thread that makes answers, without a thread: what both sides tell each other crosses a channel all the same. */
export const threadInPlace = (
  deps: () => Parameters<typeof notServing>[0],
  note: (name: string) => Promise<void> = async () => undefined,
): {
  readonly thread: ReadingThread;
  readonly starts: () => number;
  readonly stops: () => number;
  readonly end: () => void;
} => {
  let starts = 0;
  let stops = 0;
  let end = (): void => undefined;
  const thread = askedThread({
    log: jsonLog({ level: 'silent' }),
    note,
    onEnded: () => undefined,
    start(heard, over) {
      starts += 1;
      const { port1: here, port2: there }: { port1: MessagePort; port2: MessagePort } = new MessageChannel();
      const made = answering(notServing(deps()), (message, transfer) => there.postMessage(message, transfer));
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
