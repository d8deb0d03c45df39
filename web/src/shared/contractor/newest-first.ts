import type { PlacementWire } from '@zakup/contracts/wire-entities';

/** By date, the newest first; of one day the one added last. */
export const newestFirst = (placements: readonly PlacementWire[]): readonly PlacementWire[] =>
  [...placements].sort(
    (a, b) => b.date.localeCompare(a.date) || b.createdAt.localeCompare(a.createdAt) || b.id.localeCompare(a.id),
  );
