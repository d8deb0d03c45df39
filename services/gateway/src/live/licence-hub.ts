import { yieldToEventLoop } from '@zakup/async/event-loop';
import type { SessionEndCode } from '@zakup/contracts/socket';
import type { SessionEnd } from '@zakup/credentials/credentials';
import type { GatewayDeps } from '../deps.ts';
import { checkpointOf } from '../http/wait-for-position.ts';
import type { LineWatch } from './line-watch.ts';
import { type PresenceBoard, presenceBoard } from './presence.ts';
import type { RoomForLoads } from './recent-loads.ts';
import { type AuthorOf, changeAuthors } from './change-authors.ts';
import { leastPause, pauseAfter } from './broadcast-throttle.ts';
import { type Scope, scopeOf, workspace } from './scope.ts';
import type { Read } from './scope-read.ts';
import { baseKept } from './reset-base.ts';
import { type ScopeFeed, scopeFeed } from './scope-feed.ts';
import type { PatchBaseCache } from './patch-base-cache.ts';

/** One socket of a signed-in person, as the hub knows it. */
export interface LiveConnection {
  readonly userId: string;
  /** Renewing may move the socket to another session of the person. */
  sessionId(): string;
  /** Tells why, and closes. */
  end(code: SessionEndCode): void;
  sessionEnded(reason: SessionEnd['reason']): void;
  /** Reads the person's rights anew, and takes away what they no longer open. */
  reassess(): Promise<void>;
  /** Makes the client ask for the scope anew, where it has it. */
  resetScope(name: string): void;
}

export interface Channel {
  readonly feed: ScopeFeed;
  readonly presence: PresenceBoard;
}

export interface LicenceHub {
  /** Something was committed. */
  wake(): void;
  size(): number;
  /** A position that the read models have reached. */
  position(): number;
  connections(): readonly LiveConnection[];
  /** From when this resolves on, changes of the connection's rights are noticed. */
  join(connection: LiveConnection): Promise<void>;
  leave(connection: LiveConnection): void;
  /** For connections that have joined. */
  channel(scope: Scope): Channel;
  /** Forgets a scope that nobody looks at. */
  tidy(channel: Channel): void;
  sessionEnded(end: SessionEnd): void;
}

/** Milliseconds until a round is tried again when the read store failed. */
const retry = 1_000;
/** Milliseconds between two looks at what is everybody's own: nothing shared says that a person was told something. */
const ownEvery = 200;

/** How many positions changed something in a scope. */
const versionsIn = ({ docs }: Read): number => new Set(docs.map(({ position }) => position)).size;

