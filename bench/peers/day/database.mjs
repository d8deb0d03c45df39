import { DatabaseSync } from '@photostructure/sqlite';

const schema = `
  CREATE TABLE IF NOT EXISTS users (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, email TEXT NOT NULL UNIQUE, role TEXT NOT NULL,
    password TEXT NOT NULL, active INTEGER NOT NULL DEFAULT 1
  );
  CREATE TABLE IF NOT EXISTS campaigns (id TEXT PRIMARY KEY, name TEXT NOT NULL, budget INTEGER NOT NULL, status TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS contractors (id TEXT PRIMARY KEY, nick TEXT NOT NULL UNIQUE);
  CREATE TABLE IF NOT EXISTS creatives (id TEXT PRIMARY KEY, name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS placements (
    id TEXT PRIMARY KEY,
    campaign_id TEXT NOT NULL REFERENCES campaigns, buyer_id TEXT NOT NULL REFERENCES users,
    contractor_id TEXT NOT NULL REFERENCES contractors, creative_id TEXT REFERENCES creatives,
    category TEXT NOT NULL, format TEXT NOT NULL, price INTEGER NOT NULL, leads INTEGER NOT NULL, date TEXT NOT NULL,
    payment_status TEXT NOT NULL, status TEXT NOT NULL, comment TEXT NOT NULL,
    revision INTEGER NOT NULL, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, deleted INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX IF NOT EXISTS placements_by_date ON placements (campaign_id, deleted, date);
  CREATE INDEX IF NOT EXISTS placements_totals ON placements (campaign_id, deleted, price, leads);
  CREATE TABLE IF NOT EXISTS history (
    position INTEGER PRIMARY KEY, placement_id TEXT NOT NULL, revision INTEGER NOT NULL, user_id TEXT NOT NULL,
    at INTEGER NOT NULL, changes TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS history_by_placement ON history (placement_id, position);
  CREATE TABLE IF NOT EXISTS answers (
    user_id TEXT NOT NULL, key TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL, at INTEGER NOT NULL,
    PRIMARY KEY (user_id, key)
  ) WITHOUT ROWID;
`;

/** Opens the application's one database; every commit is on the disk before it is answered. */
export const openDatabase = (file) => {
  const db = new DatabaseSync(file);
  db.exec('PRAGMA page_size = 8192; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON');
  db.exec('PRAGMA wal_autocheckpoint = 8000; PRAGMA cache_size = -65536');
  const { synchronous } = db.prepare('PRAGMA synchronous').get();
  if (synchronous !== 2) throw new Error('Commits are not flushed');
  db.exec(schema);
  return db;
};
