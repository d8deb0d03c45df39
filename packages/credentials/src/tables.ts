/**
 * Where credentials lie: a few small tables, so that one set of rules serves memory, SQLite and MongoDB. Everything may have to cross a
 * network; an adapter that needs none answers at once.
 */

export type Value = string | number | null;

export interface PasswordRow {
  readonly userId: string;
  readonly licenceId: string;
  readonly temporary: number;
  readonly validUntil: number | null;
  readonly hash: string;
}

export interface SessionRow {
  readonly id: string;
  readonly userId: string;
  readonly licenceId: string;
  readonly via: 'employee' | 'owner' | 'licence' | 'code';
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastSeenAt: number;
  readonly userAgent: string;
  readonly passwordChangeOnly: number;
}

export interface RefreshTokenRow {
  readonly hash: string;
  readonly sessionId: string;
  /** When it was rotated; null for the current one. */
  readonly replacedAt: number | null;
  /** The token that replaced it, sealed with this one. */
  readonly successor: string | null;
}

export interface CodeRow {
  readonly id: string;
  readonly licenceId: string;
  readonly by: 'admin' | 'owner';
  readonly hash: string;
  /** The code, encrypted; null when the admin made it. */
  readonly sealed: string | null;
  readonly madeAt: number;
  readonly expiresAt: number;
  readonly triesLeft: number;
}

export interface TicketRow {
  readonly hash: string;
  readonly licenceId: string;
  readonly expiresAt: number;
}

export interface AdminRow {
  readonly login: string;
  readonly hash: string;
  readonly stamp: string;
}

export interface AdminSessionRow {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly lastSeenAt: number;
}

export interface SecondFactorRow {
  /** A person's id, or the admin as an account. */
  readonly account: string;
  /** Empty for the admin. */
  readonly licenceId: string;
  /** What codes are made of, encrypted. */
  readonly secret: string;
  /** From when on it is asked for; null = no right code was shown yet. */
  readonly since: number | null;
  /** The last step of time whose code was used: it and earlier ones are over. */
  readonly lastStep: number | null;
  /** Hashes of the recovery codes that are left, as a JSON list. */
  readonly recoveryCodes: string;
}

/** A sign-in whose first secret was right, and whose second is to come. */
export interface SignInStepRow {
  /** Of its token. */
  readonly hash: string;
  readonly userId: string;
  readonly licenceId: string;
  readonly via: 'employee' | 'owner' | 'licence' | 'code' | 'admin';
  readonly endOldest: number;
  readonly passwordChangeOnly: number;
  readonly knownDevice: number;
  readonly expiresAt: number;
  /** The second secret was right as well; what was in the way then was a seat. */
  readonly passed: number;
}

export interface TryRow {
  /** Hash of what is counted: an account at a place, an address, an account. */
  readonly key: string;
  /** UTC milliseconds of failures as a JSON list, oldest first. */
  readonly times: string;
}

export interface DeviceRow {
  /** Hash of device and account. */
  readonly key: string;
  /** Hash of the device's token. */
  readonly device: string;
  readonly account: string;
  readonly until: number;
}

export interface ChatRow {
  /** Of the messenger, lower case, without `@`. */
  readonly handle: string;
  readonly chat: string;
}

/** The last seal of a licence's history. */
export interface SealHeadRow {
  readonly licenceId: string;
  readonly number: number;
  readonly hash: string;
  readonly position: number;
}

/** What a person took along: counted, or to be told to the log (`isCounted`). */
export interface TakingRow {
  readonly key: string;
  readonly licenceId: string;
  readonly userId: string;
  readonly what: string;
  readonly since: number;
  readonly until: number;
  readonly count: number;
  /** JSON lists of texts. */
  readonly names: string;
  readonly networks: string;
  /** When something is to be done about it, and how long after that again. */
  readonly due: number;
  readonly pause: number;
}

/** A sign-in of the admin, or refused tries from one network. */
export interface AdminEntryRow {
  readonly key: string;
  readonly outcome: 'in' | 'refused';
  readonly since: number;
  readonly until: number;
  readonly count: number;
  readonly network: string;
}

