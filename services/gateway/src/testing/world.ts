import { randomBytes, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { declaredFields } from '@zakup/contracts/read-models';
import { keyThrottle } from '@zakup/credentials/key-throttle';
import type { Session } from '@zakup/credentials/credentials';
import { accessTokens } from '@zakup/credentials/access-token';
import { inMemoryCredentials } from '@zakup/credentials/in-memory';
import { testCodes } from '@zakup/credentials/testing/test-codes';
import { inMemoryReadStore } from '@zakup/read-store/in-memory';
import type { Commit, ReadStore } from '@zakup/read-store/read-store';
import { listening } from '@zakup/service-kit/listening';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { jsonLog } from '@zakup/service-kit/log';
import { appMetrics } from '@zakup/service-kit/metrics';
import { malformedRequests } from '@zakup/service-kit/malformed-requests';
import { notFound, problemHandler } from '@zakup/service-kit/problem-middleware';
import express from 'express';
import { gatewayApp } from '../app.ts';
import type { GatewayDeps } from '../deps.ts';
import { readGuard } from '../http/limits/read-guard.ts';
import { liveGateway, type LiveGatewayOptions } from '../live/live-gateway.ts';
import { snapshotCache } from '../time-travel/snapshot-cache.ts';
import { connected, type LiveClient, liveClient, type Replica } from './live-client.ts';
import { type Draft, docOf, licenceRow, userRow } from './rows.ts';

export const licenceId = '0a-licence';
export const partition = 'all';

interface Options extends Pick<LiveGatewayOptions, 'bufferLimit' | 'clock' | 'socketsOfPerson' | 'names'> {
  readonly deps?: Partial<GatewayDeps>;
  /** What the gateway reads instead of the store that the test fills. */
  readonly over?: (readStore: ReadStore) => ReadStore;
}

/** A gateway with HTTP and sockets on a port of its own, over stores in memory that the test fills by commits. */
export const startWorld = async ({ deps: given = {}, over = (store) => store, ...limits }: Options = {}) => {
  const readStore = inMemoryReadStore({ declared: declaredFields });
  const credentials = inMemoryCredentials({
    key: randomBytes(32),
    random: randomBytes,
    hashing: { memoryCost: 8, timeCost: 1 },
  });
  const now = Date.now;
  const tokens = accessTokens({ secret: 'x'.repeat(32), clock: now });
  let head = 0;
  const eventStore: GatewayDeps['eventStore'] = given.eventStore ?? {
    head: async () => head,
    read: async () => [],
    readLicence: async () => [],
  };
  const deps: GatewayDeps = {
    readStore: over(readStore),
    partition,
    eventStore,
    past: snapshotCache({ eventStore }),
    guard: readGuard(),
    keyThrottle: keyThrottle({ now: () => performance.now() }),
    seals: inMemorySealStore(),
    credentials,
    codes: testCodes,
    tokens,
    now,
    readOnly: () => null,
    positionsCountEvents: true,
    log: jsonLog({ level: 'silent' }),
    metrics: appMetrics(),
    patience: 300,
    ...given,
  };
  const app = express();
  app.use('/api', malformedRequests, gatewayApp(deps), notFound);
  app.use(problemHandler(deps.log));
  const server = createServer(app);
  const live = liveGateway({ server, deps, ...limits });
  const address = await listening(server, { port: 0, host: '127.0.0.1' });
  const clients: LiveClient[] = [];

  const commitAt = async (
    position: number,
    drafts: readonly Draft[],
    floors: Commit['floors'] = [],
    name = partition,
  ): Promise<number> => {
    head = Math.max(head, position);
    const docs = drafts.map((draft) => draft(position));
    const result = await readStore.commit({ docs, checkpoint: { partition: name, position, fence: 1 }, floors });
    if (result.kind !== 'committed') throw new Error(`The commit at ${position} was refused: ${result.kind}`);
    return position;
  };

  const world = {
    deps,
    live,
    address,
    readStore,
    credentials,
    tokens,
    head: () => head,
    /** The log goes on while the read models do not. */
    appendOnly: (): number => {
      head += 1;
      return head;
    },
    commitAt,
    /** Commits documents at the next position and answers it. */
    commit: (...drafts: readonly Draft[]) => commitAt(head + 1, drafts),

    /** A token of a new session of the person. */
    async signIn(
      userId: string,
      of: { licenceId?: string; passwordChangeOnly?: boolean; lifetime?: number; via?: Session['via'] } = {},
    ) {
      const { licenceId: licence = licenceId, passwordChangeOnly = false, lifetime = 3_600_000, via = 'employee' } = of;
      const createdAt = now();
      const expiresAt = createdAt + lifetime;
      const opened = await credentials.openSession(
        {
          id: randomUUID(),
          userId,
          licenceId: licence,
          via,
          createdAt,
          expiresAt,
          userAgent: 'test',
          passwordChangeOnly,
        },
        { maxConcurrentSessions: 10_000, endOldest: false },
      );
      if (opened.kind !== 'opened') throw new Error('There is no seat');
      const { id } = opened.session;
      const token = tokens.issue({
        userId,
        sessionId: id,
        licenceId: licence,
        role: 'hint',
        passwordChangeOnly,
        sessionExpiresAt: expiresAt,
      });
      return { token, sessionId: id };
    },

    async get(path: string, token?: string) {
      const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
      const response = await fetch(`${address}/api${path}`, { headers });
      return { status: response.status, headers: response.headers, body: (await response.json()) as Reply };
    },

    async connect(
      token: string,
      options: { transports?: string[]; keep?: Map<string, Replica>; patches?: boolean } = {},
    ) {
      const { patches, ...rest } = options;
      const auth = { token, protocolVersion: 1, ...(patches === undefined ? {} : { patches }) };
      const client = liveClient(address, auth, rest);
      clients.push(client);
      return connected(client);
    },

    async stop(): Promise<void> {
      for (const client of clients) client.close();
      await live.stop();
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
      await credentials.close();
      await readStore.close();
    },
  };

  const doc = docOf(licenceId);
  await world.commit(
    doc.license(licenceRow({ id: licenceId })),
    doc.user(userRow({ id: 'owner', role: 'CEO', isOwner: true, name: 'Owner' })),
    doc.user(userRow({ id: 'lead', role: 'TEAM_LEAD' })),
    doc.user(userRow({ id: 'buyer' })),
    doc.user(userRow({ id: 'analyst', role: 'ANALYTIC' })),
  );
  return world;
};

export type World = Awaited<ReturnType<typeof startWorld>>;

/** Any answer, success or problem: tests look into it by name. */
export interface Reply {
  readonly success: boolean;
  readonly error: string | null;
  readonly code?: string;
  readonly position?: number;
  readonly errors?: readonly { readonly pointer: string }[];
  readonly data: Readonly<Record<string, unknown>>;
  readonly [member: string]: unknown;
}