/** Everybody of one licence who is connected, and the scopes they look at. */
export const licenceHub = ({
  deps,
  sent,
  room,
  watch,
  licenceId,
  bufferLimit,
}: {
  readonly deps: GatewayDeps;
  /** What all licences keep of what they sent. */
  readonly sent: PatchBaseCache;
  /** For loads that are kept a while, of all licences. */
  readonly room: RoomForLoads;
  /** Of the lines of all licences. */
  readonly watch: LineWatch;
  readonly licenceId: string;
  readonly bufferLimit: number;
}): LicenceHub => {
  const connections = new Set<LiveConnection>();
  const channels = new Map<string, Channel>();
  let timer: NodeJS.Timeout | null = null;
  let running = false;
  let again = false;
  let begun = Number.NEGATIVE_INFINITY;
  let pause = leastPause;
  let pokedAt: number | null = null;
  let ownReadAt = Number.NEGATIVE_INFINITY;
  let ownTimer: NodeJS.Timeout | null = null;

  const channelOf = (scope: Scope, from: number): Channel => {
    const known = channels.get(scope.stored);
    if (known !== undefined) return known;
    const feed = scopeFeed({ deps, sent, room, licenceId, scope, from, bufferLimit });
    const sockets = () => feed.members().map(({ socket }) => socket);
    const channel = { feed, presence: presenceBoard({ scope: scope.name, sockets, watch, bufferLimit }) };
    channels.set(scope.stored, channel);
    return channel;
  };

  /** The workspace is followed as long as anybody is here: it tells of people's rights and of the licence. */
  let from = 0;
  let opening: Promise<ScopeFeed> | null = null;
  const opened = (): Promise<ScopeFeed> => {
    opening ??= checkpointOf(deps).then(
      (position) => {
        from = position;
        return channelOf(scopeOf(workspace, ''), position).feed;
      },
      (error: unknown) => {
        // The read store is away for a moment; the next one who asks tries again.
        opening = null;
        throw error;
      },
    );
    return opening;
  };

  /** Changes go out without names rather than not at all. */
  const authorsIn = async (found: readonly { readonly feed: ScopeFeed; readonly read: Read }[]): Promise<AuthorOf> => {
    const told = found.filter(({ feed, read }) => feed.size() > 0 && !read.reset);
    const after = Math.min(...told.map(({ feed }) => feed.position()));
    try {
      return await changeAuthors(deps.readStore, licenceId, { after, changes: told.flatMap(({ read }) => read.docs) });
    } catch (error) {
      deps.log.error({ err: error, licenceId }, 'Who changed placements could not be read');
      return () => null;
    }
  };

  const round = async (): Promise<void> => {
    const lobby = await opened();
    const feeds = [...channels.values()].map(({ feed }) => feed).filter((feed) => feed !== lobby);
    const readAll = (due: readonly ScopeFeed[]) =>
      Promise.all(due.map(async (feed) => ({ feed, read: await feed.readOn() })));
    const isOwnDue = performance.now() - ownReadAt >= ownEvery;
    if (isOwnDue) ownReadAt = performance.now();
    // Hidden from others, earnings have no other way than their person's own scope.
    const isDue = ({ scope, members }: ScopeFeed): boolean =>
      scope.kind !== 'me' || isOwnDue || members().some(({ view }) => !view.earnings);
    const read = await readAll(feeds.filter(isDue));
    // The workspace is read last and rights are looked at before anything is sent: they are at least as new as what is sent.
    const [changes, authorOf] = await Promise.all([lobby.readOn(), authorsIn(read)]);
    const users = new Set(changes.docs.filter(({ doc }) => doc.kind === 'user').map(({ doc }) => doc.id));
    const everybody = changes.reset || changes.docs.some(({ doc }) => doc.kind === 'license');
    const touched = [...connections].filter(({ userId }) => everybody || users.has(userId));
    await Promise.all(touched.map((connection) => connection.reassess()));
    const sending = performance.now();
    const all = [...read, { feed: lobby, read: changes }];
    for (const { feed, read: found } of all) if (!feed.deliver(found, authorOf)) again = true;
    from = lobby.position();
    // What was written leaves the process before the next turn, with whatever else had to wait for it.
    await yieldToEventLoop();
    const heard = all.filter(({ feed }) => feed.size() > 0).map((one) => versionsIn(one.read));
    pause = pauseAfter({ versions: Math.max(0, ...heard), sending: performance.now() - sending });
    if (touched.length > 0) {
      // Their own documents may have changed too.
      ownReadAt = Number.NEGATIVE_INFINITY;
      again = true;
    } else if (!isOwnDue && feeds.some(({ scope }) => scope.kind === 'me')) lookAtOwnLater();
  };

  const lookAtOwnLater = (): void => {
    ownTimer ??= setTimeout(
      () => {
        ownTimer = null;
        wake();
      },
      Math.max(0, ownReadAt + ownEvery - performance.now()),
    );
  };

  const run = async (): Promise<void> => {
    running = true;
    timer = null;
    again = false;
    begun = performance.now();
    const since = pokedAt;
    pokedAt = null;
    try {
      await round();
      if (since !== null) deps.metrics.fanOut.observe((performance.now() - since) / 1000);
    } catch (error) {
      // Nothing was taken as sent that was not: the next round brings it.
      deps.log.error({ err: error, licenceId }, 'Changes could not be read');
      timer = setTimeout(() => void run(), retry);
    }
    running = false;
    if (again) wake();
  };

  const wake = (): void => {
    pokedAt ??= performance.now();
    again = true;
    if (running || timer !== null) return;
    const wait = begun + pause - performance.now();
    if (wait <= 0) void run();
    else timer = setTimeout(() => void run(), wait);
  };

  const tidy = (channel: Channel): void => {
    const { feed, presence } = channel;
    if (feed.size() > 0 || feed.scope.name === workspace) return;
    if (feed.isAwaited()) {
      setTimeout(() => tidy(channel), baseKept).unref();
      return;
    }
    presence.stop();
    feed.close();
    if (channels.get(feed.scope.stored)?.feed === feed) channels.delete(feed.scope.stored);
  };

  return {
    wake,
    size: () => connections.size,
    position: () => from,
    connections: () => [...connections],

    async join(connection) {
      const isNew = [...connections].every((other) => other.sessionId() !== connection.sessionId());
      connections.add(connection);
      if (isNew) {
        for (const other of connections)
          if (other !== connection && other.userId === connection.userId) other.resetScope('me');
      }
      await opened();
    },

    leave(connection) {
      connections.delete(connection);
      if (connections.size > 0) return;
      if (timer !== null) clearTimeout(timer);
      if (ownTimer !== null) clearTimeout(ownTimer);
      for (const { feed, presence } of channels.values()) {
        presence.stop();
        feed.close();
      }
    },

    channel: (scope) => channelOf(scope, from),

    tidy,

    sessionEnded(end) {
      for (const connection of connections) {
        if (connection.sessionId() === end.sessionId) connection.sessionEnded(end.reason);
        else if (connection.userId === end.userId) connection.resetScope('me');
      }
    },
  };
};
