import * as fc from 'fast-check';

const deep = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

const small: readonly unknown[] = [
  '',
  ' ',
  '\0',
  '\ud800',
  'NaN',
  'Infinity',
  '-Infinity',
  '-0',
  '0x10',
  '1e999',
  '٣',
  '𝟙',
  'ⅠⅡ',
  'аdmin',
  '\u202e\u200b',
  '__proto__',
  'constructor',
  '../..',
  'x~y',
  "' OR 1=1 --",
  '=1+1',
  '${7*7}',
  'null',
  '[object Object]',
  '2026-02-30',
  '+275760-09-13T00:00:00.001Z',
  1e308,
  -1e308,
  -0,
  2 ** 53,
  -1,
  0.1 + 0.2,
  1e-300,
  true,
  false,
  null,
  [],
  [[]],
  ['x'],
  {},
  { $ne: null },
  { toString: 'x' },
  { length: 5 },
  { 0: 'x', length: 1 },
  { userId: { userId: 'x' } },
];

const huge: readonly unknown[] = [
  'x'.repeat(100_000),
  '@'.repeat(100_000),
  `x@${'.a'.repeat(50_000)}@`,
  '1 '.repeat(50_000),
  '['.repeat(50_000),
  '\u0301'.repeat(30_000),
  Array.from({ length: 3000 }, () => null),
  Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`k${index}`, true])),
];

/** What no member is meant to be. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: fc.constantFrom(...small), weight: 32 },
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 7 },
  { arbitrary: fc.constantFrom(...huge), weight: 1 },
);

/** What is no JSON object at all, or hides something in it. */
export const hostileText: fc.Arbitrary<string> = fc.constantFrom(
  '{',
  '{"a":',
  'null',
  '5',
  '"x"',
  'NaN',
  '{"a":NaN}',
  '{"a":Infinity}',
  '{"a":1e9999}',
  '\ufeff{}',
  '\0',
  deep(33),
  deep(100_000),
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{"x":1}}}',
  '{"a":1,"a":2}',
  `{"a":"${'x'.repeat(1_100_000)}"}`,
);

export const hostileType: fc.Arbitrary<string> = fc.constantFrom(
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'application/jsonx',
  'application/json, text/plain',
  'json',
);

/** As it stands in the path. */
export const hostileId: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }).map((text) => encodeURIComponent(text)),
  fc.constantFrom(
    'none',
    '%00',
    '%2e%2e%2f',
    'a~b',
    '-1',
    '__proto__',
    'constructor',
    '%F0%28',
    '%',
    'x'.repeat(3000),
    '0123456789abcdef01234567',
    ';',
    '%23%3F',
    '%20',
    '[]',
  ),
);

/** As it stands behind the question mark. */
export const hostileQuery: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    'x=1',
    '=',
    '&&&',
    '__proto__=1',
    '__proto__[x]=1',
    'constructor[prototype][x]=1',
    'toString=1',
    'after=-1',
    'after=NaN',
    'after=1e3',
    'after=99999999999999999999',
    'after=9007199254740991',
    'after=1&after=2',
    'after[]=1',
    'after[a]=1',
    'baseRevision=-1',
    'baseRevision=1.5',
    'baseRevision=0&baseRevision=1',
    'baseRevision[x]=1',
    'page=0',
    'page=-1',
    'page=99999999999',
    'pageSize=501',
    'pageSize=1e2',
    'sortBy=password',
    'sortBy=__proto__',
    'sortOrder=up',
    'dateFrom=2026-02-30',
    'priceFrom=1e999',
    'search[]=x',
    'buyerId=',
    'includeInactive=1',
    'reveal=TRUE',
    '%',
    '%F0%28=x',
    'a=%00',
    `x=${'y'.repeat(6000)}`,
    Array.from({ length: 1500 }, (_, index) => `k${index}=`).join('&'),
    `${'a['.repeat(100)}x${']'.repeat(100)}=1`,
  ),
  fc.webQueryParameters(),
);

export const hostileHeaders: fc.Arbitrary<Readonly<Record<string, string | string[]>>> = fc.constantFrom<
  Readonly<Record<string, string | string[]>>
>(
  { 'Idempotency-Key': '1' },
  { 'Idempotency-Key': 'x'.repeat(8000) },
  { 'Idempotency-Key': '00000000-0000-0000-0000-00000000000g' },
  { 'X-Request-Id': 'y'.repeat(8000) },
  { Authorization: `Bearer ${'a'.repeat(6000)}.${'b'.repeat(6000)}.c` },
  { Authorization: 'Bearer a.b.c' },
  { Authorization: 'Basic YWRtaW46YWRtaW4=' },
  { Cookie: `zakup_activation=${'z'.repeat(9000)}` },
  { Cookie: 'zakup_activation=%00; zakup_activation=; =' },
  { 'X-Long': 'w'.repeat(20_000) },
  { 'Content-Encoding': 'gzip' },
  { 'Content-Encoding': 'rot13' },
  { Accept: 'text/html', 'Accept-Language': 'x'.repeat(2000) },
  { 'X-Zakup-Source': ['screen', 'undo'] },
  { 'If-None-Match': '*', Range: 'bytes=0-9999999999,-1' },
);

/** One member of a value, by the names on the way to it. */
export type Way = readonly (string | number)[];

/** The ways to every member of a body, the outer ones first. */
export const waysIn = (value: unknown): readonly Way[] => {
  if (typeof value !== 'object' || value === null) return [];
  const names = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  const members = value as Readonly<Record<string | number, unknown>>;
  return names.flatMap((name) => [[name], ...waysIn(members[name]).map((way) => [name, ...way])]);
};

/** A copy in which the member at the end of the way is another. */
export const replacedIn = (value: unknown, [name, ...rest]: Way, by: unknown): unknown => {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === name ? replacedIn(item, rest, by) : item));
  if (typeof value !== 'object' || value === null) return value;
  const members = value as Readonly<Record<string, unknown>>;
  return { ...members, [name]: replacedIn(members[name], rest, by) };
};
