import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { testStart } from '@zakup/service-kit/testing/started';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startStandalone } from './standalone.ts';

const plain = {
  'content-security-policy': [
    "default-src 'self'",
    "script-src 'self' 'sha256-theme+hash/='",
    "script-src-attr 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(';'),
  'strict-transport-security': null,
  'cross-origin-opener-policy': null,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-permitted-cross-domain-policies': 'none',
  'referrer-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'x-powered-by': null,
  server: null,
  'access-control-allow-origin': null,
} as const;
const https = {
  ...plain,
  'content-security-policy': `${plain['content-security-policy']};upgrade-insecure-requests`,
  'strict-transport-security': 'max-age=31536000',
  'cross-origin-opener-policy': 'same-origin',
} as const;

describe.each([
  ['plain http', {}, plain],
  ['https', { PUBLIC_URL: 'https://zakup.example.org', TRUST_PROXY: '1' }, https],
] as const)('what browsers are told to refuse, by %s', (_said, settings, wanted) => {
  let folder: string;
  let zakup: Awaited<ReturnType<typeof startStandalone>>;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'zakup-headers-'));
    const webDist = join(folder, 'web');
    await mkdir(join(webDist, 'assets'), { recursive: true });
    await writeFile(join(webDist, 'index.html'), '<!doctype html><title>Zakup</title>');
    await writeFile(join(webDist, 'csp.json'), JSON.stringify({ scriptHashes: ['sha256-theme+hash/='] }));
    await writeFile(join(webDist, 'assets', 'app-12345678.js'), 'export {};');
    const dataDir = join(folder, 'data');
    zakup = await startStandalone({ ...testStart({ DATA_DIR: dataDir, ...settings }), webDist });
    await zakup.ready;
  });
  afterAll(async () => {
    await zakup.shutdown.stop('done');
    await rm(folder, { recursive: true, force: true });
  });

  const json = { 'Content-Type': 'application/json' };
  interface Kind {
    readonly kind: string;
    readonly status: number;
    readonly path: string;
    readonly init?: RequestInit;
  }
  const sent = (body: string): RequestInit => ({ method: 'POST', headers: json, body });
  const login = '/api/auth/ceo-login';
  const kinds: readonly Kind[] = [
    { kind: 'the page', status: 200, path: '/' },
    { kind: 'a page of the app', status: 200, path: '/dashboard' },
    { kind: 'an asset', status: 200, path: '/assets/app-12345678.js' },
    { kind: 'an asset that is not there', status: 404, path: '/assets/none.js' },
    { kind: 'a call', status: 200, path: '/api/openapi.json' },
    { kind: 'the page of the calls', status: 200, path: '/api/docs' },
    { kind: 'an unknown path', status: 404, path: '/api/none' },
    { kind: 'a call without a token', status: 401, path: '/api/license' },
    { kind: 'a wrong password', status: 401, path: login, init: sent('{"loginCode":"A","password":"b"}') },
    { kind: 'missing fields', status: 422, path: login, init: sent('{}') },
    { kind: 'broken JSON', status: 400, path: login, init: sent('{') },
    { kind: 'too much', status: 413, path: login, init: sent(`"${'x'.repeat(1_100_000)}"`) },
    {
      kind: 'a preflight',
      status: 404,
      path: '/api/license',
      init: { method: 'OPTIONS', headers: { Origin: 'https://evil.example' } },
    },
    { kind: 'health', status: 200, path: '/healthz' },
    { kind: 'readiness', status: 200, path: '/readyz' },
    { kind: 'metrics', status: 200, path: '/metrics' },
  ];

  test.each(kinds)('SIG-86 $kind ($status) carries every header', async ({ status, path, init = {} }) => {
    const { headers, status: answered } = await fetch(`${zakup.address}${path}`, init);
    const got = Object.fromEntries(Object.keys(wanted).map((name) => [name, headers.get(name)]));
    expect([answered, got]).toEqual([status, wanted]);
  });

  test('SIG-87 a request that is none is turned away without a word about the server', async () => {
    const { hostname, port } = new URL(zakup.address);
    const line = connect(Number(port), hostname);
    line.write('GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n');
    const answer = await text(line);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /u);
    expect(answer).not.toMatch(/node|express|server:/iu);
  });
});
