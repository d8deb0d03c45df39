import { createServer } from 'node:http';
import type { GatewayDeps } from '@zakup/gateway/deps';
import { liveGateway } from '@zakup/gateway/live/live-gateway';
import { connected, type LiveClient, liveClient, type Replica } from '@zakup/gateway/testing/live-client';
import { listening } from '@zakup/service-kit/listening';

export interface Watchable {
  /** Of sockets alone: calls go to the API's own. */
  readonly address: string;
  /** Resolves once connected; rejects with the `connect_error`. */
  readonly connect: (token: string, keep?: Map<string, Replica>, patches?: boolean) => Promise<LiveClient>;
  readonly close: () => Promise<void>;
}

/** The live channel beside an API, on the same stores. */
export const watchable = async (deps: GatewayDeps): Promise<Watchable> => {
  const server = createServer();
  const live = liveGateway({ server, deps });
  const address = await listening(server, { port: 0, host: '127.0.0.1' });
  const clients = new Set<LiveClient>();
  return {
    address,
    connect(token, keep = new Map(), patches = false) {
      const client = liveClient(address, { token, protocolVersion: 1, ...(patches && { patches }) }, { keep });
      clients.add(client);
      client.socket.once('disconnect', () => clients.delete(client));
      return connected(client);
    },
    async close() {
      for (const client of clients) client.close();
      await live.stop();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
};

/** Opens a scope, or all of them, and waits for the whole first load; throws when it is refused. */
export const opened = async (client: LiveClient, ...scopes: readonly string[]): Promise<void> => {
  for (const scope of scopes) {
    const answer = await client.subscribe(scope);
    if (!answer.ok) throw new Error(`${scope}: ${answer.problem.code}`);
    await client.until(() => client.replica(scope).position !== null);
  }
};

/** Present documents of a scope as `kind id`, sorted. */
export const keysIn = (client: LiveClient, scope: string): readonly string[] =>
  [...client.replica(scope).docs]
    .filter(([, { doc }]) => doc !== null)
    .map(([key]) => key)
    .toSorted();
