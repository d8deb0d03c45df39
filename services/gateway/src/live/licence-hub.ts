import type { SessionEndCode } from '@zakup/contracts/socket';
import type { SessionEnd } from '@zakup/credentials/credentials';
import { type Channel, hubChannels, type HubOptions } from './hub-channels.ts';
import { liveRounds } from './live-rounds.ts';
import type { Scope } from './scope.ts';

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

/** Everybody of one licence who is connected, and the scopes they look at. */
export const licenceHub = (options: HubOptions): LicenceHub => {
  const { deps, licenceId } = options;
  const connections = new Set<LiveConnection>();
  const channels = hubChannels(options);
  const rounds = liveRounds({
    deps,
    licenceId,
    channels,
    reassess: async (isTouched) => {
      const touched = [...connections].filter(({ userId }) => isTouched(userId));
      await Promise.all(touched.map((connection) => connection.reassess()));
      return touched.length;
    },
  });

  return {
    wake: rounds.wake,
    size: () => connections.size,
    position: channels.position,
    connections: () => [...connections],

    async join(connection) {
      const isNew = [...connections].every((other) => other.sessionId() !== connection.sessionId());
      connections.add(connection);
      if (isNew) {
        for (const other of connections)
          if (other !== connection && other.userId === connection.userId) other.resetScope('me');
      }
      await channels.lobby();
    },

    leave(connection) {
      connections.delete(connection);
      if (connections.size > 0) return;
      rounds.stop();
      channels.close();
    },

    channel: channels.channel,
    tidy: channels.tidy,

    sessionEnded(end) {
      for (const connection of connections) {
        if (connection.sessionId() === end.sessionId) connection.sessionEnded(end.reason);
        else if (connection.userId === end.userId) connection.resetScope('me');
      }
    },
  };
};
