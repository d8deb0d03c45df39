import { codeOf, duplicateKey, mayPass } from '@zakup/mongodb/errors';
import { MongoError } from 'mongodb';
import { CorruptSalt, CorruptSeal, SealsUnavailable } from '../seal-store.ts';

export const isDuplicateKey = (error: unknown): boolean => codeOf(error) === duplicateKey;

/** What a caller gets to see; `where` names servers and database, without credentials. */
export const sealError = (where: string, error: unknown): Error => {
  if (error instanceof CorruptSeal || error instanceof CorruptSalt || error instanceof SealsUnavailable) return error;
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  const message = `Seal store ${where}: ${error.message}`;
  return mayPass(error) && !isDuplicateKey(error)
    ? new SealsUnavailable(message, { cause: error })
    : new Error(message, { cause: error });
};
