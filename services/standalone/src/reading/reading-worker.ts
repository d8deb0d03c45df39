import { parentPort, workerData } from 'node:worker_threads';
import { declaredFields } from '@zakup/contracts/read-models';
import { codeCipher } from '@zakup/credentials/code-cipher';
import { sqliteLogReader } from '@zakup/event-store/sqlite/log-reads';
import { serveReading } from '@zakup/gateway/reading-thread/serve-port';
import { sqliteReadStore } from '@zakup/read-store/sqlite/sqlite-read-store';
import { sqliteSealStore } from '@zakup/seals/sqlite/sqlite-seal-store';
import { jsonLog } from '@zakup/service-kit/log';
import type { ReadingData } from './reading-data.ts';

const { files, accessCodesKey, logLevel } = workerData as ReadingData;
const readStore = sqliteReadStore({ file: files.readModels, declared: declaredFields, readOnly: true });
const eventStore = sqliteLogReader({ file: files.events });
const seals = sqliteSealStore({ file: files.seals });
const deps = { readStore, eventStore, seals, codes: codeCipher(accessCodesKey), log: jsonLog({ level: logLevel }) };

serveReading(parentPort, async () => ({
  deps,
  close: () => {
    eventStore.close();
    return Promise.allSettled([readStore.close(), seals.close()]);
  },
}));
