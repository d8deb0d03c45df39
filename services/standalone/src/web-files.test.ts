import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, get, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { listening } from '@zakup/service-kit/listening';
import express from 'express';
import { afterEach, describe, expect, test } from 'vitest';
import { packedFiles } from './packed-files.ts';
import { webFiles } from './web-files.ts';

const script = `export const text = '${'почти одно и то же '.repeat(2_000)}';\n`;
const page = `<!doctype html><title>Zakup</title>${'<p>text</p>'.repeat(500)}`;

const ended: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

/** The files of an app, served; `packed` tells how many times something was packed. */
const served = async (most?: number) => {
  const dist = await mkdtemp(join(tmpdir(), 'zakup-web-'));
  ended.push(() => rm(dist, { recursive: true, force: true }));
  await mkdir(join(dist, 'assets'));
  const write = (path: string, content: string): Promise<void> => writeFile(join(dist, path), content);
  await write('assets/app-12345678.js', script);
  await write('assets/small-12345678.js', 'export {};');
  await write('index.html', page);
  await write('.hidden.js', script);
  let packings = 0;
  const packed = packedFiles({
    ...(most !== undefined && { most }),
    packs: async (content, encoding) => {
      packings += 1;
      return encoding === 'br' ? brotliCompressSync(content) : gzipSync(content);
    },
  });
  const server = createServer(express().use(webFiles(dist, packed)));
  const address = await listening(server, { port: 0, host: '127.0.0.1' });
  ended.push(() => new Promise((resolve) => server.close(resolve)));
  const ask = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await new Promise<{ status: number; headers: IncomingHttpHeaders; body: Buffer }>(
      (resolve, reject) => {
        get(`${address}${path}`, { headers, agent: false }, (response) => {
          buffer(response).then(
            (body) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body }),
            reject,
          );
        }).once('error', reject);
      },
    );
    return answer;
  };
  return { ask, write, packings: () => packings };
};

const gzipped = { 'Accept-Encoding': 'gzip' };
const both = { 'Accept-Encoding': 'gzip, deflate, br' };

describe('the files of the web app', () => {
  test('TAT-3055 fifty who ask at once for a file, and all who come later, cost one packing for each encoding', async () => {
    const { ask, packings } = await served();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/assets/app-12345678.js', gzipped)));
    for (const { headers, body } of answers)
      expect([headers['content-encoding'], gunzipSync(body).toString()]).toEqual(['gzip', script]);
    await ask('/assets/app-12345678.js', gzipped);
    expect(packings()).toBe(1);
    const { headers, body } = await ask('/assets/app-12345678.js', both);
    expect([headers['content-encoding'], brotliDecompressSync(body).toString()]).toEqual(['br', script]);
    expect(packings()).toBe(2);
  });

  test.each([
    ['/assets/app-12345678.js', 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8'],
    ['/index.html', 'public, max-age=0', 'text/html; charset=utf-8'],
    ['/campaigns/one', 'no-cache', 'text/html; charset=utf-8'],
  ])(
    'TAT-3056 %s has packed the headers that it has unpacked, and is not sent again to who has it',
    async (path, cache, type) => {
      const { ask, packings } = await served();
      const plain = await ask(path, { 'Accept-Encoding': 'identity' });
      const packed = await ask(path, both);
      expect([plain.status, packed.status]).toEqual([200, 200]);
      const wanted = {
        'cache-control': cache,
        'content-type': type,
        vary: 'Accept-Encoding',
        'accept-ranges': 'bytes',
      };
      for (const { headers } of [plain, packed]) expect(headers).toMatchObject(wanted);
      expect(plain.headers['content-encoding']).toBeUndefined();
      for (const name of ['etag', 'last-modified'] as const) expect(packed.headers[name]).toBe(plain.headers[name]);
      const again = await ask(path, { ...both, 'If-None-Match': packed.headers.etag ?? '' });
      expect([again.status, again.body.length, packings()]).toEqual([304, 0, 1]);
    },
  );

  test('TAT-3057 a file that has changed on disk is packed anew', async () => {
    const { ask, write, packings } = await served();
    await ask('/campaigns', gzipped);
    await write('index.html', `${page}<p>more</p>`);
    const { body } = await ask('/campaigns', gzipped);
    expect([gunzipSync(body).toString(), packings()]).toEqual([`${page}<p>more</p>`, 2]);
  });

  test('TAT-3058 what is kept stays within its bound', async () => {
    const { ask, packings } = await served(10);
    for (let time = 0; time < 3; time += 1)
      expect(gunzipSync((await ask('/campaigns', gzipped)).body).toString()).toBe(page);
    expect(packings()).toBe(3);
  });

  test('TAT-3059 what is small or asked for in part is sent as it is; what is hidden, above the folder, or not there, is not sent', async () => {
    const { ask, packings } = await served();
    const small = await ask('/assets/small-12345678.js', both);
    expect([small.headers['content-encoding'], small.body.toString()]).toEqual([undefined, 'export {};']);
    const part = await ask('/assets/app-12345678.js', { ...both, Range: 'bytes=0-5' });
    expect([part.status, part.headers['content-encoding'], part.body.toString()]).toEqual([206, undefined, 'export']);
    for (const path of ['/assets/..%2findex.html', '/assets/..%2f.hidden.js', '/assets/none.js', '/assets/%ff.js'])
      expect((await ask(path, both)).body.toString()).not.toContain('export');
    const hidden = await ask('/.hidden.js', { 'Accept-Encoding': 'identity' });
    expect(hidden.body.toString()).toBe(page);
    expect(packings()).toBe(0);
  });
});
