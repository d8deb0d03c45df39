import type { Request, Response } from 'express';
import type { CommandDeps } from '../deps.ts';

/** A cookie that scripts cannot read and other sites cannot send. */
export interface Cookie {
  readonly name: string;
  /** Which calls get it; under a guarded name all do, as a browser wants of it. */
  readonly path: string;
}

type Deps = Pick<CommandDeps, 'publicHttps'>;

/** A browser takes such a name from this very host over https alone: no other host of the domain, and nobody on the way, can plant it. */
const guarded = ({ name }: Cookie): string => `__Host-${name}`;

const sentAs = (request: Request, name: string): string | null => {
  const pair = (request.get('Cookie') ?? '').split(/;\s*/u).find((one) => one.startsWith(`${name}=`));
  return pair?.slice(name.length + 1) ?? null;
};

/** What the browser sent of it; `guarded` = nobody but this host can have set it. Null when it sent none. */
export const cookieOf = (
  request: Request,
  cookie: Cookie,
): { readonly value: string; readonly guarded: boolean } | null => {
  const value = sentAs(request, guarded(cookie));
  if (value !== null) return { value, guarded: true };
  const plain = sentAs(request, cookie.name);
  return plain === null ? null : { value: plain, guarded: false };
};

const common = { httpOnly: true, sameSite: 'strict' } as const;

const clearPlain = (response: Response, { name, path }: Cookie): void => {
  response.clearCookie(name, { ...common, path });
};

/** Sets it, under the guarded name where browsers come by https; one of the plain name, from before they did, is cleared then. */
export const setCookie = (
  { publicHttps = false }: Deps,
  request: Request,
  response: Response,
  cookie: Cookie,
  { value, maxAge }: { readonly value: string; readonly maxAge: number },
): void => {
  if (!publicHttps) {
    response.cookie(cookie.name, value, { ...common, secure: request.secure, path: cookie.path, maxAge });
    return;
  }
  response.cookie(guarded(cookie), value, { ...common, secure: true, path: '/', maxAge });
  if (sentAs(request, cookie.name) !== null) clearPlain(response, cookie);
};

export const clearCookie = (
  { publicHttps = false }: Deps,
  request: Request,
  response: Response,
  cookie: Cookie,
): void => {
  if (publicHttps) response.clearCookie(guarded(cookie), { ...common, secure: true, path: '/' });
  if (!publicHttps || sentAs(request, cookie.name) !== null) clearPlain(response, cookie);
};
