import type { Socket } from 'node:net';
import { BSON } from 'bson';
import { docOf } from './context.ts';
import type { Doc } from './documents.ts';
import { type Executor, refused } from './executor.ts';
import type { FaultState } from './faults.ts';
import { type Member, refusal } from './member.ts';
import { encoded, type Reply } from './reply.ts';
import { authenticationFailed, type Conversation } from './scram.ts';
import { ServerError } from './server-error.ts';
import type { Store } from './store.ts';
import { replyFrame, type Request, requestReader } from './wire.ts';

export interface ConnectionOptions {
  readonly socket: Socket;
  readonly store: Store;
  readonly member: Member;
  readonly executor: Executor;
  readonly faults: FaultState;
  readonly conversation: Conversation;
  /** Called before every answer. */
  readonly flush: () => void;
  readonly onCommand: (name: string) => void;
}

const hellos = new Set(['hello', 'ismaster', 'isMaster']);
const noSignature = { hash: new BSON.Binary(Buffer.alloc(20)), keyId: BSON.Long.ZERO };

/** Resolves after the time, or earlier when the signal aborts. */
const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, milliseconds);
    signal.addEventListener('abort', end);
  });

/** Serves one client until it or the stand-in closes the socket: its requests one after another. */
export const serveConnection = ({
  socket,
  store,
  member,
  executor,
  faults,
  conversation,
  flush,
  onCommand,
}: ConnectionOptions): void => {
  const gone = new AbortController();
  const queue: Request[] = [];
  let isBusy = false;
  const read = requestReader();

  const send = (request: Request, { body, batch }: Reply, more = false): void => {
    if (socket.destroyed) return;
    flush();
    const at = store.timestampOf(store.now());
    const times = { operationTime: at, $clusterTime: { clusterTime: at, signature: noSignature } };
    const reply: Reply = { body: { ...body, ...times }, ...(batch === undefined ? {} : { batch }) };
    socket.write(replyFrame(request, encoded(reply), more));
  };

  const helloReply = (body: Doc): Reply => {
    if (member.role() === 'shutting down') throw refusal('shutting down', false);
    const first = body['speculativeAuthenticate'];
    const started = first === undefined ? null : conversation.start(docOf(first));
    return {
      body: {
        ...member.hello(),
        ...(body['saslSupportedMechs'] === undefined ? {} : { saslSupportedMechs: ['SCRAM-SHA-256'] }),
        ...(started === null ? {} : { speculativeAuthenticate: started }),
        ok: 1,
      },
    };
  };

  /** Answers now, when something changes, or again and again, as the client's monitor wants it. */
  const hello = async (request: Request): Promise<void> => {
    const { body } = request;
    if (body['maxAwaitTimeMS'] === undefined) {
      send(request, helloReply(body));
      return;
    }
    let known: unknown = body['topologyVersion'];
    do {
      await member.changed(known, Number(body['maxAwaitTimeMS']), gone.signal);
      if (gone.signal.aborted) return;
      known = member.topologyVersion();
      send(request, helloReply(body), request.exhaustAllowed);
    } while (request.exhaustAllowed);
  };

  const authenticate = (request: Request): Reply => {
    if (request.name === 'saslContinue') return { body: conversation.proceed(request.body) };
    const started = conversation.start(request.body);
    if (started === null) throw authenticationFailed();
    return { body: started };
  };

  const carryOut = async ({ db, name, body }: Request): Promise<Reply> => {
    if (!conversation.isAuthenticated()) {
      throw new ServerError('Unauthorized', `Command ${name} requires authentication`);
    }
    if (faults.delay > 0) {
      const maxTime = name === 'getMore' ? 0 : Number(body['maxTimeMS'] ?? 0);
      const isTooLate = maxTime > 0 && maxTime < faults.delay;
      await pause(isTooLate ? maxTime : faults.delay, gone.signal);
      if (gone.signal.aborted || isTooLate) throw new ServerError('MaxTimeMSExpired', 'operation exceeded time limit');
    }
    return executor.execute({ db, name, body, signal: gone.signal });
  };

  const handle = async (request: Request): Promise<void> => {
    const { name, body } = request;
    onCommand(name);
    const drop = faults.dropFor(name);
    if (drop === 'before') {
      socket.destroy();
      return;
    }
    try {
      await faults.heldFor(name);
      if (hellos.has(name)) {
        await hello(request);
        return;
      }
      const reply = name.startsWith('sasl') ? authenticate(request) : await carryOut(request);
      if (drop === 'after') {
        flush();
        socket.destroy();
      } else if (!request.isUnanswered) {
        send(request, reply);
      }
    } catch (error) {
      if (drop === 'after') socket.destroy();
      else if (!request.isUnanswered) send(request, refused(error, name, body, member));
    }
  };

  const work = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    for (let request = queue.shift(); request !== undefined; request = queue.shift()) await handle(request);
    isBusy = false;
  };

  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    queue.length = 0;
    gone.abort();
  });
  socket.on('data', (bytes) => {
    try {
      queue.push(...read(bytes));
    } catch {
      socket.destroy();
      return;
    }
    void work();
  });
};
