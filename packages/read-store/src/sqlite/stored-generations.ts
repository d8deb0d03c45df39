import type { Generation } from '../read-store.ts';
import { type Tables, tablesOf } from './schema.ts';
import type { Prepare } from './store-connection.ts';

export const inState = (prepareOn: Prepare, state: 'active' | 'next' | 'former'): readonly Generation[] =>
  prepareOn('SELECT number, version FROM generations WHERE state = ? ORDER BY number').all(
    state,
  ) as readonly Generation[];

/** Tables of the content that readers see, as of the connection's snapshot. */
export const activeTables =
  (file: string) =>
  (prepareOn: Prepare): Tables => {
    const [active] = inState(prepareOn, 'active');
    if (active === undefined) throw new Error(`Read store ${file} says of no content that it is the one to be read`);
    return tablesOf(active.number);
  };

export const retire = (prepareOn: Prepare, state: 'active' | 'next'): void => {
  prepareOn("UPDATE generations SET state = 'former' WHERE state = ?").run(state);
};
