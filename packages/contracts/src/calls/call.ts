import type { Action } from '@zakup/domain/permissions';
import { z } from 'zod';
import { momentSchema } from '../moment.ts';
import { positionSchema, revisionSchema } from '../position.ts';
import type { ProblemCode } from '../problems.ts';
import { revisionQuery } from '../requests/queries.ts';

/** The table of calls is made of these; what is served, documented and tested is compared with it. */

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** `/placements/{id}`: below `/api`, ids in braces. */
export type CallPath = `/${string}`;
export type CallKey = `${Method} ${CallPath}`;

/** Whose token it takes: nobody's, a person's, the platform admin's. */
export type Realm = 'open' | 'person' | 'admin';

/** What a success looks like: a read, a change, a change of no single entity, one outside the log of a licence, or a file. */
export type Envelope = 'read' | 'change' | 'change_of_many' | 'unkeyed' | 'file';

export type ReplyDataSchema = z.ZodObject | z.ZodUnion<readonly z.ZodObject[]>;

export interface Call {
  readonly method: Method;
  readonly path: CallPath;
  /** Heading under which it is listed. */
  readonly group: string;
  /** What it is for, in a phrase. */
  readonly summary: string;
  readonly realm: Realm;
  /** Any of these opens it; none = the realm is enough. Which entity it is about may narrow it further. */
  readonly rights: readonly Action[];
  /** Also open to a session that may only change its password. */
  readonly oneTimePassword: boolean;
  /** Also open to a key: any that is in force where it is a GET, else one that may write. */
  readonly keys: boolean;
  readonly service: 'command' | 'gateway';
  /** Ids in the path. */
  readonly params: z.ZodObject;
  /** Query members; others are refused, except `after` and `at` where they are taken. */
  readonly query: z.ZodObject;
  /** Null = no body is looked at. */
  readonly body: z.ZodType | null;
  /** The reply's `data`, one of several shapes where what was asked for is not there yet; of a file it says nothing. */
  readonly data: ReplyDataSchema;
  /** Members of `data` that the reply repeats at its top level. */
  readonly top: readonly string[];
  readonly envelope: Envelope;
  readonly idempotencyKey: boolean;
  readonly baseRevision: 'body' | 'query' | null;
  /** Its entity may have no event yet: where nothing was appended either, the reply carries no revision. */
  readonly mayBeUnwritten: boolean;
  /** Waits for `?after=<position>`. */
  readonly after: boolean;
  /** Answers `?at=<position or time>` as everything was then. */
  readonly at: boolean;
  /** What it may refuse with. */
  readonly problems: readonly ProblemCode[];
}

const idsOf = (path: string): readonly string[] => [...path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => name);

const paramsOf = (path: string): z.ZodObject =>
  z.object(Object.fromEntries(idsOf(path).map((name) => [name, z.string().min(1)])));

const nothing = z.object({});

/** What may happen to every call. */
const always: readonly ProblemCode[] = ['INTERNAL', 'UNAVAILABLE'];
const person: readonly ProblemCode[] = ['UNAUTHENTICATED', 'ACCESS_DENIED', 'LICENSE_INACTIVE'];
const reading: readonly ProblemCode[] = ['VALIDATION_FAILED'];
const sending: readonly ProblemCode[] = ['MALFORMED', 'TOO_LARGE', 'VALIDATION_FAILED'];

type Described = Omit<Call, 'method' | 'path' | 'group' | 'params'>;

const merged = (...codes: readonly (readonly ProblemCode[])[]): readonly ProblemCode[] => [...new Set(codes.flat())];

interface Told {
  readonly summary: string;
  readonly data?: ReplyDataSchema;
  readonly problems?: readonly ProblemCode[];
  /** It is about sessions, what people sign in with, keys, or what they are paid by. */
  readonly closedToKeys?: true;
}

/** A person's GET. */
export const read = (
  rights: readonly Action[],
  told: Told & {
    readonly query?: z.ZodObject;
    readonly top?: readonly string[];
    readonly oneTimePassword?: true;
    readonly at?: true;
  },
): Described => ({
  summary: told.summary,
  realm: 'person',
  rights,
  oneTimePassword: told.oneTimePassword ?? false,
  keys: told.closedToKeys !== true,
  service: 'gateway',
  query: told.query ?? nothing,
  body: null,
  data: told.data ?? nothing,
  top: told.top ?? [],
  envelope: 'read',
  idempotencyKey: false,
  baseRevision: null,
  mayBeUnwritten: false,
  after: true,
  at: told.at ?? false,
  problems: merged(
    person,
    told.oneTimePassword === true ? [] : ['PASSWORD_CHANGE_REQUIRED'],
    ['RATE_LIMITED'],
    reading,
    told.problems ?? [],
    always,
  ),
});

