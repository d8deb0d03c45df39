import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placementStore, tables } from './placements.mjs';

// Commands through emmett in a process of its own, which measures itself as it is asked to: `rate` of 64 callers for so long, `lone` one so many
// times, `rebuild` of its tables from so many events.

const callers = 64;
const folder = mkdtempSync(join(tmpdir(), 'bench-emmett-'));
const placements = await placementStore(join(folder, 'events.db'));
const added = (count) => ({
  campaignId: 'campaign',
  buyerId: `buyer${count % 8}`,
  contractor: `channel_${count % 32}`,
  category: 'Юмор',
  format: '1/24',
  price: 100_000 + (count % 900) * 100,
  date: '2026-03-01',
  paymentStatus: 'unpaid',
});
const quantile = (values, share) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)];

/** A caller adds a placement, then changes its price, and so on. */
const caller = (number) => {
  let count = number * 1000;
  let id = null;
  return async () => {
    count += 1;
    const began = performance.now();
    if (id === null) id = await placements.add(added(count));
    else {
      await placements.change(id, 'campaign', 100_000 + (count % 900) * 100 + 50);
      id = null;
    }
    return performance.now() - began;
  };
};
const all = Array.from({ length: callers }, (_, number) => caller(number));

const rate = async (milliseconds) => {
  const began = performance.now();
  const times = [];
  await Promise.all(
    all.map(async (send) => {
      while (performance.now() - began < milliseconds) times.push(await send());
    }),
  );
  return { rate: (times.length * 1000) / (performance.now() - began), p99: quantile(times, 0.99) };
};
const lone = async (count) => {
  const times = [];
  for (let index = 0; index < count; index += 1) times.push(await all[0]());
  return { p99: quantile(times, 0.99) };
};

let filled = null;
/** The tables anew from all events, with the content of before in them. */
const rebuild = async (events) => {
  if (filled === null) {
    filled = await placementStore(join(folder, 'rebuild.db'));
    for (let count = 0; count < events; count += 10) {
      const id = await filled.add(added(count));
      for (let change = 1; change < 10; change += 1) await filled.change(id, 'campaign', 100_000 + change);
    }
  }
  const { connection, store } = filled;
  const began = performance.now();
  let seen = 0;
  const consumer = store.consumer({ pulling: { batchSize: 1000, pullingFrequencyInMs: 1 } });
  await connection.batchCommand(['DELETE FROM placements', 'DELETE FROM campaigns']);
  consumer.processor({
    processorId: `rebuild-${began}`,
    projection: tables,
    startFrom: 'BEGINNING',
    stopAfter: () => {
      seen += 1;
      return seen === events;
    },
  });
  await consumer.start();
  const seconds = (performance.now() - began) / 1000;
  const [{ rows }] = await connection.query('SELECT COUNT(*) AS rows FROM placements');
  if (rows !== events / 10) throw new Error(`The rebuild came to ${rows} rows`);
  return { rate: events / seconds };
};

const wanted = { rate, lone, rebuild };
const answer = async ({ kind, value }) => {
  try {
    process.send?.(await wanted[kind](value));
  } catch (error) {
    console.error(error);
    process.exit(1);
  }
};
process.on('message', (message) => void answer(message));
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
process.send?.({ address: '' });
