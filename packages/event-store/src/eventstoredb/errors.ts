import { AccessDeniedError, MaxAppendSizeExceededError, StreamDeletedError } from '@eventstore/db-client';
import { CorruptEvent, EventStoreUnavailable, LogBehind } from '../event-store.ts';

/** The server does not let this user in, or does not let it read `$all`: a setting to correct, not an outage. */
export class EventStoreAccessDenied extends Error {
  override readonly name = 'EventStoreAccessDenied';
}

/** Passed since a call began, without an answer. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
  constructor(what: string, milliseconds: number) {
    super(`${what}: no answer within ${milliseconds} ms`);
  }
}

/** Says nothing of the store's state: an answer that must not be taken for an outage. */
const tellsTheCaller = (error: unknown): boolean =>
  error instanceof TypeError ||
  error instanceof RangeError ||
  error instanceof CorruptEvent ||
  error instanceof LogBehind ||
  error instanceof EventStoreUnavailable ||
  error instanceof EventStoreAccessDenied ||
  error instanceof StreamDeletedError ||
  error instanceof MaxAppendSizeExceededError;

/** What the port promises to throw, with the client's own error as its cause. */
export const portError = (error: unknown, where: string): unknown => {
  if (tellsTheCaller(error)) return error;
  const reason =
    error instanceof AccessDeniedError
      ? 'refuses the credentials'
      : error instanceof Error
        ? `cannot be used: ${error.message}`
        : 'cannot be used';
  return new EventStoreUnavailable(`EventStoreDB at ${where} ${reason}`, { cause: error });
};

/** Whether the server has refused the credentials, told by the error or by its cause. */
export const isAccessDenied = (error: unknown): boolean =>
  error instanceof AccessDeniedError || (error instanceof Error && error.cause instanceof AccessDeniedError);
