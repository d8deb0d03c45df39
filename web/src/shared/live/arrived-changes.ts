import type { PatchingChanges } from '@zakup/contracts/socket';

export interface ArrivedChangesDeps {
  /** Takes over these messages, one after the other. */
  readonly take: (messages: readonly PatchingChanges[]) => void;
  /** Runs it once, before a paint that is soon, or without one where nothing is painted. */
  readonly beforePaint: (run: () => void) => void;
}

/**
 * Live messages that arrived and are not taken over yet: those that come between two turns are taken over together and drawn once, in the
 * order in which they came.
 */
export const arrivedChanges = ({ take, beforePaint }: ArrivedChangesDeps) => {
  let waiting: readonly PatchingChanges[] = [];

  const flush = (): void => {
    const messages = waiting;
    waiting = [];
    if (messages.length > 0) take(messages);
  };

  return {
    /** With the others of this frame. */
    gather(message: PatchingChanges): void {
      waiting = [...waiting, message];
      if (waiting.length === 1) beforePaint(flush);
    },

    /** At once, after those that wait. */
    takeNow(message: PatchingChanges): void {
      waiting = [...waiting, message];
      flush();
    },

    /** Takes over what waits. */
    flush,

    /** What waits of this scope is of no use: it is asked for anew, or nobody looks at it any more. */
    discard(scope: string): void {
      waiting = waiting.filter((message) => message.scope !== scope);
    },
  };
};