export interface ApiKeyRow {
  readonly id: string;
  readonly licenceId: string;
  readonly name: string;
  readonly access: 'read' | 'write';
  readonly prefix: string;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  /** Of the secret. */
  readonly hash: string;
}

export interface WebhookRow {
  readonly id: string;
  readonly licenceId: string;
  readonly createdBy: string;
  readonly createdAt: number;
  /** Encrypted, as the secret is. */
  readonly url: string;
  readonly secret: string;
  /** A JSON list of texts. */
  readonly events: string;
  readonly campaignId: string | null;
  readonly status: 'active' | 'paused' | 'failing';
  readonly version: number;
  readonly position: number;
  readonly waiting: number;
  /** As JSON. */
  readonly lastDelivery: string | null;
}

export interface DeliveryRow {
  /** Webhook and position. */
  readonly key: string;
  readonly webhookId: string;
  readonly position: number;
  readonly eventId: string;
  readonly stream: string;
  readonly revision: number;
  readonly type: string;
  readonly entity: string;
  /** A JSON list, oldest first. */
  readonly tries: string;
  readonly failures: number;
  readonly since: number | null;
  readonly due: number | null;
}

export interface Rows {
  readonly passwords: PasswordRow;
  readonly sessions: SessionRow;
  readonly refreshTokens: RefreshTokenRow;
  readonly codes: CodeRow;
  readonly tickets: TicketRow;
  readonly admins: AdminRow;
  readonly adminSessions: AdminSessionRow;
  readonly secondFactors: SecondFactorRow;
  readonly signInSteps: SignInStepRow;
  readonly tries: TryRow;
  readonly devices: DeviceRow;
  readonly chats: ChatRow;
  readonly sealHeads: SealHeadRow;
  readonly takings: TakingRow;
  readonly adminEntries: AdminEntryRow;
  readonly apiKeys: ApiKeyRow;
  readonly webhooks: WebhookRow;
  readonly deliveries: DeliveryRow;
}

export interface TableShape<Row> {
  /** Column of the primary key. */
  readonly key: keyof Row & string;
  readonly columns: readonly (keyof Row & string)[];
  /** Columns that `by` may name. */
  readonly indexed: readonly (keyof Row & string)[];
}

export const tableShapes: { readonly [Name in keyof Rows]: TableShape<Rows[Name]> } = {
  passwords: { key: 'userId', columns: ['userId', 'licenceId', 'temporary', 'validUntil', 'hash'], indexed: [] },
  sessions: {
    key: 'id',
    columns: [
      'id',
      'userId',
      'licenceId',
      'via',
      'createdAt',
      'expiresAt',
      'lastSeenAt',
      'userAgent',
      'passwordChangeOnly',
    ],
    indexed: ['userId', 'licenceId'],
  },
  refreshTokens: { key: 'hash', columns: ['hash', 'sessionId', 'replacedAt', 'successor'], indexed: ['sessionId'] },
  codes: {
    key: 'id',
    columns: ['id', 'licenceId', 'by', 'hash', 'sealed', 'madeAt', 'expiresAt', 'triesLeft'],
    indexed: ['licenceId'],
  },
  tickets: { key: 'hash', columns: ['hash', 'licenceId', 'expiresAt'], indexed: ['licenceId'] },
  admins: { key: 'login', columns: ['login', 'hash', 'stamp'], indexed: [] },
  adminSessions: { key: 'id', columns: ['id', 'createdAt', 'expiresAt', 'lastSeenAt'], indexed: [] },
  secondFactors: {
    key: 'account',
    columns: ['account', 'licenceId', 'secret', 'since', 'lastStep', 'recoveryCodes'],
    indexed: ['licenceId'],
  },
  signInSteps: {
    key: 'hash',
    columns: [
      'hash',
      'userId',
      'licenceId',
      'via',
      'endOldest',
      'passwordChangeOnly',
      'knownDevice',
      'expiresAt',
      'passed',
    ],
    indexed: ['userId'],
  },
  tries: { key: 'key', columns: ['key', 'times'], indexed: [] },
  devices: { key: 'key', columns: ['key', 'device', 'account', 'until'], indexed: ['device', 'account'] },
  chats: { key: 'handle', columns: ['handle', 'chat'], indexed: [] },
  sealHeads: { key: 'licenceId', columns: ['licenceId', 'number', 'hash', 'position'], indexed: [] },
  takings: {
    key: 'key',
    columns: ['key', 'licenceId', 'userId', 'what', 'since', 'until', 'count', 'names', 'networks', 'due', 'pause'],
    indexed: [],
  },
  adminEntries: { key: 'key', columns: ['key', 'outcome', 'since', 'until', 'count', 'network'], indexed: [] },
  apiKeys: {
    key: 'id',
    columns: ['id', 'licenceId', 'name', 'access', 'prefix', 'createdAt', 'expiresAt', 'lastUsedAt', 'hash'],
    indexed: ['licenceId', 'hash'],
  },
  webhooks: {
    key: 'id',
    columns: [
      'id',
      'licenceId',
      'createdBy',
      'createdAt',
      'url',
      'secret',
      'events',
      'campaignId',
      'status',
      'version',
      'position',
      'waiting',
      'lastDelivery',
    ],
    indexed: ['licenceId', 'status'],
  },
  deliveries: {
    key: 'key',
    columns: [
      'key',
      'webhookId',
      'position',
      'eventId',
      'stream',
      'revision',
      'type',
      'entity',
      'tries',
      'failures',
      'since',
      'due',
    ],
    indexed: ['webhookId'],
  },
};

