import { MongoError, MongoNetworkError } from 'mongodb';
import { Connection } from 'mongodb/lib/cmap/connection.js';

const write = Reflect.get(Connection.prototype, 'writeCommand');

/**
 * A request that waits for room to be sent hears of nothing but that room and an error of the socket. The driver would wait for ever on a
 * connection that is closed meanwhile, without one; and an error it would let through as Node's own, which it takes for none of the network:
 * nothing is asked again, and a commit fails over it. Here both are what they are everywhere else.
 */
Connection.prototype.writeCommand = async function (command, options) {
  const { socket } = this;
  let onClose = (): void => undefined;
  const closed = new Promise<never>((_, reject) => {
    onClose = () =>
      reject(this.error ?? new MongoNetworkError('The connection was closed while a request was written'));
  });
  if (socket.destroyed) onClose();
  else socket.once('close', onClose);
  try {
    await Promise.race([write.call(this, command, options), closed]);
  } catch (error) {
    if (error instanceof MongoError || error === options?.signal?.reason) throw error;
    const cut = new MongoNetworkError(error instanceof Error ? error.message : String(error), {
      ...(error instanceof Error && { cause: error }),
    });
    this.onError(cut);
    throw cut;
  } finally {
    socket.off('close', onClose);
  }
};
