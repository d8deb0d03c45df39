import { parentPort, workerData } from 'node:worker_threads';
import { declaredFields } from '@zakup/contracts/read-models';
import { codeCipher } from '@zakup/credentials/code-cipher';
import { sqliteLogReader } from '@zakup/event-store/sqlite/log-reads';
import { readingThreadServer } from '@zakup/gateway/reading-thread/reading-thread-server';
import { readingThreadDeps } from '@zakup/gateway/reading-thread/reading-thread-deps';
import type { FromThread, ToThread } from '@zakup/gateway/reading-thread/messages';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { jsonLog } from '@zakup/service-kit/log';
import type { ReadingData } from './reading-data.ts';

const port = parentPort;
if (port === null) throw new Error('Costly answers are made in a worker thread');

const { files, accessCodesKey, logLevel } = workerData as ReadingData;
const say = (message: FromThread, transfer: readonly ArrayBuffer[] = []): void => port.postMessage(message, transfer);

const readStore = sqliteReadStore({ file: files.readModels, declared: declaredFields, readOnly: true });
const eventStore = sqliteLogReader({ file: files.events });
const seals = sqliteSealStore({ file: files.seals });
const thread = readingThreadServer(
  readingThreadDeps({
    readStore,
    eventStore,
    seals,
    codes: codeCipher(accessCodesKey),
    log: jsonLog({ level: logLevel }),
  }),
  say,
);

port.on('message', (message: ToThread) => {
  if (message.kind !== 'close') return thread.take(message);
  thread.stop();
  eventStore.close();
  void Promise.allSettled([readStore.close(), seals.close()]).then(() => port.close());
});