/** A person's command. */
export const change = (
  rights: readonly Action[],
  told: Told & {
    readonly body?: z.ZodType;
    readonly query?: z.ZodObject;
    readonly baseRevision?: 'body' | 'query';
    readonly ofMany?: true;
    readonly mayBeUnwritten?: true;
  },
): Described => ({
  summary: told.summary,
  realm: 'person',
  rights,
  oneTimePassword: false,
  keys: told.closedToKeys !== true,
  service: 'command',
  query: told.query ?? (told.baseRevision === 'query' ? revisionQuery : nothing),
  body: told.body ?? null,
  data: told.data ?? nothing,
  top: [],
  envelope: told.ofMany === true ? 'change_of_many' : 'change',
  idempotencyKey: true,
  baseRevision: told.baseRevision ?? null,
  mayBeUnwritten: told.mayBeUnwritten ?? false,
  after: false,
  at: false,
  problems: merged(
    person,
    ['PASSWORD_CHANGE_REQUIRED', 'RATE_LIMITED'],
    sending,
    ['PAYLOAD_MISMATCH'],
    told.baseRevision === undefined ? [] : ['CONFLICT'],
    told.problems ?? [],
    always,
  ),
});

/** What is not a command of a person: signing in and out, activation, own sessions, the admin's changes. */
export const unkeyed = (
  realm: Realm,
  told: Told & { readonly body?: z.ZodType; readonly oneTimePassword?: true; readonly rights?: readonly Action[] },
): Described => ({
  summary: told.summary,
  realm,
  rights: told.rights ?? [],
  oneTimePassword: told.oneTimePassword ?? false,
  keys: false,
  service: 'command',
  query: nothing,
  body: told.body ?? null,
  data: told.data ?? nothing,
  top: [],
  envelope: 'unkeyed',
  idempotencyKey: false,
  baseRevision: null,
  mayBeUnwritten: false,
  after: false,
  at: false,
  problems: merged(
    realm === 'open' ? [] : ['UNAUTHENTICATED'],
    // A key is refused here, and too many that are none are not looked at.
    realm === 'person' ? ['ACCESS_DENIED', 'RATE_LIMITED'] : [],
    realm === 'person' && told.oneTimePassword !== true ? ['PASSWORD_CHANGE_REQUIRED'] : [],
    sending,
    told.problems ?? [],
    always,
  ),
});

/** A GET of the admin's realm. */
export const adminRead = (told: Told): Described => ({
  ...read([], told),
  realm: 'admin',
  keys: false,
  problems: merged(['UNAUTHENTICATED'], reading, told.problems ?? [], always),
});

/** A GET that answers a file to anybody. */
export const file = (told: Told): Described => ({
  ...read([], told),
  realm: 'open',
  keys: false,
  envelope: 'file',
  after: false,
  problems: merged(told.problems ?? [], always),
});

/** A person's GET that answers a file. */
export const download = (
  rights: readonly Action[],
  told: Told & { readonly query?: z.ZodObject; readonly at?: true },
): Described => ({
  ...read(rights, told),
  envelope: 'file',
});

/** The calls of one heading; method and path are the key. */
export const callsOf = <Key extends CallKey>(
  group: string,
  described: Readonly<Record<Key, Described>>,
): Readonly<Record<Key, Call>> =>
  Object.fromEntries(
    Object.entries<Described>(described).map(([key, call]) => {
      const [method, path] = key.split(' ') as [Method, CallPath];
      const params = paramsOf(path);
      const problems = idsOf(path).length > 0 ? merged(call.problems, ['NOT_FOUND']) : call.problems;
      return [key, { ...call, method, path, group, params, problems }];
    }),
  ) as Record<Key, Call>;

const success = { success: z.literal(true), error: z.null() };
const commandId = z.uuid();

/** The whole reply of a success; nothing else is in it. Of a file: any object. */
export const replySchemaOf = ({ envelope, data, top, at, mayBeUnwritten }: Call): z.ZodType => {
  switch (envelope) {
    case 'read':
      return z.strictObject({
        ...success,
        data,
        position: positionSchema,
        ...(at && { at: momentSchema.optional() }),
        ...(data instanceof z.ZodObject &&
          Object.fromEntries(top.map((name) => [name, data.shape[name] as z.ZodType]))),
      });
    case 'change':
      return z.strictObject({
        ...success,
        data,
        position: positionSchema,
        revision: mayBeUnwritten ? revisionSchema.optional() : revisionSchema,
        commandId,
      });
    case 'change_of_many':
      return z.strictObject({ ...success, data, position: positionSchema, commandId });
    case 'unkeyed':
      return z.strictObject({
        ...success,
        data,
        position: positionSchema.optional(),
        revision: revisionSchema.optional(),
        commandId: commandId.optional(),
      });
    case 'file':
      return z.looseObject({});
  }
};
