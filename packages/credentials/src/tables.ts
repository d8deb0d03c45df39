/**
 * Where credentials lie: a few small tables with synchronous access, so that one set of rules serves memory and SQLite.
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

export interface Rows {
  readonly passwords: PasswordRow;
  readonly sessions: SessionRow;
  readonly refreshTokens: RefreshTokenRow;
  readonly codes: CodeRow;
  readonly tickets: TicketRow;
  readonly admins: AdminRow;
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
};

export interface Table<Row> {
  get(key: string): Row | undefined;
  /** Rows whose indexed column has the value. */
  by(column: keyof Row & string, value: string): readonly Row[];
  all(): readonly Row[];
  put(row: Row): void;
  remove(key: string): void;
}

export type Tables = { readonly [Name in keyof Rows]: Table<Rows[Name]> } & {
  /** All of the work's writes or, when it throws, none; durable when it returns. */
  transaction<Result>(work: () => Result): Result;
  /** Moves when another process wrote. */
  version(): number;
  close(): void;
};
