import { Socket } from 'node:net';

/**
 * The next request of this process that bears the command finds that the server has ended its connection, as Node tells whoever writes then:
 * nothing is sent, and the error is Node's own. Undone by the function it returns, which says whether that happened.
 */
export const endedAt = (port: number, command: string): (() => boolean) => {
  const write = Reflect.get(Socket.prototype, 'write');
  let happened = false;
  const ended = function (this: Socket, ...args: Parameters<Socket['write']>): boolean {
    const [bytes] = args;
    const meant =
      this.remotePort === port && bytes instanceof Uint8Array && Buffer.from(bytes).includes(`${command}\0`);
    if (happened || !meant) return write.apply(this, args);
    happened = true;
    const error = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    process.nextTick(() => this.destroy(error));
    return false;
  };
  Socket.prototype.write = ended as Socket['write'];
  return () => {
    Socket.prototype.write = write;
    return happened;
  };
};
