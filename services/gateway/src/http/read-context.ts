import type { Asker } from '@zakup/credentials/authenticate';
import type { Moment } from '@zakup/projections/past/licence-fold';
import type { DocumentReader } from '@zakup/read-store/read-store';
import type { GatewayDeps } from '../deps.ts';
import type { FileAnswer } from '../exports/send-file.ts';
import type { Viewer } from './person.ts';
import type { Answer } from './answer.ts';

/** Who asks has the rights of now; `licence` is as it was at the moment that is asked for. */
export interface ReadContext extends Viewer {
  readonly deps: GatewayDeps;
  /** The read models, or the documents of the moment that is asked for. */
  readonly readStore: DocumentReader;
  /** The moment that is asked for; null = now. */
  readonly at: Moment | null;
  /** Aborted once nobody waits for the answer. */
  readonly waiting: AbortSignal;
  readonly session: Asker;
  readonly params: Readonly<Record<string, string>>;
  /** Everything up to here is in the answer. */
  readonly position: number;
}

/** An answer that is still to be made. */
export interface Made {
  readonly context: ReadContext;
  /** What the context reads, for somebody else as well. */
  readonly documents: DocumentReader;
  readonly make: (context: ReadContext) => Promise<Answer | FileAnswer>;
}
