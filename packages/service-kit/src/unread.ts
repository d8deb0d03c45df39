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

/** Whoever takes nothing of what waits for them for `patience` milliseconds is cut, however lively the line is otherwise. */
export const unreadWatch = ({
  patience,
  now,
}: {
  readonly patience: number;
  /** Milliseconds that never go back. */
  readonly now: () => number;
}): UnreadWatch => {
  const lines = new Map<Line, { taken: number; since: number }>();
  return {
    watch(line) {
      lines.set(line, { taken: line.taken(), since: now() });
      return () => void lines.delete(line);
    },
    look() {
      const at = now();
      for (const [line, seen] of lines) {
        const taken = line.taken();
        if (taken !== seen.taken || line.waiting() === 0) Object.assign(seen, { taken, since: at });
        else if (at - seen.since >= patience) {
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
    const { socket } = response;
    if (socket === null) return next();
    const end = watch.watch({
      taken: () => takenBytes(socket),
      waiting: () => response.writableLength + socket.writableLength,
      cut: () => void socket.destroy(),
    });
    response.once('close', end);
    next();
  };