/** What is made of each table, by its name: the caller says of each what it is. */
export const ofEachTable = (
  make: <Name extends keyof Rows>(name: Name, shape: TableShape<Rows[Name]>) => unknown,
): Readonly<Record<keyof Rows, unknown>> =>
  Object.fromEntries(
    (Object.keys(tableShapes) as (keyof Rows)[]).map((name) => [name, make(name, tableShapes[name] as never)]),
  ) as Record<keyof Rows, unknown>;

export interface ReadableTable<Row> {
  get(key: string): Promise<Row | undefined>;
  /** Rows whose indexed column has the value. */
  by(column: keyof Row & string, value: string): Promise<readonly Row[]>;
  all(): Promise<readonly Row[]>;
}

export interface WritableTable<Row> extends ReadableTable<Row> {
  /** Adds the row or replaces the one with its key. */
  put(row: Row): Promise<void>;
  remove(key: string): Promise<void>;
  /** Removes the rows whose indexed column has the value. */
  removeBy(column: keyof Row & string, value: string): Promise<void>;
}

export type ReadableTables = { readonly [Name in keyof Rows]: ReadableTable<Rows[Name]> };
export type WritableTables = { readonly [Name in keyof Rows]: WritableTable<Rows[Name]> };

/** What wants to hear of sessions that other processes write; it may hear of this process's own as well, and of one change twice. */
export interface SessionWatcher {
  /**
   * Called when a reading of all session rows begins; the answer takes them. Rows that were known when it began and are not among them
   * have ended.
   */
  reading(): (rows: readonly SessionRow[]) => void;
  put(row: SessionRow): void;
  removed(sessionId: string): void;
}

export interface SessionWatch {
  /** Whether the watcher has heard of every change that is older than a second. */
  isExact(): boolean;
  stop(): void;
}

/** Writing goes through transactions; what is read outside one is committed, and never half of a transaction. */
export type Tables = ReadableTables & {
  /**
   * All of the work's writes or, when it throws, none; durable when it resolves. The work must use the tables that it is given, and may
   * run several times, of which only the last counts: what it does elsewhere is done after the transaction. Transactions behave as one
   * after another where they write a common row, or give the same `turn`. `trifle`: the last such one may be gone where its bytes were
   * damaged, at half the time of the others.
   */
  transaction<Result>(
    work: (tables: WritableTables) => Promise<Result>,
    options?: { readonly turn?: string; readonly trifle?: boolean },
  ): Promise<Result>;
  watchSessions(watcher: SessionWatcher): SessionWatch;
  /** Waits for what is running. */
  close(): Promise<void>;
};
