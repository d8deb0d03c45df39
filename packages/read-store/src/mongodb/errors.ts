import {
  MongoAPIError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoSystemError,
  MongoTransactionError,
} from 'mongodb';
import { CorruptDocument, ReadStoreUnavailable } from '../read-store.ts';

/** Codes of replies by which a server says that it, or this moment, is not the right one. */
const awayCodes: ReadonlySet<number | string> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);
const authenticationFailed = 18;
const unauthorized = 13;

/** Codes of a read that has to begin again: its snapshot or cursor is gone. */
const lostReadCodes: ReadonlySet<number | string> = new Set([
  43, // CursorNotFound
  175, // QueryPlanKilled
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
]);

const writeConflict = 112;
export const duplicateKey = 11000;
export const namespaceExists = 48;
export const namespaceNotFound = 26;

export const codeOf = (error: unknown): number | string | undefined =>
  error instanceof MongoError ? error.code : undefined;

export const hasLabel = (error: unknown, label: string): boolean =>
  error instanceof MongoError && error.hasErrorLabel(label);

/** The credentials do not open it. */
export const isRefused = (error: unknown): boolean => {
  const code = codeOf(error);
  return code === authenticationFailed || code === unauthorized;
};

/** Nothing is wrong with what was asked: the server is away, is not the primary, or was too slow. */
export const isAway = (error: unknown): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoSystemError ||
  (error instanceof MongoAPIError &&
    !(error instanceof MongoTransactionError) &&
    /Closed|Connected/.test(error.name)) ||
  // That all connections stay in use is told by an error of no kind of its own.
  (error instanceof MongoError && error.name.includes('Timeout')) ||
  awayCodes.has(codeOf(error) ?? '') ||
  hasLabel(error, MongoErrorLabel.RetryableWriteError) ||
  hasLabel(error, MongoErrorLabel.SystemOverloadedError);

/** The connection ended, or its server was silent for too long. */
export const isCut = (error: unknown): boolean => error instanceof MongoNetworkError;

/** A read of several commands that may succeed from its beginning. */
export const isLostRead = (error: unknown): boolean => lostReadCodes.has(codeOf(error) ?? '') || isCut(error);

/** A transaction that left nothing behind and may succeed from its beginning. */
export const isLostTransaction = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.TransientTransactionError) ||
  codeOf(error) === writeConflict ||
  codeOf(error) === duplicateKey ||
  isLostRead(error) ||
  isAway(error);

export const isUnknownCommit = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);

/** What a caller gets to see. `where` names server and database, without credentials. */
export const readStoreError = (where: string, error: unknown): Error => {
  if (error instanceof CorruptDocument || error instanceof ReadStoreUnavailable) return error;
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  const message = `Read store ${where}: ${error.message}`;
  const unavailable = isRefused(error) || isLostTransaction(error) || isUnknownCommit(error);
  return unavailable ? new ReadStoreUnavailable(message, { cause: error }) : new Error(message, { cause: error });
};
