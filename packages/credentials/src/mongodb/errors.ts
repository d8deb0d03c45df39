import { MongoAPIError, MongoError, MongoErrorLabel, MongoNetworkError, MongoSystemError } from 'mongodb';
import { CredentialsUnavailable } from '../credentials.ts';

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
const writeConflict = 112;
const duplicateKey = 11000;
const unauthorized = 13;
const authenticationFailed = 18;

const codeOf = (error: unknown): unknown => (error instanceof MongoError ? error.code : undefined);
const hasLabel = (error: unknown, label: string): boolean => error instanceof MongoError && error.hasErrorLabel(label);

export const isNamespaceExists = (error: unknown): boolean => codeOf(error) === 48;
/** An index of the name or of the columns is there, and is another one. */
export const isOtherIndex = (error: unknown): boolean => codeOf(error) === 85 || codeOf(error) === 86;

/** The server's name and password do not open it, or not this part of it. */
export const isRefused = (error: unknown): boolean =>
  codeOf(error) === authenticationFailed || codeOf(error) === unauthorized;

/** Nothing is wrong with what was asked: the server is away, is not the primary, or was too slow. */
export const isAway = (error: unknown): boolean =>
  error instanceof MongoNetworkError ||
  error instanceof MongoSystemError ||
  (error instanceof MongoAPIError && /Closed|Connected/.test(error.name)) ||
  (error instanceof MongoError && /Timeout/.test(error.name)) ||
  awayCodes.has(codeOf(error)) ||
  hasLabel(error, MongoErrorLabel.RetryableWriteError) ||
  hasLabel(error, MongoErrorLabel.SystemOverloadedError);

/**
 * A transaction that left nothing and may succeed from its beginning. Two that add the same key meet in a write conflict or as a
 * duplicate key, whichever the server notices first.
 */
export const isLostTransaction = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.TransientTransactionError) ||
  codeOf(error) === writeConflict ||
  codeOf(error) === duplicateKey;

/**
 * Of a commit: nobody knows whether it was carried out, and asking for it again tells. The driver says so with a label, which an answer lacks
 * that it did not wait for because it gave up its connections meanwhile.
 */
export const isUnknownCommit = (error: unknown): boolean =>
  hasLabel(error, MongoErrorLabel.UnknownTransactionCommitResult) || error instanceof MongoNetworkError;

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const refusal = (where: string): string => `Credential store ${where} does not accept the credentials`;

/** What a caller gets to see; `where` names servers and database, without credentials. What the rules threw stays as it is. */
export const storeError = (where: string, error: unknown): Error => {
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  if (isRefused(error)) return new CredentialsUnavailable(refusal(where), { cause: error });
  const message = `Credential store ${where}: ${textOf(error)}`;
  return isAway(error) || isLostTransaction(error) || isUnknownCommit(error)
    ? new CredentialsUnavailable(message, { cause: error })
    : new Error(message, { cause: error });
};

/** As `storeError`, at the opening: whoever is refused then should be told, and not wait. */
export const openingError = (where: string, error: unknown): Error =>
  isRefused(error) ? new Error(refusal(where), { cause: error }) : storeError(where, error);
