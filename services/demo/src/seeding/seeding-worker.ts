import { parentPort, workerData } from 'node:worker_threads';
import { declaredFields } from '@zakup/contracts/read-models';
import { codeCipher } from '@zakup/credentials/code-cipher';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import { jsonLog } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { story } from '../story/story.ts';
import { seedStory } from '../seed-story.ts';
import { sentLog } from './sent-log.ts';
import type { FromSeeding, SeedingData, ToSeeding } from './seeding-messages.ts';

/** Days that are told may be this many looks ahead of those that are durable. */
const looksAhead = 1;

const { scale, told, logLevel, accessCodesKey } = workerData as SeedingData;
const port = parentPort;
if (port === null) throw new Error('The story is told in a worker thread');

const say = (message: FromSeeding): void => port.postMessage(message, []);

let instant = 0;
const log = sentLog((appends) => say({ kind: 'appends', at: instant, appends }));
let waited = 0;
let goOn: () => void = () => undefined;

const tell = (): Promise<void> =>
  seedStory(story(scale), {
    eventStore: log.eventStore,
    codes: codeCipher(accessCodesKey),
    // Only answers would be read from it, and nobody reads those.
    readStore: inMemoryReadStore({ declared: declaredFields }),
    log: jsonLog({ level: logLevel }),
    metrics: appMetrics(),
    told,
    onInstant: (at) => {
      instant = at;
    },
    onDay: async (days) => {
      log.flush();
      say({ kind: 'days', told: days });
      waited += 1;
      if (waited > looksAhead) await new Promise<void>((resolve) => (goOn = resolve));
    },
  });

const finish = (last: FromSeeding): void => {
  say(last);
  port.close();
};

const broken = (error: unknown): void =>
  finish({ kind: 'broken', reason: error instanceof Error ? error.message : String(error) });

let remembered: Promise<void> = Promise.resolve();
port.on('message', (message: ToSeeding) => {
  switch (message.kind) {
    case 'history':
      remembered = remembered.then(() => log.remember(message.events));
      // Told with what comes after it.
      remembered.catch(() => undefined);
      return;
    case 'tell':
      remembered.then(tell).then(() => finish({ kind: 'whole' }), broken);
      return;
    case 'noted':
      waited -= 1;
      goOn();
  }
});
