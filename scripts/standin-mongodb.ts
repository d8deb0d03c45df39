import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { type MongoDbStandIn, startMongoDbStandIn } from '../tests/support/mongodb-standin/mongodb-standin.ts';
import { carriedOut } from '../tests/support/mongodb-standin/orders.ts';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    file: { type: 'string' },
    user: { type: 'string' },
    password: { type: 'string' },
    'transaction-lifetime': { type: 'string' },
  },
});

const start = (): Promise<MongoDbStandIn> => {
  const { file, user, password, 'transaction-lifetime': lifetime } = values;
  return startMongoDbStandIn({
    port: Number(values.port),
    ...(file === undefined ? {} : { data: file }),
    ...(user === undefined || password === undefined ? {} : { credentials: { user, password } }),
    ...(lifetime === undefined ? {} : { transactionLifetime: Number(lifetime) }),
  });
};

const standIn = await start();
console.log(standIn.url('zakup'));

const orders = createInterface({ input: process.stdin });
orders.on('line', (line) => {
  carriedOut(standIn.faults, line).then(
    (answer) => console.log(answer),
    (error: unknown) => console.error(error instanceof Error ? error.message : String(error)),
  );
});

const stop = (): void => {
  orders.close();
  process.stdin.destroy();
  void standIn.stop();
};
process.once('SIGINT', stop);
process.once('SIGTERM', stop);
