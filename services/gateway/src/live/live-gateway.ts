import { randomUUID } from 'node:crypto';
import type { Server as HttpServer } from 'node:http';
import { type Problem, toProblemBody } from '@zakup/contracts/problems';
import { signInProblems } from '@zakup/contracts/sign-in-problems';
import { handshakeSchema } from '@zakup/contracts/socket';
import { authenticateToken } from '@zakup/credentials/authenticate';
import { messages } from '@zakup/domain/messages';
import { may } from '@zakup/domain/permissions';
import { problemOf } from '@zakup/service-kit/problem-middleware';
import { rateLimit } from '@zakup/service-kit/rate-limit';
import { unreadWatch } from '@zakup/service-kit/unread';
import { Server } from 'socket.io';
import type { GatewayDeps } from '../deps.ts';
import { viewerOf } from '../http/person.ts';
import { checkpointOf } from '../http/wait-for-position.ts';
import { limits as limitsOfReads } from '../http/limits/limits.ts';
import { guardLine, type IncomingLimits } from './incoming.ts';
import { lineWatch } from './line-watch.ts';
import { type LicenceHub, licenceHub } from './licence-hub.ts';
import { liveConnection } from './live-connection.ts';
import { cut, type LiveServer, type LiveSocket, type SocketData, takenCount, waitingBytes } from './outgoing.ts';
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

type Handshake =
  | { readonly kind: 'welcome'; readonly data: SocketData }
  | { readonly kind: 'refused'; readonly problem: Problem };

const refused = (code: Problem['code'], message: string): Handshake => ({
  kind: 'refused',
  problem: { code, message },
});

const handshake = async (deps: GatewayDeps, auth: unknown): Promise<Handshake> => {
  const parsed = handshakeSchema.safeParse(auth);
  if (!parsed.success) {
    const wrong = new Set(parsed.error.issues.map(({ path }) => path[0]));
    if (wrong.has('token') || wrong.has(undefined)) return refused('UNAUTHENTICATED', messages.tokenMissing);
    return refused(
      'VALIDATION_FAILED',
      wrong.has('protocolVersion') ? messages.protocolUnknown : messages.messageInvalid,
    );
  }
  const authenticated = await authenticateToken(deps, parsed.data.token);
  if (authenticated.kind === 'refused') return { kind: 'refused', problem: signInProblems[authenticated.reason] };
  const { session, expiresAt } = authenticated;
  const viewer = await viewerOf(deps, session);
  if (viewer === null) return refused('UNAUTHENTICATED', messages.sessionExpired);
  const verdict = may(viewer.person, 'screen.profile');
  if (!verdict.allowed) return refused(verdict.code, verdict.message);
  const { person } = viewer;
  return {
    kind: 'welcome',
    data: { userId: session.userId, signedIn: { session, expiresAt, person, patches: parsed.data.patches } },
  };
};

/** What `connect_error` carries in `data`. */
const connectError = (problem: Problem): Error =>
  Object.assign(new Error(problem.message), { data: toProblemBody(problem, randomUUID()) });

/** The live channel (LIVE-1 to LIVE-13) on an HTTP server. */
export const liveGateway = ({
  server,
  deps,
  names = { publicUrl: null, trustProxy: 0 },
  bufferLimit = 256 * 1024,
  clock = () => performance.now(),
  socketsOfPerson = limitsOfReads.socketsOfPerson,
}: LiveGatewayOptions): LiveGateway => {
  const io: LiveServer = new Server(server, {
    serveClient: false,
    // A page of another site has no token; whatever it got hold of opens nothing from there.
    allowRequest: ({ headers }, answer) => answer(null, isOwnOrigin(headers, names)),
    perMessageDeflate: false,
    httpCompression: false,
    maxHttpBufferSize: largestMessage,
    pingInterval: 15_000,
    pingTimeout: 10_000,
  });
  const hubs = new Map<string, LicenceHub>();
  const sent = patchBaseCache(keptForPatches);
  const room = roomForLoads(keptOfLoads);
  const watch = lineWatch({ now: () => performance.now() });
  const perLine = (perSecond: number, burst: number) => rateLimit({ perSecond, burst, now: clock });
  const limits: IncomingLimits = {
    messages: perLine(50, 200),
    refusals: perLine(1, 1),
    packets: perLine(150, 1_200),
    entries: perLine(1, 10),
  };
  let stopping = false;
  let seen = -1;

  const hubOf = (licenceId: string): LicenceHub => {
    const hub = hubs.get(licenceId) ?? licenceHub({ deps, sent, room, watch, licenceId, bufferLimit });
    hubs.set(licenceId, hub);
    return hub;
  };
  const wakeAll = (): void => {
    for (const hub of hubs.values()) hub.wake();
  };

  const stopPokes = deps.readStore.onCommit(({ partition, position }) => {
    if (partition === deps.partition) seen = position;
    wakeAll();
  });
  const look = async (): Promise<void> => {
    const position = await checkpointOf(deps);
    if (position === seen) return;
    seen = position;
    wakeAll();
  };
  const unread = unreadWatch({ patience: limitsOfReads.socketUnread, now: clock });
  const counted = socketCount(socketsOfPerson);

  const looking = setInterval(() => {
    unread.look();
    look().catch((error: unknown) => deps.log.error({ err: error }, 'The read store does not answer'));
  }, lookAgain);
  looking.unref();

  const stopEnds = deps.credentials.onSessionEnded((end) => hubs.get(end.licenceId)?.sessionEnded(end));

  const admit = async (auth: unknown): Promise<Handshake> => {
    if (stopping) return refused('UNAVAILABLE', messages.stopping);
    try {
      return await handshake(deps, auth);
    } catch (error) {
      deps.log.error({ err: error }, 'A socket could not be admitted');
      return { kind: 'refused', problem: problemOf(error) };
    }
  };

  io.engine.on('connection', (conn: LiveSocket['conn']) => guardLine(conn, limits));

  io.use((socket, next) => {
    const enter = async (): Promise<void> => {
      let answer = await admit(socket.handshake.auth);
      if (answer.kind === 'welcome') {
        if (counted.enter(socket, answer.data.signedIn.session)) Object.assign(socket.data, answer.data);
        else answer = refused('RATE_LIMITED', messages.tooManySockets);
      }
      next(answer.kind === 'refused' ? connectError(answer.problem) : undefined);
    };
    void enter();
  });

  io.on('connection', (socket) => {
    const { signedIn } = socket.data;
    const { licenceId } = signedIn.session;
    const hub = hubOf(licenceId);
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
  });

  return {
    size: () => io.of('/').sockets.size,

    lookAtUnread: () => unread.look(),

    async stop() {
      stopping = true;
      stopPokes();
      stopEnds();
      clearInterval(looking);
      const all = [...hubs.values()].flatMap((hub) => hub.connections());
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
    },
  };
};
