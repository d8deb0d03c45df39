import { codeOf, isAway, isCollision, isLostRead, mayPass, notOnAView } from '@zakup/mongodb/errors';
import { MongoError } from 'mongodb';
import { CorruptDocument, ReadStoreUnavailable } from '../read-store.ts';

/**
 * A transaction that left nothing behind and may succeed from its beginning. What it began to write may have become a former content, whose
 * name is that of a view now.
 */
export const isLostTransaction = (error: unknown): boolean =>
  isCollision(error) || isLostRead(error) || isAway(error) || codeOf(error) === notOnAView;

/** What a caller gets to see. `where` names server and database, without credentials. */
export const readStoreError = (where: string, error: unknown): Error => {
  if (error instanceof CorruptDocument || error instanceof ReadStoreUnavailable) return error;
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  const message = `Read store ${where}: ${error.message}`;
  return mayPass(error) ? new ReadStoreUnavailable(message, { cause: error }) : new Error(message, { cause: error });
};
