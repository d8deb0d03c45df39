import type { RequestHandler } from 'express';
import helmet from 'helmet';

export interface SecurityOptions {
  /** Browsers come by https: HSTS, upgrades and the headers that browsers refuse over plain http. */
  readonly https: boolean;
  /** Hashes of the page's inline scripts, `sha256-…`, as the web build writes them into `csp.json`. */
  readonly scriptHashes?: readonly string[];
}

/** Response headers for a page and an API that load nothing from elsewhere. */
export function securityHeaders({ https, scriptHashes = [] }: SecurityOptions): RequestHandler {
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        'default-src': ["'self'"],
        'script-src': ["'self'", ...scriptHashes.map((hash) => `'${hash}'`)],
        'script-src-attr': ["'none'"],
        'style-src': ["'self'"],
        'img-src': ["'self'", 'data:'],
        'font-src': ["'self'", 'data:'],
        'connect-src': ["'self'"],
        'worker-src': ["'self'"],
        'object-src': ["'none'"],
        'base-uri': ["'none'"],
        'form-action': ["'self'"],
        'frame-ancestors': ["'none'"],
        ...(https ? { 'upgrade-insecure-requests': [] } : {}),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    crossOriginOpenerPolicy: https,
    originAgentCluster: https,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'same-origin' },
  });
}
