import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { callNames, calls } from '@zakup/contracts/calls/calls';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { referenceFiles } from '../../scripts/reference/reference-files.ts';
import { textOf } from '../architecture/repository-files.ts';
import { type WholeApi, wholeApi } from './whole-api.ts';

type Json = { readonly [name: string]: Json } & readonly Json[] & (string | number | boolean | null);

/** Every value in a document with the names on the way to it. */
const valuesIn = function* (
  value: unknown,
  way: readonly string[] = [],
): Generator<readonly [readonly string[], unknown]> {
  yield [way, value];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, member] of Object.entries(value)) yield* valuesIn(member, [...way, name]);
};

const isPattern = (text: string): boolean => {
  try {
    return new RegExp(text, 'u').source === text && !/\/[a-z]*$/u.test(text);
  } catch {
    return false;
  }
};

describe('the description of the calls', () => {
  let api: WholeApi;
  beforeAll(async () => {
    api = await wholeApi();
  });
  afterAll(() => api.close());

  const get = async (path: string) => {
    const response = await fetch(`${api.address}${path}`);
    return { status: response.status, headers: response.headers, text: await response.text() };
  };

  /** `fetch` asks past every cache as soon as it is given a condition. */
  const statusWith = async (path: string, etag: string): Promise<number | undefined> => {
    const asked = request(`${api.address}${path}`, { headers: { 'if-none-match': etag } }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };

  test('OAPI-1 docs/reference is what the table makes (npm run openapi)', async () => {
    const stale = (await referenceFiles(textOf)).filter(({ path, text }) => textOf(path) !== text);
    expect(stale.map(({ path }) => path)).toEqual([]);
  });

  test('OAPI-2 is answered to everybody, in OpenAPI 3.1, as it is in docs/reference', async () => {
    const { status, headers, text } = await get('/api/openapi.json');
    expect([status, headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const document: unknown = JSON.parse(text);
    expect(document).toEqual(JSON.parse(textOf('docs/reference/openapi.json')));
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/api' }] });
  });

  test('OAPI-3 has every call under a name of its own, no dangling reference and no pattern that is none', () => {
    const document = JSON.parse(textOf('docs/reference/openapi.json')) as Json;
    const operations = callNames.map(
      (name) => document['paths']?.[calls[name].path]?.[calls[name].method.toLowerCase()],
    );
    const ids = operations.map((operation) => operation?.['operationId']);
    expect(ids).not.toContain(undefined);
    expect(new Set(ids).size).toBe(callNames.length);
    const faults = [...valuesIn(document)].flatMap(([way, value]) => {
      const last = way.at(-1);
      if (typeof value !== 'string' || (last !== '$ref' && last !== 'pattern')) return [];
      if (last === 'pattern') return isPattern(value) ? [] : [value];
      const target = value.replace('#/', '').split('/');
      return target.reduce<Json | undefined>((at, name) => at?.[name], document) === undefined ? [value] : [];
    });
    expect(faults).toEqual([]);
  });

  test('OAPI-4 the page brings all of itself, with nothing inline and nothing from elsewhere', async () => {
    const { status, headers, text } = await get('/api/docs');
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("script-src 'self';");
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(text).toContain('<html lang="ru">');
    expect(text).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/u);
    const files = [...text.matchAll(/(?:src|href)="([^"]+)"/gu)].map(([, file = '']) => file);
    expect(files).toContain('/api/docs/swagger-ui-bundle.js');
    for (const file of files) {
      const answered = await get(file);
      expect([file, answered.status, answered.text.length > 50]).toEqual([file, 200, true]);
    }
  });

  test('OAPI-1060 whoever has the description, the page or one of its files is not sent it again', async () => {
    const paths = ['openapi.json', 'docs', 'docs/start.js', 'docs/page.css', 'docs/swagger-ui-bundle.js'];
    for (const path of paths.map((name) => `/api/${name}`)) {
      const etag = (await get(path)).headers.get('etag') ?? '';
      expect([path, await statusWith(path, etag), await statusWith(path, '"another"')]).toEqual([path, 304, 200]);
    }
  });

  test('OAPI-5 of the package only what the page asks for is served', async () => {
    for (const file of ['package.json', 'index.html', 'swagger-initializer.js', 'none.js', '..%2fpackage.json', '%00'])
      expect([file, (await get(`/api/docs/${file}`)).status]).toEqual([file, 404]);
  });
});
