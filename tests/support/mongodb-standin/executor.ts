import { type Call, type Command, type Server, docOf, docsOf } from './context.ts';
import type { Doc } from './documents.ts';
import type { FaultState } from './faults.ts';
import { type Member, refusal } from './member.ts';
import { readCommands } from './read-commands.ts';
import type { Reply } from './reply.ts';
import { schemaCommands } from './schema-commands.ts';
import { errorCodes, ServerError } from './server-error.ts';
import { type Session, sessionKey } from './sessions.ts';
import { writeCommands } from './write-commands.ts';

const endSessions: Command = ({ body, sessions, cursors }) => {
  for (const lsid of docsOf(body, 'endSessions')) {
    sessions.end(sessionKey(lsid));
    cursors.killSession(sessionKey(lsid));
  }
  return { body: { ok: 1 } };
};

/** Everything that is carried out, beside what a connection begins with (`isMaster`, `hello`, `saslStart`, `saslContinue`). */
export const commands: Readonly<Record<string, Command>> = {
  ping: () => ({ body: { ok: 1 } }),
  endSessions,
  ...readCommands,
  ...writeCommands,
  ...schemaCommands,
  commitTransaction: () => ({ body: { ok: 1 } }),
  abortTransaction: () => ({ body: { ok: 1 } }),
};

const reads = new Set<string>([...Object.keys(readCommands), 'listCollections', 'listIndexes']);
const always = new Set(['ping', 'endSessions', 'killCursors', 'getMore']);
const inTransactions = new Set<string>([...Object.keys(writeCommands), 'find', 'aggregate', 'getMore', 'killCursors']);
const endings = new Set(['commitTransaction', 'abortTransaction']);

/** Errors after which the same command may be sent once more. */
const retryable = new Set<number>([
  errorCodes.ShutdownInProgress,
  errorCodes.NotWritablePrimary,
  errorCodes.InterruptedDueToReplStateChange,
  errorCodes.NotPrimaryNoSecondaryOk,
]);
/** Errors after which a transaction may be begun anew. */
const transient = new Set<number>([...retryable, errorCodes.WriteConflict, errorCodes.NoSuchTransaction]);

const labelsFor = (error: ServerError, name: string, body: Doc): readonly string[] => {
  const labels = new Set(error.labels);
  const isEnding = endings.has(name);
  const isInside = body['autocommit'] === false && !isEnding;
  if (isInside && transient.has(error.code)) labels.add('TransientTransactionError');
  const isRetryable = isEnding || (body['txnNumber'] !== undefined && !isInside);
  if (isRetryable && retryable.has(error.code)) labels.add('RetryableWriteError');
  if (name === 'getMore' && retryable.has(error.code)) labels.add('ResumableChangeStreamError');
  return [...labels];
};

/** An error as the answer that tells it. */
export const refused = (error: unknown, name: string, body: Doc, member: Member): Reply => {
  const known =
    error instanceof ServerError
      ? error
      : new ServerError('BadValue', error instanceof Error ? error.message : String(error));
  const labels = labelsFor(known, name, body);
  return {
    body: {
      ok: 0,
      errmsg: known.message,
      code: known.code,
      codeName: known.codeName,
      ...known.details,
      ...(labels.length === 0 ? {} : { errorLabels: labels }),
      ...(retryable.has(known.code) ? { topologyVersion: member.topologyVersion() } : {}),
    },
  };
};

export interface Executor {
  execute(request: {
    readonly db: string;
    readonly name: string;
    readonly body: Doc;
    readonly signal: AbortSignal;
  }): Promise<Reply>;
}

export const executor = (server: Server, member: Member, faults: FaultState): Executor => {
  const { sessions, store } = server;

  const inTransaction = async (
    name: string,
    command: Command,
    call: Omit<Call, 'transaction'>,
    session: Session,
  ): Promise<Reply> => {
    const { body } = call;
    const txnNumber = Number(body['txnNumber']);
    if (name === 'commitTransaction') {
      sessions.commit(session, txnNumber);
      return { body: { ok: 1 } };
    }
    if (name === 'abortTransaction') {
      sessions.transaction(session, txnNumber);
      sessions.abort(session);
      return { body: { ok: 1 } };
    }
    if (!inTransactions.has(name)) {
      throw new ServerError(
        'OperationNotSupportedInTransaction',
        `Cannot run '${name}' in a multi-document transaction.`,
      );
    }
    const { transaction } =
      body['startTransaction'] === true ? sessions.begin(session, txnNumber) : sessions.transaction(session, txnNumber);
    try {
      if (name in writeCommands && faults.takeConflict()) {
        throw new ServerError('WriteConflict', 'Caused by :: Write conflict, as it was ordered.');
      }
      const reply = await command({ ...call, transaction });
      if (reply.body['writeErrors'] !== undefined) sessions.abort(session);
      return reply;
    } catch (error) {
      sessions.abort(session);
      throw error;
    }
  };

  const once = async (session: Session, txnNumber: number, work: () => Promise<Reply> | Reply): Promise<Reply> => {
    const { answered } = session;
    if (answered?.txnNumber === txnNumber) return answered.reply;
    const newest = Math.max(answered?.txnNumber ?? -1, session.current?.txnNumber ?? -1);
    if (newest > txnNumber) {
      throw new ServerError(
        'TransactionTooOld',
        `Retryable write with txnNumber ${txnNumber} is prohibited: ${newest} is newer.`,
      );
    }
    sessions.abort(session);
    const reply = Promise.resolve(work());
    session.answered = { txnNumber, reply };
    try {
      const done = await reply;
      store.remember(session.key, txnNumber, done.body);
      return done;
    } catch (error) {
      if (session.answered?.reply === reply) session.answered = null;
      throw error;
    }
  };

  return {
    execute: async ({ db, name, body, signal }) => {
      const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
      if (command === undefined) throw new ServerError('CommandNotFound', `no such command: '${name}'`);
      const role = member.role();
      if (role === 'shutting down' || (role === 'secondary' && !always.has(name))) {
        throw refusal(role, reads.has(name) && body['autocommit'] !== false);
      }
      const session = body['lsid'] === undefined ? null : sessions.of(docOf(body['lsid']));
      const maxTime = name === 'getMore' || body['maxTimeMS'] === undefined ? 0 : Number(body['maxTimeMS']);
      const deadline = maxTime === 0 ? Number.POSITIVE_INFINITY : Date.now() + maxTime;
      const call: Call = { ...server, db, body, session, transaction: null, deadline, signal };
      if (session !== null && body['autocommit'] === false) return inTransaction(name, command, call, session);
      if (session !== null && body['txnNumber'] !== undefined) {
        return once(session, Number(body['txnNumber']), () => command(call));
      }
      return command(call);
    },
  };
};
