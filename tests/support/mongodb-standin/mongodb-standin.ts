/** A stand-in for a MongoDB server, for tests only: see README.md beside this file. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server as TcpServer, type Socket } from 'node:net';
import { serveConnection } from './connection.ts';
import { cursors } from './cursors.ts';
import { executor } from './executor.ts';
import { type Faults, faultState } from './faults.ts';
import { fileJournal, journalEntries, noJournal } from './journal.ts';
import { member, setName } from './member.ts';
import { conversation, type Credentials } from './scram.ts';
import { ServerError } from './server-error.ts';
import { sessions } from './sessions.ts';
import { type JournalEntry, store } from './store.ts';

export interface StandInOptions {
  /** A free one by default. */
  readonly port?: number;
  /** A file that keeps what was committed over the death of the process; memory only by default. */
  readonly data?: string;
  /** Who is let in; everybody by default. */
  readonly credentials?: Credentials;
  /** Milliseconds after which an open transaction is aborted; 60,000 by default, as a server has it. */
  readonly transactionLifetime?: number;
}

export interface MongoDbStandIn {
  readonly port: number;
  /** The connection string for a database, without credentials. */
  url(database: string): string;
  readonly faults: Faults;
  stop(): Promise<void>;
}

const host = '127.0.0.1';

/** Listens on 127.0.0.1 as the primary of a replica set of one. Rejects when the port is taken. */
export const startMongoDbStandIn = async ({
  port: wanted = 0,
  data,
  credentials,
  transactionLifetime = 60_000,
}: StandInOptions = {}): Promise<MongoDbStandIn> => {
  let port = wanted;
  const sockets = new Set<Socket>();
  const state = faultState();
  const open = cursors();
  const self = member(() => `${host}:${port}`);
  const counted = new Map<string, number>();

  const past = data === undefined ? [] : journalEntries(data);
  const journal = data === undefined ? noJournal : fileJournal(data);
  // A file that has a beginning keeps it: the new store's own is not written down.
  let isNew = past.length === 0;
  const append = (entry: JournalEntry): void => {
    if (entry.kind !== 'base' || isNew) journal.append(entry);
    isNew = true;
  };
  const answers: { readonly session: string; readonly txnNumber: number; readonly reply: Record<string, unknown> }[] =
    [];
  const documents = store(append, (session, txnNumber, reply) => answers.push({ session, txnNumber, reply }));
  for (const entry of past) documents.replay(entry);
  isNew = true;
  const clients = sessions(documents, transactionLifetime);
  for (const { session, txnNumber, reply } of answers) clients.answered(session, txnNumber, reply);
  const run = executor({ store: documents, sessions: clients, cursors: open }, self, state);

  const serve = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    serveConnection({
      socket,
      store: documents,
      member: self,
      executor: run,
      faults: state,
      conversation: conversation(credentials ?? null),
      flush: () => journal.flush(),
      onCommand: (name) => counted.set(name, (counted.get(name) ?? 0) + 1),
    });
  };

  const listen = async (): Promise<TcpServer> => {
    const server = createServer(serve);
    server.listen(port, host);
    await once(server, 'listening');
    port = (server.address() as AddressInfo).port;
    return server;
  };
  let listener: TcpServer | null = await listen();

  const drop = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const away = async (): Promise<void> => {
    const closing = listener;
    listener = null;
    if (closing === null) return;
    const closed = once(closing, 'close');
    closing.close();
    drop();
    await closed;
  };
  const timers = new Set<{ readonly timer: NodeJS.Timeout; readonly resolve: () => void }>();
  const later = (milliseconds: number): Promise<void> =>
    new Promise((resolve) => {
      const entry = {
        timer: setTimeout(() => {
          timers.delete(entry);
          resolve();
        }, milliseconds),
        resolve,
      };
      timers.add(entry);
    });
  const interrupted = (): ServerError =>
    new ServerError('InterruptedDueToReplStateChange', 'operation was interrupted', {
      labels: ['ResumableChangeStreamError'],
    });
  let isStopped = false;

  const faults: Faults = {
    delay: (milliseconds) => state.setDelay(milliseconds),
    drop,
    dropDuring: (command, nth = 1, carriedOut = 'not carried out') => {
      state.orderDrop(command, nth, carriedOut === 'carried out');
    },
    hold: (command, nth = 1) => state.orderHold(command, nth),
    refuse: (as = 'shutting down') => {
      self.setRole(as);
      clients.abortAll();
      open.interruptStreams(interrupted());
    },
    allow: () => self.setRole('primary'),
    conflict: (times) => state.orderConflicts(times),
    stepDown: async (milliseconds = 500) => {
      faults.refuse('secondary');
      await later(milliseconds);
      self.setRole('primary');
    },
    endChangeStreams: (how = 'resumable') => {
      if (how === 'history lost') {
        documents.forgetHistory();
        open.killStreams(
          new ServerError(
            'ChangeStreamHistoryLost',
            'Resume of change stream was not possible, as the resume point may no longer be in the oplog.',
            { labels: ['NonResumableChangeStreamError'] },
          ),
        );
      } else {
        open.killStreams(new ServerError('CursorNotFound', 'the cursor was ended, as it was ordered'));
      }
    },
    restart: async (milliseconds = 0) => {
      await away();
      open.clear();
      clients.clear();
      self.renew();
      await later(milliseconds);
      if (!isStopped) listener = await listen();
    },
    counts: () => ({ connections: sockets.size, cursors: open.size, commands: Object.fromEntries(counted) }),
  };

  return {
    get port() {
      return port;
    },
    url: (database) => `mongodb://${host}:${port}/${database}?replicaSet=${setName}`,
    faults,
    stop: async () => {
      isStopped = true;
      for (const { timer, resolve } of timers) {
        clearTimeout(timer);
        resolve();
      }
      await away();
      open.clear();
      clients.clear();
      journal.close();
    },
  };
};
