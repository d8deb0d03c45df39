import { randomUUID } from 'node:crypto';
import { CommandHandler } from '@event-driven-io/emmett';
import { getSQLiteEventStore, sqliteConnection, sqliteRawSQLProjection } from '@event-driven-io/emmett-sqlite';

const text = (value) => `'${String(value).replaceAll("'", "''")}'`;

/** Rows of placements and the sums of their campaigns, kept by the statements of each event. */
export const tables = sqliteRawSQLProjection({
  name: 'tables',
  canHandle: ['PlacementAdded', 'PlacementChanged'],
  initSQL: [
    `CREATE TABLE IF NOT EXISTS placements (id TEXT PRIMARY KEY, campaign_id TEXT NOT NULL, buyer_id TEXT NOT NULL,
      contractor TEXT NOT NULL, category TEXT NOT NULL, format TEXT NOT NULL, price INTEGER NOT NULL, date TEXT NOT NULL,
      payment_status TEXT NOT NULL, revision INTEGER NOT NULL)`,
    `CREATE TABLE IF NOT EXISTS campaigns (id TEXT PRIMARY KEY, spent INTEGER NOT NULL, placements INTEGER NOT NULL)`,
  ],
  evolve: ({ type, data }) => {
    const { id, campaignId } = data;
    const [price, from] = [Number(data.price), Number(data.from)];
    if (type === 'PlacementChanged')
      return [
        `UPDATE placements SET price = ${price}, revision = revision + 1 WHERE id = ${text(id)}`,
        `UPDATE campaigns SET spent = spent + ${price - from} WHERE id = ${text(campaignId)}`,
      ];
    const { buyerId, contractor, category, format, date, paymentStatus } = data;
    const words = [id, campaignId, buyerId, contractor, category, format].map(text).join(', ');
    return [
      `INSERT INTO placements VALUES (${words}, ${price}, ${text(date)}, ${text(paymentStatus)}, 0)`,
      `INSERT INTO campaigns VALUES (${text(campaignId)}, ${price}, 1)
        ON CONFLICT (id) DO UPDATE SET spent = spent + ${price}, placements = placements + 1`,
    ];
  },
});

const handle = CommandHandler({
  initialState: () => ({ price: null }),
  evolve: (state, { data }) => ({ price: data.price }),
});

/**
 * Commands on placements over one SQLite file, with the tables kept in the transaction of each append. On one connection transactions of emmett nest
 * into each other, and on connections of their own they refuse each other as busy: so one append goes after another.
 */
export const placementStore = async (fileName) => {
  const connection = sqliteConnection({ fileName });
  const [{ synchronous }] = await connection.query('PRAGMA synchronous');
  if (synchronous !== 2) throw new Error('Commits are not flushed');
  const opened = getSQLiteEventStore({
    fileName,
    connectionOptions: { singleton: true, connection },
    projections: [{ type: 'inline', projection: tables }],
  });
  await opened.schema.migrate();
  let last = Promise.resolve();
  const inTurn = (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
  const store = { ...opened, appendToStream: (...append) => inTurn(() => opened.appendToStream(...append)) };
  const streamOf = (id) => `placement-${id}`;
  return {
    store,
    connection,
    /** Resolves with the new placement's id. */
    async add(data) {
      const id = randomUUID();
      await handle(store, streamOf(id), ({ price }) => {
        if (price !== null) throw new Error('There is one already');
        return { type: 'PlacementAdded', data: { ...data, id }, metadata: { commandId: randomUUID(), at: Date.now() } };
      });
      return id;
    },
    async change(id, campaignId, price) {
      await handle(store, streamOf(id), ({ price: from }) => {
        if (from === null) throw new Error('There is none');
        const data = { id, campaignId, from, price };
        return { type: 'PlacementChanged', data, metadata: { commandId: randomUUID(), at: Date.now() } };
      });
    },
    close: () => connection.close(),
  };
};
