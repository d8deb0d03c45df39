import { randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { messages } from '@zakup/domain/messages';
import { rateLimit } from '@zakup/service-kit/rate-limit';
import { unreadWatch } from '@zakup/service-kit/unread';
import { Server } from 'socket.io';
import type { GatewayDeps } from '../deps.ts';
import { checkpointOf } from '../http/wait-for-position.ts';
import { limits as limitsOfReads } from '../http/limits/limits.ts';
import { admit, connectError, refused } from './handshake.ts';
import { guardLine, type IncomingLimits } from './incoming.ts';
import { lineWatch } from './line-watch.ts';
import type { HubOptions } from './hub-channels.ts';
import { type LicenceHub, licenceHub } from './licence-hub.ts';
import { liveConnection } from './live-connection.ts';
import { cut, type LiveServer, type LiveSocket, takenCount, waitingBytes } from './outgoing.ts';
import { roomForLoads } from './recent-loads.ts';
import { socketCount } from './socket-count.ts';
import { isOwnOrigin, type OwnNames } from './own-origin.ts';
import { patchBaseCache } from './patch-base-cache.ts';

export interface LiveGatewayOptions {
  /** Not yet closed; sockets are taken from its upgrades and from `/socket.io`. */
  readonly server: HttpServer;
  readonly deps: GatewayDeps;
  /** Pages of other origins get no line; default whatever name the request was sent to. */
  readonly names?: OwnNames;
  /** Bytes under way to a socket above which it gets nothing more until they are gone; default 256 KiB. */
  readonly bufferLimit?: number;
  /** Milliseconds that never go back, by which what comes in is limited; default those of this process. */
  readonly clock?: () => number;
  /** Open lines of one person; default as the limits say. */
  readonly socketsOfPerson?: number;
}

export interface LiveGateway {
  /** Tells every socket that the server stops and closes it; later ones are refused. The HTTP server stays open. */
  stop(): Promise<void>;
  /** Cuts lines that have taken nothing of what waits for them for too long; it is done every second anyway. */
  lookAtUnread(): void;
  /** Open sockets. */
  size(): number;
}

const largestMessage = 16 * 1024;
/** What is kept of what was sent, for patches: some tens of megabytes in memory. */
const keptForPatches = { documents: 20_000, text: 16 * 1024 * 1024 };
/** Of long loads for those who come next, some four kilobytes a document: a campaign of 20,000 placements is well within. */
const keptOfLoads = { licence: 25_000, all: 50_000 };
/** Stores may miss a commitSignal, so the checkpoint is looked at by itself every so many milliseconds. */
const lookAgain = 1_000;
/** Milliseconds that clients get to take the farewell. */
const farewell = 1_000;

const socketServer = (server: HttpServer, names: OwnNames): LiveServer =>
  new Server(server, {
    serveClient: false,
    // A page of another site has no token; whatever it got hold of opens nothing from there.
    allowRequest: ({ headers }, answer) => answer(null, isOwnOrigin(headers, names)),
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: largestMessage,
    pingInterval: 15_000,
    pingTimeout: 10_000,
  });

const incomingLimits = (now: () => number): IncomingLimits => {
  const perLine = (perSecond: number, burst: number) => rateLimit({ perSecond, burst, now });
  return {
    messages: perLine(50, 200),
    refusals: perLine(1, 1),
    packets: perLine(150, 1_200),
    entries: perLine(1, 10),
  };
};

/** Calls back when something was committed; `look`: where nobody said so. */
const followCommits = (deps: GatewayDeps, onCommit: () => void) => {
  let seen = -1;
  const stop = deps.readStore.onCommit(({ partition, position }) => {
    if (partition === deps.partition) seen = position;
    onCommit();
  });
  return {
    stop,
    async look(): Promise<void> {
      const position = await checkpointOf(deps);
      if (position === seen) return;
      seen = position;
      onCommit();
    },
  };
};

/** Closes every socket, and waits a while until the clients have taken the reason. */
const closeSockets = async (io: LiveServer, hubs: Iterable<LicenceHub>): Promise<void> => {
  const all = [...hubs].flatMap((hub) => hub.connections());
  const open = [...io.of('/').sockets.values()];
  const closed = Promise.all(
    open.map(
      ({ conn }) =>
        new Promise<void>((resolve) => {
          if (conn.readyState === 'closed') resolve();
          else conn.once('close', () => resolve());
        }),
    ),
  );
  for (const connection of all) connection.end('SERVER_STOPPING');
  for (const socket of open) socket.disconnect(true);
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, farewell);
  });
  await Promise.race([closed, late]);
  clearTimeout(timer);
  io.engine.close();
};

