import type { IncomingHttpHeaders } from 'node:http';

/** By which names browsers come to this server. */
export interface OwnNames {
  /** The address in the browser; null = whatever name the request was sent to. */
  readonly publicUrl: string | null;
  /** Reverse proxies in front, whose word on the name counts. */
  readonly trustProxy: number;
}

/** The name in an address bar; null = none can be read out of it. */
const hostIn = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host || null : null);

/**
 * Whether a page of this server asks, or a program, which sends no `Origin`. Only host and port are compared: behind a proxy that speaks
 * TLS the scheme is not known.
 */
export const isOwnOrigin = (headers: IncomingHttpHeaders, { publicUrl, trustProxy }: OwnNames): boolean => {
  const { origin, host } = headers;
  if (origin === undefined) return true;
  const asking = hostIn(origin);
  if (asking === null) return false;
  const { protocol } = new URL(origin);
  // Forging these takes a program, which needs no origin in the first place.
  const forwarded = trustProxy > 0 ? String(headers['x-forwarded-host'] ?? '').split(',') : [];
  const own = [host ?? '', ...forwarded].map((name) => name.trim()).filter((name) => name !== '');
  return (
    own.some((name) => hostIn(`${protocol}//${name}`) === asking) ||
    (publicUrl !== null && hostIn(publicUrl) === asking)
  );
};
