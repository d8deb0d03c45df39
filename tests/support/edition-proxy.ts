import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Duplex } from 'node:stream';
import { toProblemBody } from '@zakup/contracts/problems';

export interface ProxyOptions {
  /** Base address of the command service, `http://127.0.0.1:4001`. */
  readonly command: string;
  /** Base address of the gateway. */
  readonly gateway: string;
  /** Folder of the built web app; without one every other path is 404. */
  readonly webDist?: string;
  /** Default 0: a free one. */
  readonly port?: number;
}

export interface EditionProxy {
  readonly address: string;
  /** Cuts all lines. */
  close(): Promise<void>;
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

const unavailable = (): string =>
  JSON.stringify(
    toProblemBody(
      { code: 'UNAVAILABLE', message: 'Сервис временно недоступен, попробуйте ещё раз', retryAfterSeconds: 2 },
      randomUUID(),
    ),
  );

const isUnder = (path: string, folder: string): boolean => path === folder || path.startsWith(`${folder}/`);
const pathOf = (url = '/'): string => url.split('?', 1)[0] ?? '/';

/** Where the web server in front of the services sends a request: reads and sockets to the gateway, changes to command. */
const routeOf = ({
  method,
  url,
}: Pick<IncomingMessage, 'method' | 'url'>): 'command' | 'gateway' | 'files' | 'nobody' => {
  const path = pathOf(url);
  if (path === '/healthz' || path === '/metrics') return 'nobody';
  if (path.startsWith('/socket.io/')) return 'gateway';
  if (method !== 'GET' && method !== 'HEAD') return 'command';
  return isUnder(path, '/api') || path === '/readyz' || path.startsWith('//') ? 'gateway' : 'files';
};

const forwarded = ({ headers, socket }: IncomingMessage): IncomingHttpHeaders => ({
  ...headers,
  'x-forwarded-for': [headers['x-forwarded-for'], socket.remoteAddress ?? ''].filter(Boolean).join(', '),
  'x-forwarded-proto': 'http',
});

/**
 * Stands where the web server of the full system stands: one address for the services in their processes and the web app. A service that
 * is away is answered for with UNAVAILABLE.
 */
export const startProxy = async (options: ProxyOptions): Promise<EditionProxy> => {
  const { webDist, port = 0 } = options;
  const lines = new Set<Duplex>();

  const pass = (upstream: string, incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, url } = incoming;
    const target = new URL(upstream);
    const outgoing = request(
      { host: target.hostname, port: target.port, method, path: url, headers: forwarded(incoming) },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
        answer.once('error', () => response.destroy());
      },
    );
    outgoing.once('error', () => {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '2', Connection: 'close' })
          .end(unavailable());
    });
    response.once('close', () => outgoing.destroy());
    incoming.pipe(outgoing);
  };

  const file = async (path: string, response: ServerResponse): Promise<void> => {
    if (webDist === undefined) {
      response.writeHead(404).end();
      return;
    }
    const wanted = join(webDist, normalize(decodeURIComponent(path)));
    const isAsset = isUnder(path, '/assets');
    const isThere = wanted.startsWith(webDist) && (await stat(wanted).catch(() => null))?.isFile() === true;
    if (isAsset && !isThere) {
      response.writeHead(404).end();
      return;
    }
    const sent = isThere ? wanted : join(webDist, 'index.html');
    response.writeHead(200, { 'Content-Type': types[extname(sent)] ?? 'application/octet-stream' });
    createReadStream(sent).pipe(response);
  };

  const server = createServer((incoming, response) => {
    const route = routeOf(incoming);
    if (route === 'nobody') response.writeHead(404).end();
    else if (route === 'files') file(pathOf(incoming.url), response).catch(() => response.destroy());
    else pass(options[route], incoming, response);
  });
  server.on('connection', (line) => {
    lines.add(line);
    line.once('close', () => lines.delete(line));
  });
  server.on('upgrade', (incoming, line, head) => {
    if (routeOf(incoming) !== 'gateway') {
      line.destroy();
      return;
    }
    const target = new URL(options.gateway);
    const outgoing = request({
      host: target.hostname,
      port: target.port,
      path: incoming.url,
      headers: forwarded(incoming),
    });
    line.once('error', () => outgoing.destroy());
    outgoing.once('error', () => line.destroy());
    outgoing.once('response', () => line.destroy());
    outgoing.once('upgrade', (answer, other, rest) => {
      const names = answer.rawHeaders.filter((_, index) => index % 2 === 0);
      const fields = names.map((name, index) => `${name}: ${answer.rawHeaders[index * 2 + 1] ?? ''}`);
      line.write(`HTTP/1.1 101 Switching Protocols\r\n${fields.join('\r\n')}\r\n\r\n`);
      if (rest.length > 0) line.write(rest);
      if (head.length > 0) other.write(head);
      line.pipe(other).pipe(line);
      other.once('error', () => line.destroy());
      other.once('close', () => line.destroy());
      line.once('close', () => other.destroy());
    });
    outgoing.end();
  });

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = server.address() as AddressInfo;
  return {
    address: `http://127.0.0.1:${bound.port}`,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const line of lines) line.destroy();
      await closed;
    },
  };
};
