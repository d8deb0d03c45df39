import type { Database } from '@zakup/sqlite/engine';

/** More than so many idle connections are not kept; each is a handful of descriptors and, without its pages, some tens of kilobytes. */
export const keptConnections = 32;

interface Connected {
  readonly database: Database;
}

export interface SpareConnections<Connection extends Connected> {
  /** An idle one, or a new one; to be given back. */
  readonly take: () => Connection;
  /** Ends its transaction and frees its pages. */
  readonly giveBack: (connection: Connection) => void;
  /** Closes the idle ones, and from now on whatever is given back. */
  readonly close: () => void;
}

/**
 * Connections for reads in transactions of their own. They are used again, because a closed one goes on holding its descriptors and pages
 * until its statements are collected: short reads, one after another, would pile them up faster than they are.
 */
export const spareConnections = <Connection extends Connected>(
  open: () => Connection,
): SpareConnections<Connection> => {
  const idle: Connection[] = [];
  let closed = false;

  /** Whether it can be used again. */
  const isCleared = ({ database }: Connection): boolean => {
    try {
      if (database.isTransaction) database.exec('ROLLBACK');
      database.exec('PRAGMA shrink_memory');
      return !database.isTransaction;
    } catch {
      return false;
    }
  };

  return {
    take: () => idle.pop() ?? open(),

    giveBack: (connection) => {
      if (!closed && idle.length < keptConnections && isCleared(connection)) idle.push(connection);
      else connection.database.close();
    },

    close: () => {
      closed = true;
      for (const { database } of idle.splice(0)) database.close();
    },
  };
};
