/** A placement that is to be shown in the table of its campaign. */
export interface RevealRequest {
  readonly campaignId: string;
  readonly placementId: string;
  /** The member whose cell is gone to; absent = the row. */
  readonly field?: string | undefined;
}

let waiting: RevealRequest | null = null;
const tables = new Set<(request: RevealRequest) => boolean>();

/** False where no table of the campaign is on screen: the next one that comes shows it. */
export const requestReveal = (request: RevealRequest): boolean => {
  for (const show of tables) if (show(request)) return true;
  waiting = request;
  return false;
};

/** `show` answers whether the request is its own; one that waits is given to it at once. Answers how to stop. */
export const onRevealRequest = (show: (request: RevealRequest) => boolean): (() => void) => {
  tables.add(show);
  if (waiting !== null && show(waiting)) waiting = null;
  return () => tables.delete(show);
};
