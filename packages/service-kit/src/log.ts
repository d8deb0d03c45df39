import { pino, type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

/** From the one that says most to the one that says nothing. */
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const secretNames = [
  'accessToken',
  'activationCode',
  'adminPassword',
  'authCode',
  'authorization',
  'ceoLoginCode',
  'code',
  'cookie',
  'currentPassword',
  'jwtSecret',
  'licenseKey',
  'newPassword',
  'password',
  'passwordHash',
  'pendingCode',
  'refreshToken',
  'secret',
  'set-cookie',
  'telegramBotToken',
  'temporaryPassword',
  'ticket',
  'token',
];
const hidden = '[скрыто]';
const secretMembers = new Set(secretNames.map((name) => name.toLowerCase()));
const deepest = 8;
const keySecret = /zk_[\w-]{16,}/gu;

/** Without secrets of keys, which may stand where nobody expects one, as in a path. */
export const withoutKeys = (text: string): string => (text.includes('zk_') ? text.replaceAll(keySecret, hidden) : text);

function isPlain(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** A copy in which every member with a secret's name, at any depth, and every secret of a key in a text, reads `[скрыто]`. Instances of classes are kept as they are. */
export function redacted(value: unknown, depth = 0): unknown {
  if (depth > deepest) return '[глубже не показано]';
  if (Array.isArray(value)) return value.map((item) => redacted(item, depth + 1));
  if (typeof value === 'string') return withoutKeys(value);
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      secretMembers.has(name.toLowerCase()) && member !== undefined ? hidden : redacted(member, depth + 1),
    ]),
  );
}

/** An error as the log has it: only what tells where it broke; other members (a body parser's keeps the whole body) stay out. */
export function loggedError(error: unknown): unknown {
  if (!(error instanceof Error)) return redacted(error);
  const { name, message, stack, cause } = error;
  const errorCode = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  return {
    name,
    message: withoutKeys(message),
    stack: stack === undefined ? undefined : withoutKeys(stack),
    errorCode,
    cause: cause === undefined ? undefined : loggedError(cause),
  };
}

export interface LogOptions {
  /** `silent` for tests. */
  readonly level: LogLevel;
  /** Bound to every line, for example `{ service: 'gateway' }`. */
  readonly bindings?: Readonly<Record<string, unknown>>;
  /** Default: standard output. */
  readonly destination?: DestinationStream;
}

/** JSON lines with an ISO time, without secrets. Errors go under `err`. */
export function jsonLog({ level, bindings = {}, destination }: LogOptions): Log {
  const asObject = (value: Record<string, unknown>) => redacted(value) as Record<string, unknown>;
  const options = {
    level,
    base: bindings,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: asObject, bindings: asObject },
    // A child's bindings pass through serializers only, not through formatters.
    serializers: { ...Object.fromEntries(secretNames.map((name) => [name, () => hidden])), err: loggedError },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
