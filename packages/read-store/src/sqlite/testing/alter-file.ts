import { openDatabase } from '@zakup/sqlite/engine';

/** Changes a read store's file behind its back, as a broken disk or a foreign hand would. */
export const alterFile = (file: string, sql: string): void => {
  const database = openDatabase(file);
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
};
