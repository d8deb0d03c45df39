import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { securityHeaders } from '@zakup/service-kit/security';

type Handled = Parameters<ReturnType<typeof securityHeaders>>;

/** What the single-process edition answers a page with, one line each. */
const headerLines = (https: boolean, scriptHashes: readonly string[]): readonly string[] => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  securityHeaders({ https, scriptHashes })(request as Handled[0], response as Handled[1], () => undefined);
  return Object.entries(response.getHeaders()).map(([name, value]) => `\t${name} "${String(value)}"`);
};

/**
 * The security headers of the page as a part of a Caddyfile, to be imported where the page is served: those of the single-process edition,
 * which follow `PUBLIC_URL` alone. `scriptHashes` of the page's inline scripts.
 */
export const caddyHeaders = (scriptHashes: readonly string[]): string => {
  const isHttps = '{env.PUBLIC_URL}.startsWith("https://")';
  return [
    '# Made by scripts/caddy-headers.ts from the headers of the single-process edition.',
    `@https expression \`${isHttps}\``,
    'header @https {',
    ...headerLines(true, scriptHashes),
    '}',
    `@http expression \`!${isHttps}\``,
    'header @http {',
    ...headerLines(false, scriptHashes),
    '}',
    '',
  ].join('\n');
};
