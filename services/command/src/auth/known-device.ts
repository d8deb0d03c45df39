import type { Request, Response } from 'express';
import type { CommandDeps } from '../deps.ts';
import { cookieOf } from './cookies.ts';

const deviceCookie = 'zakup_device';

type Deps = Pick<CommandDeps, 'credentials' | 'now'>;

/** The request's device where it signed in to the account before, else null. */
export const knownDeviceOf = async ({ credentials, now }: Deps, request: Request, account: string) => {
  const token = cookieOf(request, deviceCookie);
  return token !== null && (await credentials.knowsDevice(token, account, now())) ? token : null;
};

/** From now on the request's device is known to the account: its browser keeps a token that scripts cannot read (AUTH-25). */
export const rememberDevice = async (
  { credentials, now: clock }: Deps,
  request: Request,
  response: Response,
  account: string,
): Promise<void> => {
  const now = clock();
  const { token, expiresAt } = await credentials.rememberDevice(cookieOf(request, deviceCookie), account, now);
  response.cookie(deviceCookie, token, {
    httpOnly: true,
    sameSite: 'strict',
    secure: request.secure,
    path: '/api',
    maxAge: expiresAt - now,
  });
};
