/** What the stand-in says of itself as the one member of its replica set. */
import { BSON } from 'bson';
import type { Doc } from './documents.ts';
import { type ErrorName, ServerError } from './server-error.ts';

export type Role = 'primary' | 'secondary' | 'shutting down';

export interface Member {
  role(): Role;
  setRole(role: Role): void;
  /** As after a start of the process. */
  renew(): void;
  topologyVersion(): Doc;
  hello(): Doc;
  /** Resolves when the role has changed, the time is over or the signal aborts. */
  changed(known: unknown, milliseconds: number, signal: AbortSignal): Promise<void>;
}

export const setName = 'rs0';
/** That of 8.0. */
const maxWireVersion = 25;

const electionId = (term: number): InstanceType<typeof BSON.ObjectId> =>
  new BSON.ObjectId(`7fffffff${term.toString(16).padStart(16, '0')}`);

export const member = (address: () => string): Member => {
  let role: Role = 'primary';
  let processId = new BSON.ObjectId();
  let counter = 0;
  // Terms only ever rise, also over the processes of one port: a driver takes a smaller one for that of a primary that was.
  let term = Date.now();
  const waiting = new Set<() => void>();
  const wake = (): void => {
    for (const each of waiting) each();
  };
  const topologyVersion = (): Doc => ({ processId, counter: BSON.Long.fromNumber(counter) });
  return {
    role: () => role,
    setRole: (next) => {
      if (next === role) return;
      role = next;
      counter += 1;
      if (next === 'primary') term += 1;
      wake();
    },
    renew: () => {
      processId = new BSON.ObjectId();
      counter = 0;
      wake();
    },
    topologyVersion,
    hello: () => {
      const isPrimary = role === 'primary';
      return {
        helloOk: true,
        topologyVersion: topologyVersion(),
        hosts: [address()],
        setName,
        setVersion: 1,
        ismaster: isPrimary,
        isWritablePrimary: isPrimary,
        secondary: !isPrimary,
        ...(isPrimary ? { primary: address(), electionId: electionId(term) } : {}),
        me: address(),
        maxBsonObjectSize: 16_777_216,
        maxMessageSizeBytes: 48_000_000,
        maxWriteBatchSize: 100_000,
        localTime: new Date(),
        logicalSessionTimeoutMinutes: 30,
        connectionId: 1,
        minWireVersion: 0,
        maxWireVersion,
        readOnly: false,
      };
    },
    changed: (known, milliseconds, signal) =>
      new Promise((resolve) => {
        const version = known as { readonly processId?: unknown; readonly counter?: unknown } | undefined;
        const isNews = String(version?.processId) !== processId.toHexString() || Number(version?.counter) !== counter;
        if (isNews || signal.aborted) {
          resolve();
          return;
        }
        const end = (): void => {
          clearTimeout(timer);
          waiting.delete(end);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, milliseconds);
        waiting.add(end);
        signal.addEventListener('abort', end);
      }),
  };
};

const refusals: Readonly<Record<Exclude<Role, 'primary'>, readonly [ErrorName, string]>> = {
  'shutting down': ['ShutdownInProgress', 'The server is in quiesce mode and will shut down'],
  secondary: ['NotWritablePrimary', 'not primary'],
};

/** Why a member that is no primary does not carry out a command. */
export const refusal = (role: Exclude<Role, 'primary'>, isRead: boolean): ServerError => {
  if (role === 'secondary' && isRead) {
    return new ServerError('NotPrimaryNoSecondaryOk', 'not primary and secondaryOk=false');
  }
  return new ServerError(...refusals[role]);
};
