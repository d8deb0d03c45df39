import { createInterface } from 'node:readline';
import { carryOutOrder } from '../tests/support/eventstoredb-standin/orders.ts';
import { standInLog } from '../tests/support/eventstoredb-standin/stand-in-log.ts';
import { startEventStoreDbStandIn } from '../tests/support/eventstoredb-standin/stand-in.ts';
import { optionsOf, sayWhatItIs, started, wholeNumber } from './standin/command-line.ts';

const { port, file } = optionsOf(['port', 'file']);
const { log, standIn } = await started(async () => {
  const kept = standInLog(file === undefined ? {} : { journal: file });
  return {
    log: kept,
    standIn: await startEventStoreDbStandIn({ port: wholeNumber('port', port, 0, 65_535), log: kept }),
  };
});
console.log(standIn.url);
sayWhatItIs('EventStoreDB');

const orders = createInterface({ input: process.stdin });
const obey = async (line: string): Promise<void> => {
  try {
    const said = await carryOutOrder(line, { faults: standIn.faults, log, say: console.log });
    if (said !== null) console.log(said);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
  }
};
orders.on('line', (line) => void obey(line));

const stop = async (): Promise<void> => {
  orders.close();
  await standIn.stop();
  log.close();
  process.exit(0);
};
process.once('SIGINT', () => void stop());
process.once('SIGTERM', () => void stop());
