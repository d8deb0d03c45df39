import type { Request, Response } from 'express';
import type { CommandDeps } from '../deps.ts';
import { type Cookie, cookieOf, setCookie } from './cookies.ts';

const deviceCookie: Cookie = { name: 'zakup_device', path: '/api' };

type Deps = Pick<CommandDeps, 'credentials' | 'now' | 'publicHttps'>;

/** The request's device where it signed in to the account before, else null. */
export const knownDeviceOf = async ({ credentials, now }: Deps, request: Request, account: string) => {
  const token = cookieOf(request, deviceCookie)?.value ?? null;
  return token !== null && (await credentials.knowsDevice(token, account, now())) ? token : null;
};

/** From now on the request's device is known to the account: its browser keeps a token that scripts cannot read (AUTH-25). */
export const rememberDevice = async (
  deps: Deps,
  request: Request,
  response: Response,
  account: string,
): Promise<void> => {
  const now = deps.now();
  const sent = cookieOf(request, deviceCookie);
  // What somebody else may have planted becomes a guarded token only where the account knew it before.
  const isOurs = sent === null || sent.guarded || deps.publicHttps !== true;
  const kept = isOurs ? (sent?.value ?? null) : await knownDeviceOf(deps, request, account);
  const { token, expiresAt } = await deps.credentials.rememberDevice(kept, account, now);
  setCookie(deps, request, response, deviceCookie, { value: token, maxAge: expiresAt - now });
};
