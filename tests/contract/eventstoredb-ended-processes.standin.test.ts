import { randomBytes } from 'node:crypto';
import { endedProcessSuite } from '@zakup/command/testing/ended-process-suite';
import type { EndingLog } from '@zakup/command/testing/ending-log';
import type { EventStore } from '@zakup/event-store/event-store';
import type { Unfinished } from '@zakup/event-store/eventstoredb/unfinished';
import {
  eventStoreDbEventStore,
  type EventStoreDbEventStoreOptions,
} from '@zakup/event-store/eventstoredb/eventstoredb-event-store';
import { afterAll } from 'vitest';
import type { Pause } from '../support/eventstoredb-standin/faults.ts';
import { startEventStoreDbStandIn } from '../support/eventstoredb-standin/stand-in.ts';

const standIn = await startEventStoreDbStandIn();
afterAll(() => standIn.stop());

/** Steps are the appends that reach the server: one that is held when its process ends is never carried out. */
const endingClient = (more: Partial<EventStoreDbEventStoreOptions>): EndingLog => {
  const namespace = `t${randomBytes(6).toString('hex')}`;
  const connect = (): Promise<EventStore> => eventStoreDbEventStore({ url: standIn.url, namespace, ...more });
  let current: EventStore | null = null;
  let ending: { readonly pause: Pause; readonly ended: Promise<void>; reached: boolean } | null = null;
  const now = (): EventStore => {
    if (current === null) throw new Error('No process has begun');
    return current;
  };
  const unfinished = (): Unfinished => {
    const told = now().unfinished;
    if (told === undefined) throw new Error('The store tells of what is unfinished');
    return told;
  };
  return {
    async open() {
      current = await connect();
      return {
        atomicAcrossStreams: current.atomicAcrossStreams,
        unfinished: {
          findPartial: (...given) => unfinished().findPartial(...given),
          abandon: (...given) => unfinished().abandon(...given),
        },
        append: (...given) => now().append(...given),
        read: (...given) => now().read(...given),
        revision: (...given) => now().revision(...given),
        readLicence: (...given) => now().readLicence(...given),
        readCommand: (...given) => now().readCommand(...given),
        head: () => now().head(),
        subscribe: (...given) => now().subscribe(...given),
        close: () => now().close(),
      };
    },
    endAt(n) {
      const pause = standIn.faults.pauseAfter(n, new RegExp(`^${namespace}_`, 'u'));
      const end = async (): Promise<void> => {
        await pause.reached;
        one.reached = true;
        const process = now();
        standIn.faults.drop();
        await process.close();
      };
      const one = { pause, reached: false, ended: Promise.resolve() };
      one.ended = end();
      ending = one;
    },
    async restart() {
      const one = ending;
      ending = null;
      if (one === null) return false;
      if (one.reached) await one.ended;
      one.pause.release();
      if (one.reached) current = await connect();
      return one.reached;
    },
  };
};

endedProcessSuite('EventStoreDB (stand-in)', endingClient({}));
endedProcessSuite(
  '@deep EventStoreDB (stand-in), plans finished at once',
  endingClient({ finishPlans: true, planPatience: 0 }),
);
