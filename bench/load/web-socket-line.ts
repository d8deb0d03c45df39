import { once } from 'node:events';
import { WebSocket } from 'ws';

/** One bare `ws` connection to a server that sends back what it gets. */
export const webSocketLine = async (port: number) => {
  const socket = new WebSocket(`ws://127.0.0.1:${port}`, { perMessageDeflate: false });
  await once(socket, 'open');
  // About as long as a command.
  const text = JSON.stringify({ text: 'x'.repeat(200) });
  let received: () => void = () => undefined;
  socket.on('message', () => received());
  return {
    echo: (): Promise<void> =>
      new Promise((resolve) => {
        received = resolve;
        socket.send(text);
      }),
  };
};
