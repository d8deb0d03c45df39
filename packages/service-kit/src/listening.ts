import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Starts listening and answers the base address once it does; rejects with the listen error (a busy port: `EADDRINUSE`). */
export function listening(server: Server, { port, host }: { port: number; host: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const bound = server.address() as AddressInfo;
      const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
      resolve(`http://${shown}:${bound.port}`);
    });
  });
}
