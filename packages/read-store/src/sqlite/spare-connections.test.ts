import { type Database, openDatabase } from '@zakup/sqlite/engine';
import { describe, expect, it } from 'vitest';
import { keptConnections, spareConnections } from './spare-connections.ts';

/** Connections that count how many of them were opened and closed. */
const counting = () => {
  const count = { opened: 0, closed: 0 };
  const spare = spareConnections(() => {
    count.opened += 1;
    const opened = openDatabase(':memory:');
    const database: Database = {
      exec: (sql) => opened.exec(sql),
      prepare: (sql) => opened.prepare(sql),
      copyTo: (file, onPages) => opened.copyTo(file, onPages),
      get isTransaction() {
        return opened.isTransaction;
      },
      close() {
        count.closed += 1;
        opened.close();
      },
    };
    return { database };
  });
  return { count, ...spare };
};

describe('Spare connections', () => {
  it('SPC-1 reads after one another have one connection, each outside of the transaction before', () => {
    const { count, take, giveBack } = counting();
    for (let read = 0; read < 100; read += 1) {
      const connection = take();
      expect(connection.database.isTransaction).toBe(false);
      connection.database.exec('BEGIN');
      giveBack(connection);
    }
    expect(count).toEqual({ opened: 1, closed: 0 });
  });

  it('SPC-2 of many at once no more are kept than are of use', () => {
    const { count, take, giveBack } = counting();
    const taken = Array.from({ length: keptConnections + 5 }, () => take());
    expect(new Set(taken).size).toBe(keptConnections + 5);
    for (const connection of taken) giveBack(connection);
    expect(count).toEqual({ opened: keptConnections + 5, closed: 5 });
  });

  it('SPC-3 one that cannot be cleared is not used again', () => {
    const { count, take, giveBack } = counting();
    const broken = take();
    broken.database.exec = () => {
      throw new Error('disk I/O error');
    };
    giveBack(broken);
    expect(count).toEqual({ opened: 1, closed: 1 });
    expect(take() === broken).toBe(false);
  });

  it('SPC-4 once closed, idle ones and whatever is given back later are', () => {
    const { count, take, giveBack, close } = counting();
    const [one, other] = [take(), take()];
    giveBack(one);
    close();
    expect(count).toEqual({ opened: 2, closed: 1 });
    giveBack(other);
    expect(count).toEqual({ opened: 2, closed: 2 });
  });
});
