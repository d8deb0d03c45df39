import type { Credentials } from '@zakup/credentials/credentials';
import type { Leases } from '@zakup/read-store/leases';

/** Where a sender says what it could not do, never with a code or a token; a pino logger fits. */
export interface SenderLog {
  warn(about: object, message: string): void;
  info(about: object, message: string): void;
}

/** Brings activation codes to the owners of licences. */
export interface CodeSender {
  /** Begins to send and returns at once, so that nobody learns from the time whether there was anything to send. Never throws. */
  send(handle: string, code: string): void;
  /** Waits, not for long, for what is under way. */
  stop(): Promise<void>;
}

export interface SenderDeps {
  readonly credentials: Pick<Credentials, 'rememberChat' | 'chatOf'>;
  readonly leases: Leases;
  readonly log: SenderLog;
  /** Aborts when the process is told to stop. */
  readonly stopping: AbortSignal;
}
