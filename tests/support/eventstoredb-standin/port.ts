import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConnectionInjector } from '@grpc/grpc-js/build/src/server.js';
import type { Wires } from './faults.ts';

export interface Port extends Wires {
  readonly number: number;
}

/** A port on 127.0.0.1 whose sockets are ours to cut; each is handed to the gRPC server. */
export const openPort = async (wanted: number, injector: ConnectionInjector): Promise<Port> => {
  const sockets = new Set<Socket>();
  const listener = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => undefined);
    injector.injectConnection(socket);
  });
  const listen = async (port: number): Promise<void> => {
    listener.listen(port, '127.0.0.1');
    await once(listener, 'listening');
  };
  await listen(wanted);
  const { port: number } = listener.address() as AddressInfo;
  const cut = (abruptly: boolean): void => {
    for (const socket of sockets) {
      if (abruptly) socket.resetAndDestroy();
      else socket.destroy();
    }
  };
  return {
    number,
    cut,
    close: async () => {
      if (!listener.listening) return;
      const closed = once(listener, 'close');
      listener.close();
      cut(false);
      await closed;
    },
    open: async () => {
      if (!listener.listening) await listen(number);
    },
  };
};
