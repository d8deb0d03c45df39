import type { LiveSocket } from './outgoing.ts';

/** Milliseconds between two looks at all lines that are followed. */
const look = 1_000;
/** A line that said nothing for so many milliseconds is asked. */
const asked = 1_000;
/** A line that said nothing for so many milliseconds has fallen silent: with a look in between, 4.5 s after it was heard last. */
const silence = 3_500;
/** After a longer gap between two looks, in milliseconds, nobody falls silent: this process was busy, and what lines said may lie unread. */
const longestGap = 2 * look;

/** What engine.io keeps to itself: packets of its own. Every client of the protocol answers `ping` by itself, at once. */
interface Heartbeat {
  sendPacket(type: 'ping'): void;
}

interface Line {
  heardAt: number;
  silent: boolean;
  /** Told when the line falls silent, and when it is heard again. */
  readonly listeners: Set<() => void>;
  readonly unhook: () => void;
}

export interface LineWatch {
  /** Follows a line until the returned function is called; `onTurn` is told when it falls silent and when it is heard again. */
  follow(socket: LiveSocket, onTurn: () => void): () => void;
  /** Whether a followed line has not answered for some seconds; false of others. */
  isSilent(socket: LiveSocket): boolean;
}

/**
 * Notices within five seconds that a line has died without a word. The protocol's own heartbeat takes up to 25 s for that, so that a slow
 * network ends no session; here only lines that are followed are asked, and none is closed. Anything that comes over a line is an answer.
 */
export const lineWatch = ({
  now,
}: {
  /** Milliseconds that never go back. */
  readonly now: () => number;
}): LineWatch => {
  const lines = new Map<LiveSocket, Line>();
  let timer: NodeJS.Timeout | null = null;
  let lookedAt = 0;

  const ask = ({ conn }: LiveSocket): void => {
    if (conn.readyState === 'open') (conn as unknown as Heartbeat).sendPacket('ping');
  };

  const lookAtAll = (): void => {
    const time = now();
    const isLate = time - lookedAt > longestGap;
    lookedAt = time;
    for (const [socket, line] of lines) {
      const quiet = time - line.heardAt;
      if (quiet >= asked) ask(socket);
      const silent = quiet >= silence;
      if (silent === line.silent || (silent && isLate)) continue;
      line.silent = silent;
      for (const listener of line.listeners) listener();
    }
  };

  const opened = (socket: LiveSocket): Line => {
    const onPacket = (): void => {
      line.heardAt = now();
    };
    const line: Line = {
      heardAt: now(),
      silent: false,
      listeners: new Set(),
      unhook: () => socket.conn.off('packet', onPacket),
    };
    socket.conn.on('packet', onPacket);
    lines.set(socket, line);
    if (timer === null) {
      lookedAt = now();
      timer = setInterval(lookAtAll, look);
      timer.unref();
    }
    return line;
  };

  const close = (socket: LiveSocket, line: Line): void => {
    line.unhook();
    lines.delete(socket);
    if (lines.size > 0 || timer === null) return;
    clearInterval(timer);
    timer = null;
  };

  return {
    follow(socket, onTurn) {
      const line = lines.get(socket) ?? opened(socket);
      // One of its own for each who follows, also where two pass the same function.
      const listener = (): void => onTurn();
      line.listeners.add(listener);
      return () => {
        if (line.listeners.delete(listener) && line.listeners.size === 0) close(socket, line);
      };
    },
    isSilent: (socket) => lines.get(socket)?.silent ?? false,
  };
};
