import type { ImportWire } from '@zakup/contracts/imports';

const listeners = new Set<(started: ImportWire) => void>();

/** An import was begun by the person, in this tab. */
export const tellImportBegun = (started: ImportWire): void => {
  for (const listener of listeners) listener(started);
};

/** Returns the end of listening. */
export const onImportBegun = (listener: (started: ImportWire) => void): (() => void) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
