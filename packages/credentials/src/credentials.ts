/**
 * The Credentials port: everything secret or short-lived about signing in. Never events, never read models.
 * Secrets arrive and leave as plain texts; at rest they are hashed (Argon2id for passwords, SHA-256 for random tokens and codes).
 */

import type { DeliveryBook } from './delivery-book.ts';

/** A UTC instant in milliseconds; callers pass the clock, the store has none. */
export type Millis = number;

/** The last seal of a licence's signed history, kept here so that seals which were deleted or made anew are missed. */
export interface LastSeal {
  readonly licenceId: string;
  readonly number: number;
  /** Hex. */
  readonly hash: string;
  /** In the log, of its last event. */
  readonly position: number;
}

/** Something that a person took along, or had shown. */
export interface Taking {
  readonly licenceId: string;
  readonly userId: string;
  readonly what: string;
  /** What it is of, as people call it; empty = of the whole licence. */
  readonly name: string;
  /** Empty = not known. */
  readonly network: string;
}

/** One kind of what one person took, as it is told; `names` and `networks` are the first five. */
export interface ToldTaking extends Omit<Taking, 'name' | 'network'> {
  /** A UUID, always the same of the same. */
  readonly id: string;
  readonly since: Millis;
  readonly until: Millis;
  readonly count: number;
  readonly names: readonly string[];
  readonly moreNames: boolean;
  readonly networks: readonly string[];
  readonly moreNetworks: boolean;
}

export interface AdminEntry {
  readonly outcome: 'in' | 'refused';
  readonly since: Millis;
  readonly until: Millis;
  readonly count: number;
  readonly network: string;
}

export interface PasswordRecord {
  readonly userId: string;
  readonly licenceId: string;
  /** Opens only the change of password: made by the product, or given by a colleague where the licence asks for it (AUTH-81). */
  readonly temporary: boolean;
  /** When a temporary password stops working; null = never. */
  readonly validUntil: Millis | null;
}

/** A password that is set. */
export interface NewPassword extends PasswordRecord {
  /**
   * The access code that it is typed with. Passwords of one code share a salt, so that looking for whose a password is among all who chose
   * the code costs one hash, as with one person or none.
   */
  readonly typedWith?: string;
}

export interface Session {
  readonly id: string;
  readonly userId: string;
  readonly licenceId: string;
  /** How it began: owner sessions count apart for the licence's limit. */
  readonly via: 'employee' | 'owner' | 'licence' | 'code';
  readonly createdAt: Millis;
  /** Hard end, not sliding. */
  readonly expiresAt: Millis;
  readonly lastSeenAt: Millis;
  readonly userAgent: string;
  /** Opened with a temporary password: only password change, logout and session reading. */
  readonly passwordChangeOnly: boolean;
}

/** Open sessions of a licence: those that take its seats, and those via `owner` and `licence`, counted apart from them. */
export interface SessionCounts {
  readonly seats: number;
  readonly owner: number;
}

export type OpenedSession =
  | { readonly kind: 'opened'; readonly session: Session; readonly refreshToken: string }
  /** The licence has no free seat, or this person none more; `own` are this person's open sessions, oldest first. */
  | { readonly kind: 'limit'; readonly own: readonly Session[] };

export type Refreshed =
  | { readonly kind: 'refreshed'; readonly session: Session; readonly refreshToken: string }
  /** Unknown, expired or ended. */
  | { readonly kind: 'invalid' }
  /** An already rotated token came back after its grace: the session was ended now. */
  | { readonly kind: 'reused'; readonly session: Session };

export type SessionEnd = {
  readonly sessionId: string;
  readonly userId: string;
  readonly licenceId: string;
  readonly reason: 'logged_out' | 'revoked' | 'reused' | 'expired' | 'password_changed';
};

/** Which sessions a new password ends. */
export interface PasswordEnding {
  readonly reason: SessionEnd['reason'];
  /** The one of the person's sessions that goes on, but only until then; its earlier end stays. `now`: by the caller's clock. */
  readonly keep?: { readonly sessionId: string; readonly until: Millis; readonly now: Millis };
}

export interface ActivationCode {
  readonly licenceId: string;
  /** `admin`: shown to the admin once when made; `owner`: requested in the dialog, readable by the admin until used or over. */
  readonly by: 'admin' | 'owner';
  readonly expiresAt: Millis;
}

/** A sign-in whose first secret was right: what it will open once the second is. */
export interface SignInStep {
  /** A person's id, or the admin as an account. */
  readonly userId: string;
  readonly licenceId: string;
  readonly via: Session['via'] | 'admin';
  readonly endOldest: boolean;
  readonly passwordChangeOnly: boolean;
  /** Whether the browser signed in to the account before. */
  readonly knownDevice: boolean;
}

