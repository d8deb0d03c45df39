import type { ClientToServer, ServerToClient } from '@zakup/contracts/socket';
import type { Session } from '@zakup/credentials/credentials';
import type { Person } from '@zakup/domain/permissions';
import type { DefaultEventsMap, Server, Socket } from 'socket.io';

/** As whom a socket was admitted, and until when (UTC milliseconds) its token holds. */
export interface SignedIn {
  readonly session: Session;
  readonly expiresAt: number;
  readonly person: Person;
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
    readonly socket?: { readonly bufferedAmount?: number; terminate?(): void };
  };
}

/** Bytes (nearly: characters) written to the socket that the network has not taken yet. */
export const waitingBytes = ({ conn }: LiveSocket): number => {
  const { writeBuffer, transport } = conn as unknown as Queues;
  let bytes = transport.socket?.bufferedAmount ?? 0;
  for (const { data } of writeBuffer) bytes += data?.length ?? 0;
  return bytes;
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

/** An event in socket.io's text form (default namespace, no ack), made once for many sockets. */
export const encoded = (event: 'changes', message: object): string => `2${JSON.stringify([event, message])}`;

/** Sends what `encoded` made, in order with everything else. */
export const sendEncoded = (socket: LiveSocket, text: string): void => {
  if (socket.connected) socket.conn.write(text, { compress: false });
};
