/** What the driver keeps from its users. */
declare module 'mongodb/lib/cmap/connection.js' {
  import type { Socket } from 'node:net';

  /** One connection of a pool. */
  export class Connection {
    readonly socket: Socket;
    /** Why it was closed; null = it is open. */
    readonly error: Error | null;
    /** Closes it, and ends what waits for an answer on it. */
    onError(error: Error): void;
    /** Resolves once the request has left this process. */
    writeCommand(command: unknown, options?: { readonly signal?: AbortSignal }): Promise<void>;
  }
}