/** A key with which a program acts for the owner; its secret is told once, when it is made. */
export interface ApiKey {
  readonly id: string;
  readonly licenceId: string;
  readonly name: string;
  readonly access: 'read' | 'write';
  /** The first characters of the secret, to tell keys apart. */
  readonly prefix: string;
  readonly createdAt: Millis;
  /** Null = never. */
  readonly expiresAt: Millis | null;
  /** By the minute; null = not used yet. */
  readonly lastUsedAt: Millis | null;
}

export type SecondFactorConfirmed =
  /** From now on it is asked for; the codes are told this once. */
  | { readonly kind: 'on'; readonly recoveryCodes: readonly string[] }
  | { readonly kind: 'wrong' }
  /** There is none to confirm, or it is on already. */
  | { readonly kind: 'not_begun' };

export type SecondFactorSpent =
  | { readonly kind: 'authenticator' }
  | { readonly kind: 'recovery_code'; readonly left: number };

export type CodeCheck = { readonly kind: 'right' } | { readonly kind: 'wrong' } | { readonly kind: 'spent' };

/** A try at the secret of an account. */
export interface Try {
  /** Whose secret it is, or is said to be: unknown ones are counted alike. */
  readonly account: string;
  readonly address: string;
  /** What names a device that the account knows; null = another one. */
  readonly device: string | null;
  /**
   * What failures count as a whole for, over all addresses: `account`, whose secret it is; `door`, where all guess at all secrets at once.
   */
  readonly everywhere: 'account' | 'door';
}

export type TryBegun =
  | { readonly kind: 'begun' }
  /** No secret may be checked before this instant. */
  | { readonly kind: 'wait'; readonly until: Millis };

/** The store cannot be asked now; whether a change that was under way has happened is not known. The message names the store. */
export class CredentialsUnavailable extends Error {
  override readonly name = 'CredentialsUnavailable';
}

/** Every method may reject with `CredentialsUnavailable`, within seconds. */
export interface Credentials {
  /** Sets or replaces a person's password; with `ending` their sessions end with it, all of that or nothing. */
  setPassword(record: NewPassword, password: string, ending?: PasswordEnding): Promise<void>;
  /** Sets the password of a person who has none; false = there is one, and it is left as it is. */
  setFirstPassword(record: NewPassword, password: string): Promise<boolean>;
  /**
   * Whose of these people the password is. `wrong` also when it is that of several, so that nobody comes into another's account; an expired
   * temporary one is `wrong`. Takes the time of one check for all whose passwords were set for one access code, and for nobody.
   */
  checkPassword(
    userIds: readonly string[],
    password: string,
    now: Millis,
  ): Promise<{ readonly kind: 'right'; readonly record: PasswordRecord } | { readonly kind: 'wrong' }>;
  removePassword(userId: string): Promise<void>;

  /**
   * Counts and takes a seat in one transaction, at the time `session.createdAt`. Sessions via `owner` and `licence` are counted apart from
   * the others, each group up to the maximum, and of the others no person has more than `mostOfOne`. `endOldest` ends as many of the person's own oldest sessions as make room, never another's;
   * where they are not enough nothing ends. Throws RangeError when the session would end before it begins.
   */
  openSession(
    session: Omit<Session, 'lastSeenAt'>,
    limit: { readonly maxConcurrentSessions: number; readonly mostOfOne?: number; readonly endOldest: boolean },
  ): Promise<OpenedSession>;
  /** The session when it is open and not past its end; answered from memory, which may be a second behind other processes' ends. */
  session(sessionId: string, now: Millis): Promise<Session | null>;
  /** Open sessions of a person, oldest first. */
  sessionsOf(userId: string, now: Millis): Promise<readonly Session[]>;
  /** Open sessions of a licence in the two groups that its maximum counts. */
  countSessions(licenceId: string, now: Millis): Promise<SessionCounts>;
  /**
   * When an open session of a licence was used last, null = there is none. A use through this process is known by the minute, one through
   * another process, or before a restart, by the last renewal of its token, which people in use make every quarter of an hour.
   */
  lastUse(licenceId: string, now: Millis): Promise<Millis | null>;
  /** Rotates. The previous token answers the same new pair for 5 s, later it ends the session. */
  refresh(refreshToken: string, now: Millis): Promise<Refreshed>;
  /** The session that a refresh token belongs to, current or previous, without rotating. */
  sessionOfRefreshToken(refreshToken: string): Promise<Session | null>;
  endSession(sessionId: string, reason: SessionEnd['reason']): Promise<void>;
  /** Ends all of a person's sessions but one; returns the number ended. */
  endSessionsOf(userId: string, reason: SessionEnd['reason'], except?: string): Promise<number>;
  /**
   * Calls back for each ended session; within a second also for ones that another process ended, always as `revoked`, and for one that
   * a new password let go on until a moment which has passed. Returns how to stop.
   */
  onSessionEnded(listener: (end: SessionEnd) => void): () => void;

