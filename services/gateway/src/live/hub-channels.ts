import type { GatewayDeps } from '../deps.ts';
import { checkpointOf } from '../http/wait-for-position.ts';
import type { LineWatch } from './line-watch.ts';
import type { PatchBaseCache } from './patch-base-cache.ts';
import { type PresenceBoard, presenceBoard } from './presence.ts';
import type { RoomForLoads } from './recent-loads.ts';
import { baseKept } from './reset-base.ts';
import { type ScopeFeed, scopeFeed } from './scope-feed.ts';
import { type Scope, scopeOf, workspace } from './scope.ts';

export interface Channel {
  readonly feed: ScopeFeed;
  readonly presence: PresenceBoard;
}

export interface HubOptions {
  readonly deps: GatewayDeps;
  /** What all licences keep of what they sent. */
  readonly sent: PatchBaseCache;
  /** For loads that are kept a while, of all licences. */
  readonly room: RoomForLoads;
  /** Of the lines of all licences. */
  readonly watch: LineWatch;
  readonly licenceId: string;
  /** Bytes under way to a socket above which it is caught up later. */
  readonly bufferLimit: number;
}

/** The scopes of one licence that somebody looks at. */
export interface HubChannels {
  /** The workspace's feed, once the read models have answered how far they are; it is followed as long as anybody is here: it tells of people's rights and of the licence. */
  lobby(): Promise<ScopeFeed>;
  /** Once there is a lobby. */
  readonly channel: (scope: Scope) => Channel;
  feeds(): readonly ScopeFeed[];
  /** A position that the read models have reached. */
  readonly position: () => number;
  reached(position: number): void;
  /** Forgets a scope that nobody looks at. */
  readonly tidy: (channel: Channel) => void;
  close(): void;
}

const stop = ({ presence, feed }: Channel): void => {
  presence.stop();
  feed.close();
};

export const hubChannels = ({ deps, sent, room, watch, licenceId, bufferLimit }: HubOptions): HubChannels => {
  const channels = new Map<string, Channel>();
  let from = 0;
  let opening: Promise<ScopeFeed> | null = null;

  const channel = (scope: Scope): Channel => {
    const known = channels.get(scope.stored);
    if (known !== undefined) return known;
    const feed = scopeFeed({ deps, sent, room, licenceId, scope, from, bufferLimit });
    const sockets = () => feed.members().map(({ socket }) => socket);
    const made = { feed, presence: presenceBoard({ scope: scope.name, sockets, watch, bufferLimit }) };
    channels.set(scope.stored, made);
    return made;
  };

  const tidy = (of: Channel): void => {
    const { feed } = of;
    if (feed.size() > 0 || feed.scope.name === workspace) return;
    if (feed.isAwaited()) {
      setTimeout(() => tidy(of), baseKept).unref();
      return;
    }
    stop(of);
    if (channels.get(feed.scope.stored)?.feed === feed) channels.delete(feed.scope.stored);
  };

  return {
    channel,
    lobby() {
      opening ??= checkpointOf(deps).then(
        (position) => {
          from = position;
          return channel(scopeOf(workspace, '')).feed;
        },
        (error: unknown) => {
          // The read store is away for a moment; the next one who asks tries again.
          opening = null;
          throw error;
        },
      );
      return opening;
    },
    feeds: () => [...channels.values()].map(({ feed }) => feed),
    position: () => from,
    reached: (position) => {
      from = position;
    },
    tidy,
    close() {
      for (const each of channels.values()) stop(each);
    },
  };
};
