import type { DocByKind, DocKind } from '@zakup/contracts/wire-entities';
import type { ProblemBody } from '@zakup/contracts/problems';
import { type Ack, type Change, type Changes, protocolVersion } from '@zakup/contracts/socket';
import { io, type Socket } from 'socket.io-client';

/** A client of the live channel as anyone could write one: a map of documents, the higher position wins. */
export interface LiveClient {
  readonly socket: Socket;
  /** Complete position of a scope; 0 before the first load. */
  position(scope: string): number;
  docs<Kind extends DocKind>(kind: Kind): readonly DocByKind[Kind][];
  /** Every message as it came. */
  readonly messages: readonly Changes[];
  subscribe(scope: string, since?: number): Promise<{ readonly position: number; readonly reset: boolean }>;
  /** Resolves when the scope is complete up to the position. */
  reached(scope: string, position: number): Promise<void>;
  close(): void;
}

type Subscribed = Ack<{ position: number; reset: boolean }>;

/** Milliseconds between two tries. */
const patience = 200;

export const liveClient = async (address: string, token: string): Promise<LiveClient> => {
  const socket = io(address, {
    auth: { token, protocolVersion },
    transports: ['websocket'],
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  });
  const held = new Map<string, Map<string, Change>>();
  const complete = new Map<string, number>();
  const messages: Changes[] = [];
  const scopes = new Set<string>();
  let isClosed = false;
  let waiting: { scope: string; position: number; resolve: () => void }[] = [];

  const heldIn = (scope: string): Map<string, Change> => {
    const own = held.get(scope) ?? new Map<string, Change>();
    held.set(scope, own);
    return own;
  };
  const drop = (scope: string): void => {
    held.delete(scope);
    complete.delete(scope);
  };

  const applied = (scope: string): void => {
    const now = complete.get(scope) ?? 0;
    waiting = waiting.filter((wait) => {
      if (wait.scope !== scope || wait.position > now) return true;
      wait.resolve();
      return false;
    });
  };

  socket.on('changes', (changes: Changes) => {
    messages.push(changes);
    const own = heldIn(changes.scope);
    for (const change of changes.docs) {
      const key = `${change.kind}/${change.id}`;
      if ((own.get(key)?.position ?? -1) < change.position) own.set(key, change);
    }
    if (!changes.last) return;
    complete.set(changes.scope, changes.position);
    applied(changes.scope);
  });

  const asked = (scope: string, since?: number): Promise<Subscribed> =>
    new Promise((resolve) => {
      const request = since === undefined ? { scope } : { scope, since };
      socket.emit('subscribe', request, (answer: Subscribed) => {
        // Before the first `changes`, which may stand right behind it.
        if (answer.ok && answer.reset) drop(scope);
        resolve(answer);
      });
    });

  const subscribe: LiveClient['subscribe'] = async (scope, since) => {
    scopes.add(scope);
    const answer = await asked(scope, since);
    if (!answer.ok) throw new Error(`${scope}: ${answer.problem.code}`);
    return { position: answer.position, reset: answer.reset };
  };

  /** On the line that is there now; one that drops is followed by another, which subscribes again. */
  const again = async (scope: string): Promise<void> => {
    const { id } = socket;
    const answer = await asked(scope, complete.get(scope));
    if (answer.ok || (answer.problem.code !== 'UNAVAILABLE' && answer.problem.code !== 'RATE_LIMITED')) return;
    setTimeout(() => {
      if (socket.connected && socket.id === id) void again(scope);
    }, patience);
  };

  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  socket.on('connect', () => {
    for (const scope of scopes) void again(scope);
  });
  socket.on('reset', ({ scope }: { scope: string }) => {
    drop(scope);
    void again(scope);
  });
  const connect = (): void => {
    if (!isClosed) socket.connect();
  };
  // Refused by the server, or ended by it in order: then the line does not come back by itself.
  socket.on('connect_error', (error: Error & { data?: ProblemBody }) => {
    if (!socket.active && error.data?.code === 'UNAVAILABLE') setTimeout(connect, patience);
  });
  socket.on('session-ended', ({ code }: { code: string }) => {
    if (code === 'SERVER_STOPPING') socket.once('disconnect', () => setTimeout(connect, patience));
  });

  return {
    socket,
    messages,
    position: (scope) => complete.get(scope) ?? 0,
    docs: <Kind extends DocKind>(kind: Kind) => {
      const newest = new Map<string, Change>();
      for (const own of held.values())
        for (const change of own.values())
          if (change.kind === kind && change.doc !== null && (newest.get(change.id)?.position ?? -1) < change.position)
            newest.set(change.id, change);
      return [...newest.values()].map((change) => change.doc as DocByKind[Kind]);
    },
    subscribe,
    reached: (scope, position) =>
      new Promise((resolve) => {
        waiting.push({ scope, position, resolve });
        applied(scope);
      }),
    close() {
      isClosed = true;
      socket.close();
    },
  };
};
