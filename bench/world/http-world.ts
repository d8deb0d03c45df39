import { createServer } from 'node:http';
import { join } from 'node:path';
import { commandApp } from '@zakup/command/app';
import { httpLog } from '@zakup/service-kit/http-log';
import { listening } from '@zakup/service-kit/listening';
import { httpMetrics } from '@zakup/service-kit/metrics';
import { notFound, problemHandler } from '@zakup/service-kit/problem-middleware';
import { securityHeaders } from '@zakup/service-kit/security';
import express from 'express';
import { WebSocketServer } from 'ws';
import { bareWriter } from '../bare/bare-writer.ts';
import { loadProcess } from '../load/load-process.ts';
import { commandWorld } from './command-world.ts';

const portOf = (address: string): number => Number(new URL(address).port);

/** The command service behind the middleware of the single-process edition, a bare Express route, and a process that calls both. */
export const httpWorld = async () => {
  const world = await commandWorld();
  const { log, metrics, tokens } = world.deps;

  const app = express();
  app.disable('x-powered-by');
  app.use(httpLog({ log }), httpMetrics(metrics));
  app.use(securityHeaders({ https: false, scriptHashes: [] }));
  app.use('/api', commandApp(world.deps), notFound);
  app.use(problemHandler(log));
  const server = createServer({ keepAliveTimeout: 60_000 }, app);

  const bare = await bareWriter(join(world.folder, 'bare.db'));
  const bareApp = express();
  bareApp.disable('x-powered-by');
  bareApp.post('/api/placements', express.json({ limit: '1mb' }), async (request, response) => {
    const { stream, position } = await bare.write({ payload: Buffer.from(JSON.stringify(request.body)) });
    response.json({ success: true, data: { placement: { id: String(stream), ...request.body } }, position });
  });
  bareApp.patch('/api/placements/:id', express.json({ limit: '1mb' }), async (request, response) => {
    const row = { stream: Number(request.params['id']), payload: Buffer.from(JSON.stringify(request.body)) };
    const { stream, position } = await bare.write(row);
    response.json({ success: true, data: { placement: { id: String(stream), ...request.body } }, position });
  });
  const bareServer = createServer({ keepAliveTimeout: 60_000 }, bareApp);

  const relay = new WebSocketServer({ host: '127.0.0.1', port: 0, perMessageDeflate: false });
  relay.on('connection', (socket) => socket.on('message', (data) => socket.send(data)));

  const load = loadProcess();
  const on = { port: 0, host: '127.0.0.1' };
  const ports = {
    ours: portOf(await listening(server, on)),
    beside: portOf(await listening(bareServer, on)),
    echo: (relay.address() as { port: number }).port,
  };
  const callers = world.callers.map((caller) => ({ userId: caller.userId, token: tokens.issue(caller) }));
  await load.begin({ licence: world.licence, callers, ports });

  return {
    ...world,
    bare,
    load,
    async close() {
      load.close();
      relay.close();
      for (const one of [server, bareServer]) {
        one.closeAllConnections();
        one.close();
      }
      await bare.close();
      await world.close();
    },
  };
};
