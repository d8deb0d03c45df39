import type { ReadStore } from '@zakup/read-store/read-store';
import type { Backups } from '@zakup/service-kit/backups';
import type { Log } from '@zakup/service-kit/log';
import type { RateBudget, RateLimit } from '@zakup/service-kit/rate-limit';
import type { AccessJournal } from './auth/access-journal.ts';
import type { CodeSender } from './auth/code-sender.ts';
import type { PipelineDeps } from './pipeline/pipeline-deps.ts';
import type { Resolve } from './webhook/private-addresses.ts';

/** Everything the command service is given; nothing in it reads the environment, the clock or chance by itself. */
export interface CommandDeps extends PipelineDeps {
  /** Says where to look; what it says is confirmed on streams. */
  readonly readStore: ReadStore;
  readonly access: AccessJournal;
  /** Cryptographically strong bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Browsers come by https: cookies have names that a browser guards. Absent = they may come by plain http. */
  readonly publicHttps?: boolean;
  /** Brings activation codes to owners who ask for one; absent = the admin reads them out. */
  readonly codeSender?: CodeSender | undefined;
  /** In a demo only: a wrong code is answered with these (AUTH-23). */
  readonly demoCodes?: readonly [string, string];
  /** Whether the admin has to have a second factor; absent = as they wish. */
  readonly adminSecondFactor?: 'optional' | 'asked' | 'required';
  /** Makes backups of the data folder; absent = there is none. */
  readonly backups?: Backups | undefined;
  /** Hand-given access codes that a colleague had, by licence and person. */
  readonly takenCodes: RateBudget;
  readonly webhooks: {
    /** Called when one of the licence was changed. */
    readonly changed: (licenceId: string) => void;
    /** Addresses of private networks are called too. */
    readonly allowPrivate: boolean;
    readonly resolve?: Resolve | undefined;
    /** Milliseconds for an answer; default 10 s. */
    readonly patience?: number | undefined;
    /** Messages that tell of nothing, of a licence. */
    readonly tests: RateLimit;
  };
  readonly log: Log;
}
