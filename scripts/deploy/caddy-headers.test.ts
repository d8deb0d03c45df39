import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { securityHeaders } from '@zakup/service-kit/security';
import express from 'express';
import { describe, expect, test } from 'vitest';
import { caddyHeaders } from './caddy-headers.ts';

const scriptHashes = ['sha256-one=', 'sha256-two='];
const own = new Set(['date', 'connection', 'keep-alive', 'content-length', 'content-type', 'x-powered-by', 'etag']);

/** What a page of the single-process edition is answered with. */
async function answered(https: boolean): Promise<Readonly<Record<string, string>>> {
  const app = express().use(securityHeaders({ https, scriptHashes }), (_request, response) => void response.end());
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const { headers } = await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: 'close' } });
  server.close();
  return Object.fromEntries([...headers].filter(([name]) => !own.has(name)));
}

const setBy = (matcher: string, text: string): Readonly<Record<string, string>> => {
  const block = new RegExp(`^header ${matcher} \\{\\n([^}]*)\\n\\}$`, 'mu').exec(text)?.[1] ?? '';
  return Object.fromEntries(
    block.split('\n').map((line) => {
      const [, name = '', value = ''] = /^\t(\S+) "([^"]*)"$/u.exec(line) ?? [];
      return [name, value];
    }),
  );
};

describe('headers of the page behind Caddy', () => {
  test.each([
    ['@https', true],
    ['@http', false],
  ])('DEP-1 %s: those of the single-process edition, hashes of scripts too', async (matcher, https) => {
    const set = setBy(matcher, caddyHeaders(scriptHashes));
    expect(set).toEqual(await answered(https));
    expect(set['content-security-policy']).toContain("'sha256-one=' 'sha256-two='");
  });

  test('DEP-2 only PUBLIC_URL chooses between the two', () => {
    const matchers = caddyHeaders([]).match(/^@.*$/gmu);
    expect(matchers).toEqual([
      '@https expression `{env.PUBLIC_URL}.startsWith("https://")`',
      '@http expression `!{env.PUBLIC_URL}.startsWith("https://")`',
    ]);
  });
});
