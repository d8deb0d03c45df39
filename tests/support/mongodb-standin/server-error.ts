/** Numbers and names of the errors that the stand-in answers with, as a real server numbers them. */
export const errorCodes = {
  BadValue: 2,
  GraphContainsCycle: 5,
  FailedToParse: 9,
  Unauthorized: 13,
  AuthenticationFailed: 18,
  IllegalOperation: 20,
  NamespaceNotFound: 26,
  IndexNotFound: 27,
  PathNotViable: 28,
  CursorNotFound: 43,
  NamespaceExists: 48,
  MaxTimeMSExpired: 50,
  CommandNotFound: 59,
  ImmutableField: 66,
  CannotCreateIndex: 67,
  InvalidOptions: 72,
  InvalidNamespace: 73,
  IndexOptionsConflict: 85,
  IndexKeySpecsConflict: 86,
  ShutdownInProgress: 91,
  WriteConflict: 112,
  ConflictingOperationInProgress: 117,
  CommandNotSupportedOnView: 166,
  QueryPlanKilled: 175,
  TransactionTooOld: 225,
  CursorKilled: 237,
  SnapshotTooOld: 239,
  NoSuchTransaction: 251,
  TransactionCommitted: 256,
  OperationNotSupportedInTransaction: 263,
  ChangeStreamHistoryLost: 286,
  NotWritablePrimary: 10107,
  DuplicateKey: 11000,
  InterruptedDueToReplStateChange: 11602,
  NotPrimaryNoSecondaryOk: 13435,
} as const;

export type ErrorName = keyof typeof errorCodes;

/** A refusal that goes to the client as `{ ok: 0, code, codeName, errmsg, errorLabels }`. */
export class ServerError extends Error {
  override readonly name = 'ServerError';
  readonly codeName: ErrorName;
  readonly code: number;
  /** Further members of the answer. */
  readonly details: Readonly<Record<string, unknown>>;
  readonly labels: readonly string[];
  constructor(
    codeName: ErrorName,
    message: string,
    { details = {}, labels = [] }: { details?: Readonly<Record<string, unknown>>; labels?: readonly string[] } = {},
  ) {
    super(message);
    this.codeName = codeName;
    this.code = errorCodes[codeName];
    this.details = details;
    this.labels = labels;
  }
}
