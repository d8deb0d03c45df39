import type { Projection } from './projection.ts';
import type { RowChange } from './rows/row-projection.ts';
import type { WorkingSet } from './working-set.ts';

const keyOf = (licenceId: string) => ({ kind: 'aliases' as const, id: licenceId, licenceId });

/** Into whom each contractor of the licence was merged. */
export const mergedIntoOf = async (set: WorkingSet, licenceId: string): Promise<Readonly<Record<string, string>>> =>
  (await set.get(keyOf(licenceId)))?.mergedInto ?? {};

const foldAliases = async (
  set: WorkingSet,
  { id, licenceId, position, before, after }: Extract<RowChange, { kind: 'contractor' }>,
): Promise<void> => {
  if (before?.mergedInto === after.mergedInto) return;
  const { [id]: _, ...others } = await mergedIntoOf(set, licenceId);
  const mergedInto = after.mergedInto === undefined ? others : { ...others, [id]: after.mergedInto };
  await set.put({ ...keyOf(licenceId), position, scopes: [], data: { mergedInto } });
};

/** Keeps who is a part of whom: the rows that name merged contractors stay as they are. */
export const aliases: Projection = {
  name: 'aliases',
  version: 9,
  writes: ['aliases'],
  apply: (change, { set }) => (change.kind === 'contractor' ? foldAliases(set, change) : undefined),
};
