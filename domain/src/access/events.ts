import type { DomainEvent } from '../decider.ts';

/** Through which door somebody came: the four sign-ins, the activation dialog's code, the current password for a new one. */
export type AccessDoor = 'employee' | 'owner' | 'licence' | 'code' | 'activation' | 'password';

export type AccessRefusal =
  /** Wrong password or code. */
  | 'wrong_secret'
  /** The password was right, the code of the second factor was not. */
  | 'wrong_second_factor'
  /** An employee's code at the owner's door, or the other way round. */
  | 'wrong_door'
  /** The licence does not let a code alone in. */
  | 'switched_off'
  /** Not looked at, as too many were wrong before. */
  | 'too_many_tries'
  /** The secret was right; the licence is suspended or closed. */
  | 'licence_inactive'
  /** The secret was right; the licence has no free seat. */
  | 'seats_taken';

/** Whence whoever did it came; empty = not known. A type, so that it is data as any other. */
type SecondFactorFacts = { readonly network: string };

/** As `SignInRefused` tells of several together: the first five names and networks. */
type TakenTogether = {
  /** UTC instants of the first and the last time, ISO 8601. */
  readonly since: string;
  readonly until: string;
  readonly count: number;
  readonly networks: readonly string[];
  readonly moreNetworks: boolean;
};

export type TakenData = 'table' | 'lines' | 'archive' | 'history';

/** Signing in and out of one person of a licence, and what they took along, for whoever audits it; never a secret. Networks: `203.0.113.0/24`, `2001:db8:1::/48`. */
export type AccessEvent =
  | DomainEvent<
      'SignedIn',
      {
        readonly sessionId: string;
        readonly door: Exclude<AccessDoor, 'activation' | 'password'>;
        /** Empty = not known. */
        readonly network: string;
        /** The browser signed in to the account before. */
        readonly knownDevice: boolean;
      }
    >
  /** Some refused tries together. */
  | DomainEvent<
      'SignInRefused',
      {
        /** UTC instants of the first and the last of them, ISO 8601. */
        readonly since: string;
        readonly until: string;
        readonly count: number;
        readonly reasons: Readonly<Partial<Record<AccessRefusal, number>>>;
        readonly doors: readonly AccessDoor[];
        /** The first few. */
        readonly networks: readonly string[];
        readonly moreNetworks: boolean;
      }
    >
  | DomainEvent<'SignedOut', { readonly sessionId: string }>
  /**
   * `revoked`: by the person, from another session; `replaced`: the oldest made room for a new one; `reused`: a spent refresh token came
   * back, so somebody has a copy. Sessions that end with a new password or the person's deactivation have no entry: that has its own.
   */
  | DomainEvent<
      'SessionsEnded',
      { readonly sessionIds: readonly string[]; readonly reason: 'revoked' | 'replaced' | 'reused' }
    >
  /** By the person, whose other sessions end with it. */
  | DomainEvent<'SecondFactorEnabled', SecondFactorFacts>
  /** By the person, who showed both secrets. */
  | DomainEvent<'SecondFactorDisabled', SecondFactorFacts>
  /** By somebody else, for a person who lost it; all sessions of theirs end with it. */
  | DomainEvent<'SecondFactorReset', SecondFactorFacts>
  | DomainEvent<'RecoveryCodesRenewed', SecondFactorFacts>
  /** Instead of a code of the authenticator; `left`: after it. */
  | DomainEvent<'RecoveryCodeUsed', SecondFactorFacts & { readonly left: number }>
  /**
   * The person took data along as a file: a table of placements, lines that a figure is made of, the whole licence, its signed history.
   * `names`: of what, under the names of then; empty where it is of the whole licence.
   */
  | DomainEvent<
      'DataTaken',
      TakenTogether & { readonly what: TakenData; readonly names: readonly string[]; readonly moreNames: boolean }
    >
  /** The person had the whole key of the licence shown. */
  | DomainEvent<'LicenceKeyShown', TakenTogether>;
