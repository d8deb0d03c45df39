import { DatabaseSync } from '@photostructure/sqlite';

// The yardstick of P9, a program of its own: opens the log's file and reads its last rows, nothing else.
const file = process.argv[2] ?? '';
const db = new DatabaseSync(file, { readOnly: true });
const rows = db.prepare('SELECT * FROM events ORDER BY position DESC LIMIT 500').all();
process.stdout.write(`${rows.length}\n`);
