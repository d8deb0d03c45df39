import type { ClientToServer, LoadProgress, ServerToClient } from '@zakup/contracts/socket';
import type { Session } from '@zakup/credentials/credentials';
import type { Person } from '@zakup/domain/permissions';
import { takenBytes } from '@zakup/service-kit/unread';
import type { Socket as NetSocket } from 'node:net';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';

/** As whom a socket was admitted, and until when (UTC milliseconds) its token holds. */
export interface SignedIn {
  readonly session: Session;
  readonly expiresAt: number;
  readonly person: Person;
  /** Whether the client takes patches. */
  readonly patches: boolean;
}

export interface SocketData {
  readonly userId: string;
  readonly signedIn: SignedIn;
}

export type LiveServer = Server<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;
export type LiveSocket = Socket<ClientToServer, ServerToClient, DefaultEventsMap, SocketData>;

/** What engine.io keeps to itself: packets that wait for the transport, and the transport's own socket. */
interface Queues {
  readonly writeBuffer: readonly { readonly data?: string | Buffer }[];
  readonly transport: {
    readonly writable: boolean;
    readonly socket?: {
      readonly bufferedAmount?: number;
      terminate?(): void;
      /** The connection under a WebSocket. */
      readonly _socket?: Pick<NetSocket, 'bytesWritten' | 'writableLength'>;
    };
  };
}

/** Bytes (nearly: characters) written to the socket that the network has not taken yet. */
export const waitingBytes = ({ conn }: LiveSocket): number => {
  const { writeBuffer, transport } = conn as unknown as Queues;
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) bytes += data?.length ?? 0;
  return bytes;
};

/** How much was taken of what the socket wrote: of a WebSocket the bytes that the network took, of a line that polls how often it fetched. */
export const takenCount = ({ conn }: LiveSocket): (() => number) => {
  let fetched = 0;
  conn.on('drain', () => {
    fetched += 1;
  });
  return () => {
    const { _socket: line } = (conn as unknown as Queues).transport.socket ?? {};
    return line === undefined ? fetched : takenBytes(line);
  };
};

/** Closes the line at once: nothing that waits is sent, nothing more is read. */
export const cut = (conn: LiveSocket['conn']): void => {
  const { socket } = (conn as unknown as Queues).transport;
  conn.close(true);
  // A closing WebSocket would go on reading until the other side agrees.
  socket?.terminate?.();
};

/** Resolves when the network has taken something, the transport changed, or the socket is gone. */
const moved = ({ conn }: LiveSocket): Promise<void> =>
  new Promise((resolve) => {
    const { transport } = conn;
    const done = (): void => {
      transport.off('drain', done);
      conn.off('upgrade', done);
      conn.off('close', done);
      resolve();
    };
    transport.once('drain', done);
    conn.once('upgrade', done);
    conn.once('close', done);
  });

/** Waits until at most `limit` bytes are under way; false when the socket is gone. */
export const drained = async (socket: LiveSocket, limit: number): Promise<boolean> => {
  while (socket.connected && waitingBytes(socket) > limit) await moved(socket);
  return socket.connected;
};

/** One message made once for many sockets. */
export interface Encoded {
  /** In socket.io's text form: default namespace, no ack. */
  readonly text: string;
  /** The same as a whole WebSocket frame. */
  readonly frame: Buffer;
}

/** Bytes of a frame's head before what is longer than 125, and before what needs more than two bytes to say how long it is. */
const heads = { short: 2, medium: 4, long: 10 };

/** A final text frame of engine.io's packet `message`, as servers send it: not masked. */
const frameOf = (text: string): Buffer => {
  const length = Buffer.byteLength(text) + 1;
  const head = length < 126 ? heads.short : length < 65_536 ? heads.medium : heads.long;
  const frame = Buffer.allocUnsafe(head + length);
  frame[0] = 0x81;
  frame[1] = head === heads.short ? length : head === heads.medium ? 126 : 127;
  if (head === heads.medium) frame.writeUInt16BE(length, 2);
  if (head === heads.long) frame.writeBigUInt64BE(BigInt(length), 2);
  frame.write('4', head, 'latin1');
  frame.write(text, head + 1, 'utf8');
  return frame;
};

/** A `changes` whose documents are JSON already. */
export const encodedChanges = (of: {
  readonly scope: string;
  readonly position: number;
  readonly docs: readonly string[];
  readonly last: boolean;
  readonly progress?: LoadProgress;
}): Encoded => {
  const scope = JSON.stringify(of.scope);
  const progress = of.progress === undefined ? '' : `,"progress":${JSON.stringify(of.progress)}`;
  const text = `2["changes",{"scope":${scope},"position":${of.position},"docs":[${of.docs.join(',')}],"last":${of.last}${progress}}]`;
  return { text, frame: frameOf(text) };
};

/** What was encoded in another thread, by its frame. */
export const encodedBefore = (frame: Buffer): Encoded => {
  let text: string | null = null;
  return {
    frame,
    get text() {
      const length = frame.readUInt8(1);
      const head = length < 126 ? heads.short : length === 126 ? heads.medium : heads.long;
      text ??= frame.toString('utf8', head + 1);
      return text;
    },
  };
};

/** Sends what was encoded, in order with everything else. */
export const sendEncoded = (socket: LiveSocket, { text, frame }: Encoded): void => {
  // engine.io writes the frame as it is where the line is a WebSocket, and takes the text where it is not.
  const options = { compress: false, wsPreEncodedFrame: [frame] };
  if (socket.connected) socket.conn.write(text, options);
};
