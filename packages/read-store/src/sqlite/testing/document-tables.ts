import { openDatabase } from '@zakup/sqlite/engine';

/** Names of the tables with documents in a read store's file. */
export const documentTables = (file: string): readonly string[] => {
  const database = openDatabase(file, { readOnly: true });
  const sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'documents%'";
  const rows = database.prepare(sql).all() as readonly { readonly name: string }[];
  database.close();
  return rows.map(({ name }) => name);
};