  /**
   * Makes a fresh 6-digit code valid for 10 minutes and 5 tries. The admin's replaces every earlier one; the owner's replaces only
   * the owner's, so that a code the admin has just handed over stays right. `too_soon`: the owner asked less than 60 s ago.
   */
  makeActivationCode(
    licenceId: string,
    by: ActivationCode['by'],
    now: Millis,
    options?: {
      /** Whether an owner's code may be read by the admin; default yes. */
      readonly readable: boolean;
    },
  ): Promise<
    | { readonly kind: 'made'; readonly code: string; readonly expiresAt: Millis }
    | { readonly kind: 'too_soon'; readonly retryAt: Millis }
  >;
  /** Each wrong try counts against every live code of the licence; the fifth wrong one is `wrong` and spends it, from then on, or when there is none, `spent`. */
  checkActivationCode(licenceId: string, code: string, now: Millis): Promise<CodeCheck>;
  /** The code an owner requested, while it may still be used; null for admin-made, used or over ones. */
  pendingActivationCode(
    licenceId: string,
    now: Millis,
  ): Promise<{ readonly code: string; readonly expiresAt: Millis } | null>;
  /** Opaque ticket that proves a right code for 10 minutes; bound to the licence. */
  openTicket(licenceId: string, now: Millis): Promise<{ readonly ticket: string; readonly expiresAt: Millis }>;
  /** The licence of a live ticket; with `use` it is spent, and so is the code. */
  ticket(
    ticket: string,
    now: Millis,
    options?: { readonly use: boolean },
  ): Promise<{ readonly licenceId: string } | null>;

  /** The platform admin: login and password hash. `setAdmin` ends its earlier sessions. */
  setAdmin(login: string, password: string): Promise<void>;
  hasAdmin(): Promise<boolean>;
  checkAdmin(login: string, password: string): Promise<boolean>;
  /** Changes with each `setAdmin`: says under which password something began. Null while there is no admin. */
  adminStamp(): Promise<string | null>;
  /** A session of the admin for 12 hours at most, with an entry of it; null when the stamp is not the present one any more. */
  openAdminSession(stamp: string, now: Millis, network?: string): Promise<string | null>;
  /**
   * `idle`: 30 minutes went by without a use. `use`: this is one, kept by the minute; else somebody only looks whether it is open.
   * `over`: unknown, past its end, ended, or of an earlier password.
   */
  adminSession(sessionId: string, now: Millis, options: { readonly use: boolean }): Promise<'open' | 'idle' | 'over'>;
  endAdminSession(sessionId: string): Promise<void>;
  /** All but this one; null = all. */
  endOtherAdminSessions(sessionId: string | null): Promise<void>;
  /** Refusals at the admin's door; those of one network that follow each other are one entry. `id`: of a new one. */
  noteAdminRefusals(
    refusals: { readonly id: string; readonly network: string; readonly count: number },
    now: Millis,
  ): Promise<void>;
  /** Newest first: the last 50 sign-ins of the admin, and the last 50 entries of refusals. */
  adminEntries(): Promise<readonly AdminEntry[]>;

  /** Keeps that a person took something along, until it is in the log. Whoever hands it out waits for this. */
  noteTaking(taking: Taking, now: Millis): Promise<void>;
  /**
   * What the log is to be told now: the first at once, what follows it together, after a minute and then up to a quarter of an hour. Nobody
   * else is given it for 30 seconds; until `takingTold` it is given again.
   */
  takingsToTell(now: Millis): Promise<readonly ToldTaking[]>;
  takingTold(id: string): Promise<void>;

