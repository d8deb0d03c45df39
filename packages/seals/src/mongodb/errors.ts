import { MongoAPIError, MongoError, MongoErrorLabel, MongoNetworkError, MongoSystemError } from 'mongodb';
import { CorruptSeal, SealsUnavailable } from '../seal-store.ts';

/** Codes of replies by which a server says that it, or this moment, is not the right one. */
const awayCodes: ReadonlySet<unknown> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernTimeout
  89, // NetworkTimeout
  91, // ShutdownInProgress
  100, // UnsatisfiableWriteConcern
  112, // WriteConflict
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  237, // CursorKilled
  246, // SnapshotUnavailable
  262, // ExceededTimeLimit
  9001, // SocketException
  10107, // NotWritablePrimary
  11600, // InterruptedAtShutdown
  11602, // InterruptedDueToReplStateChange
  13435, // NotPrimaryNoSecondaryOk
  13436, // NotPrimaryOrSecondary
]);
const duplicateKey = 11000;
const refusedCodes: ReadonlySet<unknown> = new Set([13, 18]);

const codeOf = (error: unknown): unknown => (error instanceof MongoError ? error.code : undefined);

export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === duplicateKey;
const isRefused = (error: unknown): boolean => refusedCodes.has(codeOf(error));

/** Nothing is wrong with what was asked: the server is away, is not the primary, or was too slow. */
const isAway = (error: unknown): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoSystemError ||
  (error instanceof MongoAPIError && /Closed|Connected/.test(error.name)) ||
  (error instanceof MongoError && error.name.includes('Timeout')) ||
  awayCodes.has(codeOf(error)) ||
  (error instanceof MongoError &&
    (error.hasErrorLabel(MongoErrorLabel.RetryableWriteError) ||
      error.hasErrorLabel(MongoErrorLabel.SystemOverloadedError)));

/** What a caller gets to see; `where` names servers and database, without credentials. */
export const sealError = (where: string, error: unknown): Error => {
  if (error instanceof CorruptSeal || error instanceof SealsUnavailable) return error;
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  const message = `Seal store ${where}: ${error.message}`;
  return isAway(error) || isRefused(error)
    ? new SealsUnavailable(message, { cause: error })
    : new Error(message, { cause: error });
};

/** As `sealError`, at the opening: whoever is refused then should be told, and not wait. */
export const openingError = (where: string, error: unknown): Error =>
  isRefused(error)
    ? new Error(`Seal store ${where} does not accept the credentials`, { cause: error })
    : sealError(where, error);
