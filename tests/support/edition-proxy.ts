import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { Duplex } from 'node:stream';

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

const unavailable = JSON.stringify({
  type: 'about:blank',
  title: 'UNAVAILABLE',
  status: 503,
  success: false,
  error: 'Сервис временно недоступен, попробуйте ещё раз',
  code: 'UNAVAILABLE',
});

const isUnder = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`) || path.startsWith(`${folder}?`);

/** Where the web server in front of the services sends a request, by path and method: reads and sockets to the gateway, changes to command. */
const upstreamOf = (
  { method, url = '/' }: Pick<IncomingMessage, 'method' | 'url'>,
  { command, gateway }: Pick<ProxyOptions, 'command' | 'gateway'>,
): string | null => {
  if (isUnder(url, '/socket.io')) return gateway;
  if (!isUnder(url, '/api')) return null;
  return method === 'GET' || method === 'HEAD' ? gateway : command;
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
          .writeHead(503, { 'Content-Type': 'application/problem+json', 'Retry-After': '1', Connection: 'close' })
          .end(unavailable);
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
    const isThere = wanted.startsWith(webDist) && (await stat(wanted).catch(() => null))?.isFile() === true;
    const sent = isThere ? wanted : join(webDist, 'index.html');
    response.writeHead(200, { 'Content-Type': types[extname(sent)] ?? 'application/octet-stream' });
    createReadStream(sent).pipe(response);
  };

  const server = createServer((incoming, response) => {
    const upstream = upstreamOf(incoming, options);
    if (upstream !== null) return pass(upstream, incoming, response);
    file((incoming.url ?? '/').split('?', 1)[0] ?? '/', response).catch(() => response.destroy());
  });
  server.on('connection', (line) => {
    lines.add(line);
    line.once('close', () => lines.delete(line));
  });
  server.on('upgrade', (incoming, line, head) => {
    const upstream = upstreamOf(incoming, options);
    if (upstream === null) {
      line.destroy();
      return;
    }
    const target = new URL(upstream);
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
