import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { carryOutOrder } from '../tests/support/eventstoredb-standin/orders.ts';
import { standInLog } from '../tests/support/eventstoredb-standin/stand-in-log.ts';
import { startEventStoreDbStandIn } from '../tests/support/eventstoredb-standin/stand-in.ts';

const { values } = parseArgs({ options: { port: { type: 'string' }, file: { type: 'string' } } });
const port = Number(values.port ?? '0');
if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error('--port: a number from 0 to 65535 is wanted');

const log = standInLog(values.file === undefined ? {} : { journal: values.file });
const standIn = await startEventStoreDbStandIn({ port, log });
console.log(standIn.url);
console.error('Стенд-заместитель EventStoreDB только для тестов: не хранилище для настоящих данных.');

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