  /**
   * A new secret for codes that change with time (TOTP), as base32; nothing is asked for until a right code has been shown. Replaces one
   * that was begun before; null = the account has a second factor already, which stays.
   */
  beginSecondFactor(account: string, licenceId: string): Promise<string | null>;
  confirmSecondFactor(account: string, code: string, now: Millis): Promise<SecondFactorConfirmed>;
  /** Null = nothing more than the password is asked for. */
  secondFactorOf(account: string): Promise<{ readonly since: Millis; readonly recoveryCodesLeft: number } | null>;
  /** The accounts of a licence that have one. */
  secondFactorsIn(licenceId: string): Promise<readonly string[]>;
  /**
   * Whether the code is right, which spends it: a code of the present step of 30 seconds or of those next to it, later than the last one
   * that was used, or a recovery code that is left. Case, spaces and dashes do not matter.
   */
  checkSecondFactor(account: string, code: string, now: Millis): Promise<boolean>;
  /** The same, and with what it was right: `left` recovery codes are there after one of them. Null = it was wrong. */
  spendSecondFactor(account: string, code: string, now: Millis): Promise<SecondFactorSpent | null>;
  /** Ten new recovery codes instead of those that are left; null = there is no second factor. */
  renewRecoveryCodes(account: string): Promise<readonly string[] | null>;
  /** Only the password is asked for from now on; ends sign-ins that wait for it. False = there was none. */
  removeSecondFactor(account: string): Promise<boolean>;
  /** The same by somebody else, and with it all sessions of the person end: all of that or nothing. False = there was none; nothing ends. */
  resetSecondFactor(account: string): Promise<boolean>;

  /** A token that stands for a right first secret, for 5 minutes or the life that is given; a new or removed password ends it. */
  openSignInStep(
    step: SignInStep,
    now: Millis,
    life?: Millis,
  ): Promise<{ readonly token: string; readonly expiresAt: Millis }>;
  /** `passed`: its second secret was right already. */
  signInStep(token: string, now: Millis): Promise<(SignInStep & { readonly passed: boolean }) | null>;
  passSignInStep(token: string): Promise<void>;
  /** False = it is over already, by another request. */
  endSignInStep(token: string): Promise<boolean>;

  /**
   * Counts a try at a secret as a failure before the secret is checked, in one transaction with the look whether one is allowed now, so
   * that tries of many processes at once are never more than the rules allow. Places (the account at this address, or on its known device)
   * are allowed 5 failures in 15 minutes; an address 30, after which only accounts that failed there wait; an account 10 a day, after
   * which devices it does not know wait longer after each; a door 50 in 15 minutes, after which devices that are not known wait. A wait counts nothing. Kept over restarts; the number of rows is bounded.
   */
  beginTry(attempt: Try, now: Millis): Promise<TryBegun>;
  /** The secret was right: the try that was begun at this instant is no failure, and the place has none any more. */
  takeTryBack(attempt: Try, at: Millis, now: Millis): Promise<void>;
  /** Forgets the failures of an account, at all places; those of addresses stay. A new password of a person or the admin does it too. */
  forgetTries(account: string): Promise<void>;

  /** Whether the device of this token signed in to the account before, within 180 days. */
  knowsDevice(token: string, account: string, now: Millis): Promise<boolean>;
  /**
   * Makes the device known to the account, by the token that it brought when that was made here, else by a fresh one; of an account's
   * devices the 20 last ones are kept. A new or removed password forgets all devices of the person.
   */
  rememberDevice(
    token: string | null,
    account: string,
    now: Millis,
  ): Promise<{ readonly token: string; readonly expiresAt: Millis }>;

  /** Ends the sessions of everybody in the licence who has none; returns those that ended. */
  endSessionsWithoutSecondFactor(licenceId: string): Promise<readonly Session[]>;

  /** Makes the secret of a new key, told this once; null = there is a key of this id already, which stays as it is. */
  addKey(key: Omit<ApiKey, 'prefix' | 'lastUsedAt'>): Promise<{ readonly key: ApiKey; readonly secret: string } | null>;
  /** Of a licence, also those that are over, oldest first. */
  keysOf(licenceId: string): Promise<readonly ApiKey[]>;
  /** The key whose secret this is, unless it was removed or is over; this is a use of it, kept by the minute. Asked of the store each time. */
  keyOfSecret(secret: string, now: Millis): Promise<ApiKey | null>;
  /** The same by its id, and no use of it. */
  key(id: string, now: Millis): Promise<ApiKey | null>;
  /** False = the licence has none of this id. */
  removeKey(licenceId: string, id: string): Promise<boolean>;

  /** Webhooks, and what was delivered by them. */
  readonly webhooks: DeliveryBook;

  /** In which chat a messenger's handle can be written to; a later chat replaces an earlier one. Case and a leading `@` do not matter. */
  rememberChat(handle: string, chat: string): Promise<void>;
  /** Null while the handle's holder has not written. */
  chatOf(handle: string): Promise<string | null>;

  /** The last seal of each licence that was noted. */
  sealHeads(): Promise<readonly LastSeal[]>;
  /** Notes it; one that does not come behind the noted one changes nothing. */
  noteSealHead(head: LastSeal): Promise<void>;
  forgetSealHeads(): Promise<void>;

  close(): Promise<void>;
}
