import { hash } from 'node:crypto';

const digest = (text: string): string => hash('sha256', text, 'hex');

const uuidOf = (hex: string): string => {
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`;
};

/** The n-th id that something makes for events or commands, in the form of a UUID. */
export const derivedEventId = (key: string, index: number): string => uuidOf(digest(`${key}#${index}`));

/**
 * Id of an event by the command it comes of, its place and what it says, in the form of a UUID: a command that is decided anew, on other
 * facts, never makes another event of the same id, and a repeat of the very same event has it again.
 */
export const eventIdOf = (
  commandKey: string,
  stream: string,
  revision: number,
  { type, data, at }: { readonly type: string; readonly data: object; readonly at: string },
): string => uuidOf(digest(JSON.stringify([commandKey, stream, revision, type, at, data])));

/** `<entity>-<licenceId>~<id>`: another licence's entity has another stream, so a foreign id is one that does not exist (ROLE-17). */
export const streamOf = (category: string, licenceId: string, id: string): string => `${category}-${licenceId}~${id}`;

/** Hash of a unique value for a reservation's stream name; the value cannot be read back. */
export const valueHash = (value: string): string => digest(value).slice(0, 40);

/** Method, path and body of a request by what they say, however spelled, so that a key used for something else is seen. */
export const requestHashOf = (method: string, path: string, body: unknown): string =>
  digest(`${method} ${canonicalPath(path)}\n${canonicalJson(body ?? null)}`);

const canonicalPath = (path: string): string => {
  const [name = '', ...query] = path.split('?');
  const bare = name.endsWith('/') ? name.slice(0, -1) : name;
  const asked = query.join('?');
  return asked === '' ? bare : `${bare}?${asked}`;
};

/** JSON with the members of objects sorted by name; undefined ones are left out. */
const canonicalJson = (value: unknown): string =>
  JSON.stringify(value, (_name, node: unknown) =>
    typeof node === 'object' && node !== null && !Array.isArray(node)
      ? Object.fromEntries(Object.entries(node).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)))
      : node,
  );
