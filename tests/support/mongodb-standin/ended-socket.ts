import { Socket } from 'node:net';

/**
 * The next request of this process that bears the command finds its connection at an end, and nothing is sent. `ended`: by the server, as Node
 * tells whoever writes then, by an error of its own; `closed`: by this process a moment ago, which Node tells nobody who writes. Undone by
 * the function it returns, which says whether that happened.
 */
export const endedAt = (port: number, command: string, how: 'ended' | 'closed'): (() => boolean) => {
  const write = Reflect.get(Socket.prototype, 'write');
  let happened = false;
  const ended = function (this: Socket, ...args: Parameters<Socket['write']>): boolean {
    const [bytes] = args;
    const meant =
      this.remotePort === port && bytes instanceof Uint8Array && Buffer.from(bytes).includes(`${command}\0`);
    if (happened || !meant) return write.apply(this, args);
    happened = true;
    const error = Object.assign(new Error('This socket has been ended by the other party'), { code: 'EPIPE' });
    if (how === 'closed') this.destroy();
    else process.nextTick(() => this.destroy(error));
    return false;
  };
  Socket.prototype.write = ended as Socket['write'];
  return () => {
    Socket.prototype.write = write;
    return happened;
  };
};
