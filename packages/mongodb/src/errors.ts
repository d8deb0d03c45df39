/**
 * What the driver's errors mean, the same for every store on MongoDB.
 */
import {
  MongoAPIError,
  MongoError,
  MongoErrorLabel,
  MongoNetworkError,
  MongoSystemError,
  MongoTransactionError,
} from 'mongodb';

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
export const invalidOptions = 72;
export const notOnAView = 166;

export const codeOf = (error: unknown): number | string | undefined =>
  error instanceof MongoError ? error.code : undefined;

const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

/** The credentials do not open it, or not this part of it. */
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

/**
 * A transaction that left nothing and may succeed from its beginning. Two that add the same key meet in a write conflict or as a
 * duplicate key, whichever the server notices first.
 */
export const isCollision = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.TransientTransactionError) ||
  codeOf(error) === writeConflict ||
  codeOf(error) === duplicateKey;

/** Of a commit: nobody knows whether it was carried out, and asking for it again tells. */
export const isUnknownCommit = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult);

/** Whether the same may succeed a moment later, for any of these reasons. */
export const mayPass = (error: unknown): boolean =>
  isRefused(error) || isAway(error) || isLostRead(error) || isCollision(error) || isUnknownCommit(error);
