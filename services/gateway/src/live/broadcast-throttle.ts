/** Milliseconds from the beginning of a round of messages to that of the next one, at least. */
export const leastPause = 16;
/** However much a round carried. */
const mostPause = 160;
/** However long the sending of a round took: others must not wait for a machine that does not keep up. */
const mostForSending = 250;
const perVersion = 8;

/**
 * Milliseconds from the beginning of a round to that of the next one. A change that comes alone goes on at once; of a burst the more goes
 * into one message the more there is of it, as everybody is told each total once a round, and a round is never begun sooner than the one
 * before was sent. `versions`: positions that the round told of. `sending`: milliseconds that its sending took.
 */
export const pauseAfter = ({ versions, sending }: { readonly versions: number; readonly sending: number }): number =>
  Math.max(leastPause, Math.min(mostPause, perVersion * versions), Math.min(mostForSending, 2 * sending));
