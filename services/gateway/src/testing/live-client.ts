import { patched } from '@zakup/contracts/patch';
import type { ProblemBody } from '@zakup/contracts/problems';
import type {
  Ack,
  Change,
  Changes,
  ClientToServer,
  PatchedChange,
  PatchingChanges,
  Presence,
  ServerToClient,
} from '@zakup/contracts/socket';
import { io, type Socket } from 'socket.io-client';

export type Opened = Ack<{ position: number; reset: boolean }>;

/** What a client keeps of a scope by docs/reference/live.md. */
export interface Replica {
  position: number | null;
  readonly docs: Map<string, Change>;
}

/** A client that writes down everything and keeps replicas, over a real line. */
export interface LiveClient {
  readonly socket: Socket<ServerToClient, ClientToServer>;
  /** With whole documents, whichever way they came; without the patches of a subscription that a new one takes the place of. */
  readonly messages: readonly Changes[];
  /** Everything as it came. */
  readonly received: readonly PatchingChanges[];
  /** Patches that were made for something else than what is here. */
  readonly misfits: readonly string[];
  readonly resets: readonly string[];
  readonly problems: readonly ProblemBody[];
  readonly ended: readonly { readonly code: string; readonly message: string }[];
  readonly presences: readonly Presence[];
  readonly replica: (scope: string) => Replica;
  /** `since` absent = the scope's replica is dropped first. `answered`: called before anything that comes after the answer. */
  readonly subscribe: (scope: string, since?: number, answered?: (opened: Opened) => void) => Promise<Opened>;
  /** Forgets the scope, whatever of it is still on its way. */
  readonly leave: (scope: string) => void;
  /** Resolves as soon as it holds, looked at after each thing that arrives; rejects when that takes too long. */
  readonly until: (holds: () => boolean) => Promise<void>;
  readonly close: () => void;
}

/** Milliseconds until what does not come to hold is given up: only ends what hangs. */
const patience = 30_000;

/** `keep`: replicas of an earlier connection to go on with. `headers`: as another program or a page would send them. */
export const liveClient = (
  address: string,
  auth: object,
  {
    transports = ['websocket'],
    keep = new Map<string, Replica>(),
    headers = {},
  }: {
    readonly transports?: string[];
    readonly keep?: Map<string, Replica>;
    readonly headers?: Readonly<Record<string, string>>;
  } = {},
): LiveClient => {
  const socket: Socket<ServerToClient, ClientToServer> = io(address, {
    auth,
    transports,
    extraHeaders: headers,
    reconnection: false,
    forceNew: true,
  });
  const messages: Changes[] = [];
  const received: PatchingChanges[] = [];
  const misfits: string[] = [];
  /** Scopes whose subscription is over, until the last one that was asked for is answered: what still comes is of the one before. */
  const asking = new Map<string, object>();
  const resets: string[] = [];
  const problems: ProblemBody[] = [];
  const ended: { code: string; message: string }[] = [];
  const presences: Presence[] = [];
  const buffers = new Map<string, Change[]>();
  const waiting = new Set<() => void>();
  let looked = false;

  const look = (): void => {
    if (looked) return;
    looked = true;
    setImmediate(() => {
      looked = false;
      for (const check of waiting) check();
    });
  };

  const replica = (scope: string): Replica => {
    const known = keep.get(scope) ?? { position: null, docs: new Map<string, Change>() };
    keep.set(scope, known);
    return known;
  };

  const whole = (scope: string, change: Change | PatchedChange): readonly Change[] => {
    if (!('patch' in change)) return [change];
    const { kind, id, position, base, patch, by } = change;
    const held = replica(scope).docs.get(`${kind} ${id}`);
    if (held?.position === base && held.doc !== null)
      return [{ kind, id, position, doc: patched(held.doc, patch), ...(by !== undefined && { by }) }];
    misfits.push(`${scope} ${kind} ${id}: ${base} to ${position}, but here is ${held?.position}`);
    return [];
  };

  const apply = ({ scope, docs, position, last }: Changes): void => {
    const buffer = buffers.get(scope) ?? [];
    buffer.push(...docs);
    buffers.set(scope, buffer);
    if (!last) return;
    buffers.delete(scope);
    const kept = replica(scope);
    for (const change of buffer) {
      const key = `${change.kind} ${change.id}`;
      const before = kept.docs.get(key);
      if (before === undefined || before.position < change.position) kept.docs.set(key, change);
    }
    kept.position = position;
  };

  socket.on('changes', (changes) => {
    received.push(changes);
    const { scope } = changes;
    const isOver = asking.has(scope);
    const docs = changes.docs.flatMap((change) => (isOver && 'patch' in change ? [] : whole(scope, change)));
    messages.push({ ...changes, docs });
    if (!isOver) apply({ ...changes, docs });
    look();
  });
  socket.on('reset', ({ scope }) => {
    resets.push(scope);
    look();
  });
  socket.on('problem', (problem) => {
    problems.push(problem);
    look();
  });
  socket.on('session-ended', (end) => {
    ended.push(end);
    look();
  });
  socket.on('presence', (presence) => {
    presences.push(presence);
    look();
  });
  for (const event of ['connect', 'disconnect', 'connect_error'] as const) socket.on(event, look);

  return {
    socket,
    messages,
    received,
    misfits,
    resets,
    problems,
    ended,
    presences,
    replica,
    async subscribe(scope, since, answered = () => undefined) {
      buffers.delete(scope);
      const ask = {};
      asking.set(scope, ask);
      if (since === undefined) keep.delete(scope);
      const message = since === undefined ? { scope } : { scope, since };
      return new Promise((resolve) => {
        socket.emit('subscribe', message, (opened) => {
          if (asking.get(scope) === ask) {
            asking.delete(scope);
            if (opened.ok && opened.reset) keep.delete(scope);
          }
          answered(opened);
          resolve(opened);
        });
      });
    },
    leave(scope) {
      asking.set(scope, {});
      buffers.delete(scope);
      keep.delete(scope);
      socket.emit('unsubscribe', { scope }, () => undefined);
    },
    until: (holds) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => {
          waiting.delete(check);
          reject(new Error(`It did not come to hold: ${holds.toString()}`));
        }, patience);
        const check = (): void => {
          if (!holds()) return;
          clearTimeout(timer);
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () => socket.disconnect(),
  };
};

/** Resolves when connected, rejects with the `connect_error`. */
export const connected = (client: LiveClient): Promise<LiveClient> =>
  new Promise((resolve, reject) => {
    client.socket.once('connect', () => resolve(client));
    client.socket.once('connect_error', reject);
  });
