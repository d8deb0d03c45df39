import { keyThrottle } from '@zakup/credentials/key-throttle';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { commandApp } from '@zakup/command/app';
import { gatewayApp } from '@zakup/gateway/app';
import { readGuard } from '@zakup/gateway/http/limits/read-guard';
import { liveGateway } from '@zakup/gateway/live/live-gateway';
import { snapshotCache } from '@zakup/gateway/time-travel/snapshot-cache';
import { runProjector } from '@zakup/projector/run-projector';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { httpLog } from '@zakup/service-kit/http-log';
import { listening } from '@zakup/service-kit/listening';
import { httpMetrics } from '@zakup/service-kit/metrics';
import { notFound, problemHandler } from '@zakup/service-kit/problem-middleware';
import express from 'express';
import { WebSocketServer } from 'ws';
import type { Done, Target, Wanted } from '../load/watchers-load.ts';
import { commandWorld } from './command-world.ts';

/** How many clients watch. */
export const watchers = 500;

/**
 * Command service, projector and gateway in this process, as in the single-process edition, a bare `ws` relay beside them, and a process
 * that holds the clients of both.
 */
export const liveWorld = async () => {
  const world = await commandWorld({ sessions: watchers + 1 });
  const { deps, kept: eventStore, licence } = world;
  const stop = new AbortController();
  const projector = runProjector({ ...deps, eventStore, partition: 'all', fence: 1, signal: stop.signal });
  await projector.caughtUp;
  const gatewayDeps = {
    ...deps,
    eventStore,
    codes: deps.cache.codes,
    partition: 'all',
    seals: inMemorySealStore(),
    past: snapshotCache({ eventStore }),
    guard: readGuard(),
    keyThrottle: keyThrottle({ now: () => performance.now() }),
  };
  const app = express();
  app.use(httpLog(deps), httpMetrics(deps.metrics));
  app.use('/api', gatewayApp(gatewayDeps), commandApp(deps), notFound);
  app.use(problemHandler(deps.log));
  // Longer than a slice of the yardstick.
  const server = createServer({ keepAliveTimeout: 60_000 }, app);
  const live = liveGateway({ server, deps: gatewayDeps, socketsOfPerson: watchers });
  const ours = await listening(server, { port: 0, host: '127.0.0.1' });

  const relay = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  relay.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      const text = data.toString('utf8');
      for (const other of relay.clients) if (other !== socket) other.send(text);
    }),
  );
  await once(relay, 'listening');

  const child = fork(fileURLToPath(new URL('./watchers-load.js', import.meta.url)), { execArgv: [] });
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) throw new Error('The load process failed');
  });
  const ask = async <Kind extends Done['kind']>(wanted: Wanted, kind: Kind): Promise<Extract<Done, { kind: Kind }>> => {
    child.send(wanted);
    const [done] = (await once(child, 'message')) as [Done];
    if (done.kind !== kind) throw new Error(`The load process answered ${done.kind}`);
    return done as Extract<Done, { kind: Kind }>;
  };
  await ask(
    {
      kind: 'begin',
      ours,
      relayPort: (relay.address() as { port: number }).port,
      // The first sends, the others watch.
      tokens: world.callers.slice(1).map((caller) => deps.tokens.issue(caller)),
      campaignId: licence.campaignId,
      buyerId: world.callers[1]?.userId ?? '',
      nick: `@${licence.nicks[0] ?? ''}`,
      creativeId: licence.creativeId,
    },
    'begun',
  );

  return {
    /** So many commands, so many milliseconds apart: of each the milliseconds until the last client had it, and all bytes that came. */
    send: (target: Target, count: number, every: number) => ask({ kind: 'send', target, count, every }, 'sent'),
    /** Commands a second that every client has, a few under way all the time. */
    flow: async (target: Target, milliseconds: number): Promise<number> =>
      (await ask({ kind: 'flow', target, milliseconds }, 'flowed')).rate,
    /** Closes the lines of all clients, or opens them at once, going on by position; milliseconds until all are where they were. */
    lines: async (target: Target, open: boolean): Promise<number> =>
      (await ask({ kind: 'lines', target, open }, 'moved')).milliseconds,
    /** One client takes nothing any more, or goes on; it is waited for no more. */
    stall: (stalled: boolean) => ask({ kind: 'stall', stalled }, 'moved'),
    /** Clients that the gateway and the relay hold now. */
    open: (): number => live.size() + relay.clients.size,
    async close() {
      child.disconnect();
      await live.stop();
      stop.abort();
      await projector.stop();
      relay.close();
      server.close();
      await world.close();
    },
  };
};
