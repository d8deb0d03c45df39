import type { SessionWire } from '@zakup/contracts/wire-entities';
import type { Changes } from '@zakup/contracts/socket';
import type { LiveClient, Opened, Replica } from '@zakup/gateway/testing/live-client';
import type { Watchable } from '../../calls/watchable.ts';
import type { Heard } from './rights.ts';

/** What a sign-in gives. */
export interface Signed {
  readonly token: string;
  readonly refreshToken: string;
}

export interface WatcherDeps {
  readonly live: Watchable;
  /** A new session of the person; null = they are not let in now. */
  readonly signIn: () => Promise<Signed | null>;
  /** Null = refused. */
  readonly refresh: (refreshToken: string) => Promise<Signed | null>;
  /** Whether it asks for patches. */
  readonly patches: boolean;
}

/** With members in the order of their names: a patch keeps the order of no object. */
const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/**
 * Present documents of a scope as lines, sorted. Sessions are in no log: of them only which one is here, as they have no position and are
 * touched by being used.
 */
export const contentOf = (client: LiveClient, scope: string): string =>
  [...client.replica(scope).docs.values()]
    .filter(({ kind, doc }) => doc !== null && (kind !== 'session' || (doc as SessionWire).current))
    .map(
      ({ kind, id, position, doc }) =>
        `${kind} ${id} ${kind === 'session' ? '' : `${position} ${JSON.stringify(doc, sorted)}`}`,
    )
    .toSorted()
    .join('\n');

/** One client that does what the reference asks of it: goes on by position after a break, loads anew when told to. */
export const watcher = ({ live, signIn, refresh, patches }: WatcherDeps) => {
  const wanted = new Set<string>();
  const keep = new Map<string, Replica>();
  const heard: Heard[] = [];
  /** Positions that completed something, by scope, since the last answer to a subscription. */
  const rising = new Map<string, number>();
  const faults: string[] = [];
  const asking = new Map<string, Promise<unknown>>();
  let signed: Signed | null = null;
  let client: LiveClient | null = null;
  let gone: Promise<null> = Promise.resolve(null);
  const counts = { connected: 0, resets: 0, catchUps: 0, refused: 0, renewed: 0, patched: 0 };

  const hear = (message: Changes): void => {
    heard.push({ at: performance.now(), message });
    const { scope, position, last } = message;
    if (!last) return;
    const before = rising.get(scope) ?? -1;
    if (position <= before) faults.push(`${scope}: ${position} after ${before}`);
    rising.set(scope, position);
  };

  const ask = (scope: string, since?: number): Promise<Opened | null> => {
    const on = client;
    if (on === null) return Promise.resolve(null);
    const answered = (opened: Opened): void => {
      if (opened.ok) {
        rising.delete(scope);
        if (since !== undefined && !opened.reset) counts.catchUps += 1;
      } else {
        keep.delete(scope);
        counts.refused += 1;
      }
    };
    const answer = Promise.race([on.subscribe(scope, since, answered), gone]);
    asking.set(scope, answer);
    return answer;
  };

  /** Of what it wants, what it does not have. */
  const askForAll = async (isNew: boolean): Promise<void> => {
    for (const scope of wanted) {
      if (!isNew) await asking.get(scope);
      const position = keep.get(scope)?.position ?? undefined;
      if (isNew || position === undefined) await ask(scope, position);
    }
  };

  const open = async (): Promise<boolean> => {
    signed ??= await signIn();
    if (signed === null) return false;
    const made = await live.connect(signed.token, keep, patches).catch(() => null);
    if (made === null) {
      signed = null;
      return false;
    }
    client = made;
    counts.connected += 1;
    let misfits = 0;
    rising.clear();
    asking.clear();
    gone = new Promise((resolve) => {
      made.socket.once('disconnect', () => {
        if (client === made) client = null;
        resolve(null);
      });
    });
    made.socket.on('changes', ({ docs }) => {
      counts.patched += docs.filter((change) => 'patch' in change).length;
      // The client wrote it down first.
      const whole = made.messages.at(-1);
      if (whole !== undefined) hear(whole);
      faults.push(...made.misfits.slice(misfits));
      misfits = made.misfits.length;
    });
    made.socket.on('reset', ({ scope }) => {
      counts.resets += 1;
      void ask(scope);
    });
    made.socket.on('session-ended', () => {
      signed = null;
    });
    if (!made.socket.connected) {
      client = null;
      return false;
    }
    await askForAll(true);
    return true;
  };

  let opening: Promise<boolean> | null = null;
  /** False when the person is not let in now. */
  const connect = async (): Promise<boolean> => {
    if (client !== null) return true;
    opening ??= open().finally(() => {
      opening = null;
    });
    return opening;
  };

  return {
    wanted,
    heard,
    faults,
    counts,
    client: (): LiveClient | null => client,
    token: (): string | null => signed?.token ?? null,
    connect,
    retry: () => askForAll(false),
    /** The line goes, without a word. */
    drop(): void {
      client?.close();
    },
    forget(scope: string): void {
      wanted.delete(scope);
      keep.delete(scope);
      client?.leave(scope);
    },
    ask,
    async renew(): Promise<void> {
      if (signed === null || client === null) return;
      const on = client;
      const fresh = await refresh(signed.refreshToken);
      if (fresh === null) return;
      signed = fresh;
      const answer = new Promise<boolean>((resolve) => {
        on.socket.emit('renew', { token: fresh.token }, ({ ok }) => resolve(ok));
      });
      if ((await Promise.race([answer, gone])) === true) counts.renewed += 1;
    },
  };
};

export type Watcher = ReturnType<typeof watcher>;
