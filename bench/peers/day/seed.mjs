import { hashed } from './people.mjs';

/**
 * Fills an empty database. `rows`: placements of `campaignId`, each with the nick of its contractor and the names of its buyer and its creative;
 * `price` in roubles.
 */
export const seed = (db, { users, campaigns, creatives, campaignId, rows }) => {
  const insert = (table, count) => db.prepare(`INSERT INTO ${table} VALUES (${Array(count).fill('?').join(', ')})`);
  db.exec('BEGIN');
  const addUser = insert('users', 6);
  const hashes = new Map();
  for (const { id, name, email, role, password } of users) {
    if (!hashes.has(password)) hashes.set(password, hashed(password));
    addUser.run(id, name, email, role, hashes.get(password), 1);
  }
  const addCampaign = insert('campaigns', 4);
  for (const { id, name } of campaigns) addCampaign.run(id, name, 4_200_000_000, 'ACTIVE');
  const addCreative = insert('creatives', 2);
  for (const { id, name } of creatives) addCreative.run(id, name);
  const addContractor = insert('contractors', 2);
  const contractors = new Map();
  const addPlacement = insert('placements', 17);
  const addHistory = db.prepare(
    'INSERT INTO history (placement_id, revision, user_id, at, changes) VALUES (?, 0, ?, ?, ?)',
  );
  const [buyers, pieces] = [users, creatives].map((all) => new Map(all.map(({ id, name }) => [name, id])));
  for (const { id, date, nick, price, leads, creative, topic, format, buyer, paid } of rows) {
    const name = nick.replace(/^@/, '');
    if (!contractors.has(name)) {
      contractors.set(name, `contractor-${contractors.size}`);
      addContractor.run(contractors.get(name), name);
    }
    const [contractorId, buyerId, creativeId] = [contractors.get(name), buyers.get(buyer), pieces.get(creative)];
    const [kopecks, payment, at] = [Math.round(price * 100), paid ? 'paid' : 'unpaid', Date.now()];
    addPlacement.run(
      id,
      campaignId,
      buyerId,
      contractorId,
      creativeId,
      topic,
      format,
      kopecks,
      leads,
      date,
      payment,
      'PENDING',
      '',
      0,
      at,
      at,
      0,
    );
    addHistory.run(id, buyerId, at, JSON.stringify([{ field: 'price', from: null, to: kopecks }]));
  }
  db.exec('COMMIT; ANALYZE; PRAGMA wal_checkpoint(TRUNCATE)');
};
