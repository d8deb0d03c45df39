import type { Socket } from 'node:net';
import type { RequestHandler } from 'express';

/** Somebody to whom bytes are on their way. */
export interface Line {
  /** Bytes that the network took so far. */
  readonly taken: () => number;
  /** Bytes that wait for the network. */
  readonly waiting: () => number;
  /** Ends it at once. */
  readonly cut: () => void;
}

export interface UnreadWatch {
  /** From now on it is looked at; what is answered ends that. */
  watch(line: Line): () => void;
  /** Cuts who has taken nothing of what waits for too long. */
  look(): void;
  /** Lines that are looked at. */
  readonly size: number;
}

/** What an answer is taken at, at the least, on average over all the time in which bytes of it waited. */
export interface LeastRate {
  readonly bytesPerSecond: number;
  /** Milliseconds of waiting for which nobody is held to it. */
  readonly grace: number;
}

export interface UnreadWatchOptions {
  readonly patience: number;
  /** Absent = a byte within `patience` is enough. */
  readonly least?: LeastRate;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}

/**
 * Whoever takes nothing of what waits for them for `patience` milliseconds is cut, however lively the line is otherwise, and so is who takes
 * less than the least rate. The time in which nothing waits is no one's fault, and counts for nothing.
 */
export const unreadWatch = ({ patience, least, now }: UnreadWatchOptions): UnreadWatch => {
  const lines = new Map<
    Line,
    { readonly first: number; taken: number; since: number; looked: number; waited: number }
  >();
  const isSlow = (bytes: number, waited: number): boolean =>
    least !== undefined && waited > least.grace && bytes * 1_000 < waited * least.bytesPerSecond;
  return {
    watch(line) {
      const [first, since] = [line.taken(), now()];
      lines.set(line, { first, taken: first, since, looked: since, waited: 0 });
      return () => void lines.delete(line);
    },
    look() {
      const at = now();
      for (const [line, seen] of lines) {
        const taken = line.taken();
        const waits = line.waiting() > 0;
        if (waits) seen.waited += at - seen.looked;
        if (taken !== seen.taken || !waits) Object.assign(seen, { taken, since: at });
        seen.looked = at;
        if (at - seen.since >= patience || (waits && isSlow(taken - seen.first, seen.waited))) {
          lines.delete(line);
          line.cut();
        }
      }
    },
    get size() {
      return lines.size;
    },
  };
};

/** Bytes of the socket that the network took. */
export const takenBytes = (socket: Pick<Socket, 'bytesWritten' | 'writableLength'>): number =>
  socket.bytesWritten - socket.writableLength;

/** Puts every answer under the watch until it is taken or given up. */
export const unreadAnswers =
  (watch: UnreadWatch): RequestHandler =>
  (_request, response, next) => {
    const watched = (socket: Socket): void => {
      const end = watch.watch({
        taken: () => takenBytes(socket),
        waiting: () => response.writableLength + socket.writableLength,
        cut: () => void socket.destroy(),
      });
      response.once('close', end);
    };
    // An answer behind another one of the same line has no line yet.
    if (response.socket === null) response.once('socket', watched);
    else watched(response.socket);
    next();
  };
