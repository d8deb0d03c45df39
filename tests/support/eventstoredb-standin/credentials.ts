import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { callErrors } from './wire.ts';

export interface Credentials {
  readonly username: string;
  readonly password: string;
}

/** Who may append and read. */
export interface Doorman {
  /** Null when the caller may. */
  refusal(metadata: Metadata): ServiceError | null;
  /** The caller gave no credentials at all. */
  anonymous(metadata: Metadata): boolean;
}

const given = (metadata: Metadata): string | null => metadata.get('authorization')[0]?.toString() ?? null;

/** Without credentials to compare with everyone may. */
export const doorman = (wanted: Credentials | null): Doorman => {
  const right =
    wanted === null ? null : `Basic ${Buffer.from(`${wanted.username}:${wanted.password}`).toString('base64')}`;
  return {
    refusal: (metadata) => {
      const header = given(metadata);
      if (right === null || header === right) return null;
      return header === null ? callErrors.accessDenied() : callErrors.unauthenticated();
    },
    anonymous: (metadata) => given(metadata) === null,
  };
};
