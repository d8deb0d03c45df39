import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { commandApp } from '@zakup/command/app';
import { gatewayApp } from '@zakup/gateway/app';
import { licencePasts } from '@zakup/gateway/time-travel/licence-pasts';
import { liveGateway } from '@zakup/gateway/live/live-gateway';
import { runProjector } from '@zakup/projector/run-projector';
import { inMemorySealStore } from '@zakup/seals/in-memory';
import { httpLog } from '@zakup/service-kit/http-log';
import { listening } from '@zakup/service-kit/listening';
import { httpMetrics } from '@zakup/service-kit/metrics';
import { notFound, problemHandler } from '@zakup/service-kit/problem-middleware';
import express from 'express';
import { WebSocketServer } from 'ws';
import type { Done, Wanted } from './load/watchers-load.ts';
import { commandWorld } from './world/command-world.ts';
import { report, type Slice } from './world/figure.ts';
import { quantile } from './world/statistics.ts';

// P3: from sending a command to its change in the store of every one of 500 other clients, 20 commands a second, beside a bare `ws`
// relay of the command to the same number, without disk and fold.

const watchers = 500;
const sliceCount = 5;
const perSlice = 40;
const every = 50;

const world = await commandWorld({ sessions: watchers + 1 });
const { deps, licence } = world;
const stop = new AbortController();
const projector = runProjector({ ...deps, partition: 'all', fence: 1, signal: stop.signal });
await projector.caughtUp;
const gatewayDeps = { ...deps, partition: 'all', seals: inMemorySealStore(), past: licencePasts(deps) };
const app = express();
app.use(httpLog(deps), httpMetrics(deps.metrics));
app.use('/api', gatewayApp(gatewayDeps), commandApp(deps), notFound);
app.use(problemHandler(deps.log));
// Longer than a slice of the yardstick.
const server = createServer({ keepAliveTimeout: 60_000 }, app);
const live = liveGateway({ server, deps: gatewayDeps });
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
const ask = async (wanted: Wanted): Promise<Done> => {
  child.send(wanted);
  const [done] = (await once(child, 'message')) as [Done];
  return done;
};
child.on('exit', (code) => {
  if (code !== 0 && code !== null) throw new Error('The load process failed');
});
const times = async (target: 'ours' | 'beside', count: number): Promise<readonly number[]> => {
  const done = await ask({ kind: 'send', target, count, every });
  return done.kind === 'sent' ? done.times : [];
};

await ask({
  kind: 'begin',
  ours,
  relayPort: (relay.address() as { port: number }).port,
  // The first sends, the others watch.
  tokens: world.callers.slice(1).map((caller) => deps.tokens.issue(caller)),
  campaignId: licence.campaignId,
  buyerId: world.callers[1]?.userId ?? '',
  nick: `@${licence.nicks[0] ?? ''}`,
  creativeId: licence.creativeId,
});
await times('ours', 20);
await times('beside', 20);
const p50: Slice[] = [];
const p99: Slice[] = [];
for (let index = 0; index < sliceCount; index += 1) {
  const our = await times('ours', perSlice);
  const beside = await times('beside', perSlice);
  p50.push({ ours: quantile(our, 0.5), beside: quantile(beside, 0.5) });
  p99.push({ ours: quantile(our, 0.99), beside: quantile(beside, 0.99) });
}
report([
  { row: 'P3 p50', kind: 'time', unit: 'ms', slices: p50 },
  { row: 'P3 p99', kind: 'time', unit: 'ms', slices: p99 },
]);
child.disconnect();
await live.stop();
stop.abort();
await projector.stop();
relay.close();
server.close();
await world.close();
process.exit(0);
