import { createHash, createHmac, pbkdf2Sync, randomBytes, timingSafeEqual } from 'node:crypto';
import { BSON } from 'bson';
import type { Doc } from './documents.ts';
import { ServerError } from './server-error.ts';

export interface Credentials {
  readonly user: string;
  readonly password: string;
}

/** The server's side of SCRAM-SHA-256 on one connection. */
export interface Conversation {
  isAuthenticated(): boolean;
  /** Null for a user or mechanism that is not known. */
  start(command: Doc): Doc | null;
  /** Throws AuthenticationFailed. */
  proceed(command: Doc): Doc;
}

const mechanism = 'SCRAM-SHA-256';
const iterations = 4096;

export const authenticationFailed = (): ServerError =>
  new ServerError('AuthenticationFailed', 'Authentication failed.');

const hmac = (key: Uint8Array, text: string): Buffer => createHmac('sha256', key).update(text).digest();

const textOf = (payload: unknown): string => {
  if (payload instanceof BSON.Binary) return Buffer.from(payload.value()).toString('utf8');
  return payload instanceof Uint8Array ? Buffer.from(payload).toString('utf8') : '';
};

/** `null` as credentials: everybody is let in. */
export const conversation = (credentials: Credentials | null): Conversation => {
  const salt = randomBytes(28);
  let isAuthenticated = credentials === null;
  let expected: { readonly first: string; readonly server: string; readonly nonce: string } | null = null;
  return {
    isAuthenticated: () => isAuthenticated,
    start: (command) => {
      const match = /^n,,(n=([^,]*),r=([^,]+))$/.exec(textOf(command['payload']));
      if (credentials === null || match === null || command['mechanism'] !== mechanism) return null;
      const [, first = '', user = '', clientNonce = ''] = match;
      if (user !== credentials.user.replaceAll('=', '=3D').replaceAll(',', '=2C')) return null;
      const nonce = clientNonce + randomBytes(24).toString('base64');
      const server = `r=${nonce},s=${salt.toString('base64')},i=${iterations}`;
      expected = { first, server, nonce };
      return { conversationId: 1, done: false, payload: new BSON.Binary(Buffer.from(server)), ok: 1 };
    },
    proceed: (command) => {
      const match = /^(c=biws,r=([^,]+)),p=(.+)$/.exec(textOf(command['payload']));
      if (credentials === null || expected === null || match === null) throw authenticationFailed();
      const [, withoutProof = '', nonce, proof = ''] = match;
      const salted = pbkdf2Sync(credentials.password, salt, iterations, 32, 'sha256');
      const clientKey = hmac(salted, 'Client Key');
      const message = `${expected.first},${expected.server},${withoutProof}`;
      const signature = hmac(createHash('sha256').update(clientKey).digest(), message);
      const wanted = Buffer.from(clientKey.map((byte, at) => byte ^ (signature[at] ?? 0)));
      const given = Buffer.from(proof, 'base64');
      if (nonce !== expected.nonce || given.length !== wanted.length || !timingSafeEqual(given, wanted)) {
        throw authenticationFailed();
      }
      isAuthenticated = true;
      const verifier = `v=${hmac(hmac(salted, 'Server Key'), message).toString('base64')}`;
      return { conversationId: 1, done: true, payload: new BSON.Binary(Buffer.from(verifier)), ok: 1 };
    },
  };
};
