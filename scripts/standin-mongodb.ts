import { createInterface } from 'node:readline';
import { startMongoDbStandIn } from '../tests/support/mongodb-standin/mongodb-standin.ts';
import { carriedOut } from '../tests/support/mongodb-standin/orders.ts';
import { optionsOf, sayWhatItIs, started, wholeNumber } from './standin/command-line.ts';

const { port, file, user, password, ...times } = optionsOf([
  'port',
  'file',
  'user',
  'password',
  'transaction-lifetime',
]);
const lifetime = times['transaction-lifetime'];
const longestLifetime = 3_600_000;

const standIn = await started(() =>
  startMongoDbStandIn({
    port: wholeNumber('port', port, 0, 65_535),
    ...(file === undefined ? {} : { data: file }),
    ...(user === undefined || password === undefined ? {} : { credentials: { user, password } }),
    ...(lifetime === undefined
      ? {}
      : { transactionLifetime: wholeNumber('transaction-lifetime', lifetime, 0, longestLifetime) }),
  }),
);
console.log(standIn.url('zakup'));
sayWhatItIs('MongoDB');

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
