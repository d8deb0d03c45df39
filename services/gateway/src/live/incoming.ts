import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { RateLimit } from '@zakup/service-kit/rate-limit';
import { cut, drained, type LiveSocket } from './outgoing.ts';

/** Limits of everything that comes in; keys are ids of sockets and lines. */
export interface IncomingLimits {
  /** Messages that are handled. */
  readonly messages: RateLimit;
  /** Answers that a message was not handled. */
  readonly refusals: RateLimit;
  /** Packets of a line, whatever they are: above it the line is cut. */
  readonly packets: RateLimit;
  /** Attempts of a line to sign in, before or after one succeeded: above it the line is cut. */
  readonly entries: RateLimit;
}

/** One message that waits. */
export interface Waiting {
  /** The later one takes the place of an earlier one with the same name that still waits; null = both count. */
  readonly replaces: string | null;
  /** Never rejects. */
  readonly handle: () => Promise<void>;
}

interface Packet {
  readonly type: string;
  readonly data?: string | Buffer;
}

/** Messages of a socket that may wait: every scope opened at once, and as much again. */
const mostWaiting = 128;
/** socket.io's packet that opens a namespace begins with it. */
const entry = '0';

/** Cuts a line that sends more than a client ever does, also before anybody signed in, or bytes where the protocol has only text. */
export const guardLine = (
  conn: LiveSocket['conn'],
  { packets, entries }: Pick<IncomingLimits, 'packets' | 'entries'>,
): void => {
  const { id } = conn as unknown as { readonly id: string };
  const isTooMuch = ({ type, data }: Packet): boolean => {
    if (packets.take(id).kind === 'limited') return true;
    if (type !== 'message') return false;
    if (typeof data !== 'string') return true;
    return data.startsWith(entry) && entries.take(id).kind === 'limited';
  };
  conn.on('packet', (packet: Packet) => {
    if (isTooMuch(packet)) cut(conn);
  });
};

/** Messages of one socket, handled one after another once it is `ready`, each only when the line has room for its answer. */
export const inbox = ({
  socket,
  ready,
  bufferLimit,
}: {
  readonly socket: LiveSocket;
  /** Never rejects. */
  readonly ready: Promise<void>;
  /** Bytes under way above which nothing is answered. */
  readonly bufferLimit: number;
}) => {
  const waiting: Waiting[] = [];
  let working = false;

  const work = async (): Promise<void> => {
    working = true;
    await ready;
    while (waiting.length > 0) {
      if (!(await drained(socket, bufferLimit))) break;
      await waiting.shift()?.handle();
      // A burst of one socket takes turns with everybody else's.
      await yieldToEventLoop();
    }
    waiting.length = 0;
    working = false;
  };

  return {
    /** False, and nothing is kept, when too many wait. */
    put(message: Waiting): boolean {
      const { replaces } = message;
      const earlier = replaces === null ? -1 : waiting.findIndex((one) => one.replaces === replaces);
      if (earlier >= 0) waiting.splice(earlier, 1);
      if (waiting.length >= mostWaiting) return false;
      waiting.push(message);
      if (!working) void work();
      return true;
    },
  };
};
