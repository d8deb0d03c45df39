import type { PlacementRow } from './read-models.ts';

/** What projections of a version before 9 kept. */
export type EarlierPlacement = Omit<PlacementRow, 'comment' | 'postUrl'>;

/** The row as it is kept now: what an earlier version left is read until the content that is built beside it takes its place. */
export const currentPlacement = (row: PlacementRow | EarlierPlacement): PlacementRow =>
  'comment' in row ? row : { ...row, comment: '', postUrl: null };
