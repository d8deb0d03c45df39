import type { DocByKind, DocKind } from '@zakup/contracts/entities';
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

export const liveClient = async (address: string, token: string): Promise<LiveClient> => {
  const socket = io(address, {
    auth: { token, protocolVersion },
    transports: ['websocket'],
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  });
  const held = new Map<string, Change>();
  const complete = new Map<string, number>();
  const messages: Changes[] = [];
  const scopes = new Set<string>();
  let waiting: { scope: string; position: number; resolve: () => void }[] = [];

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
    for (const change of changes.docs) {
      const key = `${change.kind}/${change.id}`;
      if ((held.get(key)?.position ?? -1) < change.position) held.set(key, change);
    }
    if (!changes.last) return;
    complete.set(changes.scope, changes.position);
    applied(changes.scope);
  });

  const subscribe: LiveClient['subscribe'] = async (scope, since) => {
    scopes.add(scope);
    const request = since === undefined ? { scope } : { scope, since };
    const answer = (await socket.emitWithAck('subscribe', request)) as Ack<{ position: number; reset: boolean }>;
    if (!answer.ok) throw new Error(`${scope}: ${answer.problem.code}`);
    return { position: answer.position, reset: answer.reset };
  };

  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  socket.on('connect', () => {
    // A line that drops before the answer connects again, and then subscribes again.
    for (const scope of scopes) subscribe(scope, complete.get(scope)).catch(() => undefined);
  });

  return {
    socket,
    messages,
    position: (scope) => complete.get(scope) ?? 0,
    docs: <Kind extends DocKind>(kind: Kind) =>
      [...held.values()]
        .filter((change) => change.kind === kind && change.doc !== null)
        .map((change) => change.doc as DocByKind[Kind]),
    subscribe,
    reached: (scope, position) =>
      new Promise((resolve) => {
        waiting.push({ scope, position, resolve });
        applied(scope);
      }),
    close: () => void socket.close(),
  };
};
