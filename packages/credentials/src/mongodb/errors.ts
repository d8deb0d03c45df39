import { codeOf, isCut, isRefused, mayPass } from '@zakup/mongodb/errors';
import * as driver from '@zakup/mongodb/errors';
import { MongoError } from 'mongodb';
import { CredentialsUnavailable } from '../credentials.ts';

const indexOptionsConflict = 85;
const indexKeySpecsConflict = 86;

/** An index of the name or of the columns is there, and is another one. */
export const isOtherIndex = (error: unknown): boolean =>
  codeOf(error) === indexOptionsConflict || codeOf(error) === indexKeySpecsConflict;

/** Nothing is wrong with what was asked; what was read has to be read from its beginning. */
export const isAway = (error: unknown): boolean => driver.isAway(error) || driver.isLostRead(error);

/**
 * Of a commit: nobody knows whether it was carried out, and asking for it again tells. The driver says so with a label, which an answer lacks
 * that it did not wait for because it gave up its connections meanwhile.
 */
export const isUnknownCommit = (error: unknown): boolean => driver.isUnknownCommit(error) || isCut(error);

const refusal = (where: string): string => `Credential store ${where} does not accept the credentials`;

/** What a caller gets to see; `where` names servers and database, without credentials. What the rules threw stays as it is. */
export const storeError = (where: string, error: unknown): Error => {
  if (!(error instanceof MongoError)) return error instanceof Error ? error : new Error(String(error));
  if (isRefused(error)) return new CredentialsUnavailable(refusal(where), { cause: error });
  const message = `Credential store ${where}: ${error.message}`;
  return mayPass(error) ? new CredentialsUnavailable(message, { cause: error }) : new Error(message, { cause: error });
};

/** As `storeError`, at the opening: whoever is refused then should be told, and not wait. */
export const openingError = (where: string, error: unknown): Error =>
  isRefused(error) ? new Error(refusal(where), { cause: error }) : storeError(where, error);
