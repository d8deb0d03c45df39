import { createServer, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { jsonBody } from './json-body.ts';
import { listening } from './listening.ts';
import { jsonLog } from './log.ts';
import { doubleSlash, malformedRequests } from './malformed-requests.ts';
import { notFound, problemHandler } from './problem-middleware.ts';

let server: Server;
let base: string;

beforeAll(async () => {
  const app = express();
  app.use(doubleSlash);
  app.use('/api', malformedRequests);
  app.post('/api/echo', ...jsonBody(), (request, response) => {
    response.json({ body: (request.body ?? null) as unknown });
  });
  app.get('/api/things/:id', (request, response) => response.json({ id: request.params.id, query: request.query }));
  app.use('/api', notFound);
  app.use(problemHandler(jsonLog({ level: 'silent' })));
  server = createServer(app);
  base = await listening(server, { port: 0, host: '127.0.0.1' });
});

afterAll(() => {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(resolve));
});

const post = (
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'content-type': 'application/json' },
): Promise<Response> => fetch(`${base}/api/echo`, { method: 'POST', body, headers });

/** Sends the head of a request, and whatever `more` writes, and answers what came until the server closed the connection. */
const raw = (head: readonly string[], more: (socket: Socket) => void): Promise<string> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(base);
    const socket = connect(Number(port), hostname);
    let answer = '';
    socket.on('data', (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(answer));
    socket.write([...head, 'Host: localhost', 'Content-Type: application/json', '', ''].join('\r\n'));
    more(socket);
  });

const values = (count: number): string => `[${Array.from({ length: count }, () => '0').join()}]`;

describe('a body', () => {
  test('KIT-1 announced above the limit is refused before anything of it came, and the connection closes', async () => {
    const answer = await raw(['POST /api/echo HTTP/1.1', 'Content-Length: 50000000'], () => undefined);
    expect(answer).toMatch(/^HTTP\/1\.1 413 /u);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(answer).toContain('"TOO_LARGE"');
  });

  test('KIT-2 that never ends is refused as soon as it has passed the limit, and the connection closes', async () => {
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`;
    const answer = await raw(['POST /api/echo HTTP/1.1', 'Transfer-Encoding: chunked'], (socket) => {
      for (let sent = 0; sent < 17; sent += 1) socket.write(chunk);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 413 /u);
  });

  test('KIT-9 above the limit: who is still sending gets the answer', async () => {
    for (let tries = 0; tries < 5; tries += 1) expect((await post('x'.repeat(5_000_000))).status).toBe(413);
  });

  test('KIT-3 of exactly the limit is read, one byte more is not', async () => {
    const exact = `["${'x'.repeat(1024 * 1024 - 4)}"]`;
    expect((await post(exact)).status).toBe(200);
    const packed = new Uint8Array(gzipSync(`${exact} `));
    const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
    expect((await post(packed, headers)).status).toBe(413);
    expect((await post(new Uint8Array(gzipSync(exact)), headers)).status).toBe(200);
  });

  test('KIT-4 with more than 20,000 members in all is refused, also below 1 MB; quoted ones do not count', async () => {
    expect((await post(values(19_999))).status).toBe(200);
    expect((await post(values(20_001))).status).toBe(413);
    expect((await post(JSON.stringify(Array.from({ length: 7_000 }, () => [[{ a: 1 }]])))).status).toBe(413);
    expect((await post(JSON.stringify({ text: '\\"[{,'.repeat(50_000) }))).status).toBe(200);
    const items = Array.from({ length: 1_000 }, () =>
      Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`m${index}`, index])),
    );
    expect((await post(JSON.stringify({ items }))).status).toBe(200);
  });

  test('KIT-5 that is no UTF-8 is MALFORMED, a byte order mark is not', async () => {
    const bytes = (text: string): Uint8Array<ArrayBuffer> => new Uint8Array(Buffer.from(text, 'latin1'));
    for (const wrong of ['{"a":"\xff"}', '{"a":"\xed\xa0\x80"}', '{"a":"\xc0\xaf"}']) {
      const response = await post(bytes(wrong));
      expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([400, 'MALFORMED']);
    }
    expect((await post(bytes('\xef\xbb\xbf{"a":1}'))).status).toBe(200);
    expect((await post('{}', { 'content-type': 'application/json; charset=UTF-8' })).status).toBe(200);
    expect((await post('{}', { 'content-type': 'application/json; charset=utf-16le' })).status).toBe(400);
  });
});

describe('odd requests', () => {
  test('KIT-6 OPTIONS is an unknown method', async () => {
    const response = await fetch(`${base}/api/echo`, { method: 'OPTIONS' });
    expect([response.status, response.headers.get('allow')]).toEqual([404, null]);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
  });

  test('KIT-7 a broken escape in a path stands for itself; the query and whole escapes stay', async () => {
    const read = async (path: string): Promise<unknown> => (await fetch(`${base}/api/things/${path}`)).json();
    expect(await read('%ff?x=%41')).toEqual({ id: '%ff', query: { x: 'A' } });
    expect(await read('%E0%A4%A')).toEqual({ id: '%E0%A4%A', query: {} });
    expect(await read('%41%2F')).toEqual({ id: 'A/', query: {} });
  });

  test('KIT-8 a path that begins with two slashes is NOT_FOUND', async () => {
    for (const path of ['//api/echo', '//', '///x'])
      expect([path, (await fetch(`${base}${path}`)).status]).toEqual([path, 404]);
  });
});