/** What the sockets of all licences share. */
interface LiveState extends Pick<HubOptions, 'deps' | 'sent' | 'room' | 'watch' | 'bufferLimit'> {
  readonly hubs: Map<string, LicenceHub>;
  readonly limits: IncomingLimits;
  readonly unread: ReturnType<typeof unreadWatch>;
  readonly counted: ReturnType<typeof socketCount>;
  stopping: boolean;
}

const hubOf = ({ hubs, deps, sent, room, watch, bufferLimit }: LiveState, licenceId: string): LicenceHub => {
  const hub = hubs.get(licenceId) ?? licenceHub({ deps, sent, room, watch, licenceId, bufferLimit });
  hubs.set(licenceId, hub);
  return hub;
};

const enter = async (state: LiveState, socket: LiveSocket): Promise<Error | undefined> => {
  const { deps, counted } = state;
  const correlationId = randomUUID();
  let answer = state.stopping
    ? refused('UNAVAILABLE', messages.stopping)
    : await admit(deps, socket.handshake.auth, correlationId);
  if (answer.kind === 'welcome') {
    if (counted.enter(socket, answer.data.signedIn.session)) Object.assign(socket.data, answer.data);
    else answer = refused('RATE_LIMITED', messages.tooManySockets);
  }
  if (answer.kind !== 'refused') return undefined;
  deps.log.debug({ correlationId, problem: answer.problem.code }, 'A socket was refused');
  return connectError(answer.problem, correlationId);
};

const connect = (state: LiveState, socket: LiveSocket): void => {
  const { deps, hubs, limits, unread, bufferLimit } = state;
  const { signedIn } = socket.data;
  const { licenceId } = signedIn.session;
  const hub = hubOf(state, licenceId);
  deps.metrics.sockets.inc();
  liveConnection({ deps, hub, socket, signedIn, limits, bufferLimit });
  const endWatch = unread.watch({
    taken: takenCount(socket),
    waiting: () => waitingBytes(socket),
    cut: () => cut(socket.conn),
  });
  socket.once('disconnect', () => {
    endWatch();
    deps.metrics.sockets.dec();
    if (hub.size() === 0 && hubs.get(licenceId) === hub) hubs.delete(licenceId);
  });
};

/** The live channel (LIVE-1 to LIVE-13) on an HTTP server. */
export const liveGateway = ({
  server,
  deps,
  names = { publicUrl: null, trustProxy: 0 },
  bufferLimit = 256 * 1024,
  clock = () => performance.now(),
  socketsOfPerson = limitsOfReads.socketsOfPerson,
}: LiveGatewayOptions): LiveGateway => {
  const io = socketServer(server, names);
  const hubs = new Map<string, LicenceHub>();
  const unread = unreadWatch({ patience: limitsOfReads.socketUnread, now: clock });
  const state: LiveState = {
    deps,
    sent: patchBaseCache(keptForPatches),
    room: roomForLoads(keptOfLoads),
    watch: lineWatch({ now: () => performance.now() }),
    bufferLimit,
    hubs,
    limits: incomingLimits(clock),
    unread,
    counted: socketCount(socketsOfPerson),
    stopping: false,
  };
  const commits = followCommits(deps, () => {
    for (const hub of hubs.values()) hub.wake();
  });
  const looking = setInterval(() => {
    unread.look();
    commits.look().catch((error: unknown) => deps.log.error({ err: error }, 'The read store does not answer'));
  }, lookAgain);
  looking.unref();
  const stopEnds = deps.credentials.onSessionEnded((end) => hubs.get(end.licenceId)?.sessionEnded(end));

  io.engine.on('connection', (conn: LiveSocket['conn']) => guardLine(conn, state.limits));
  io.use((socket, next) => {
    void (async () => next(await enter(state, socket)))();
  });
  io.on('connection', (socket) => connect(state, socket));

  return {
    size: () => io.of('/').sockets.size,
    lookAtUnread: () => unread.look(),
    async stop() {
      state.stopping = true;
      commits.stop();
      stopEnds();
      clearInterval(looking);
      await closeSockets(io, hubs.values());
    },
  };
};
