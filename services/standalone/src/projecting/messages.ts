import type { Position } from '@zakup/event-store/event-store';
import type { ProjectorFigure } from '@zakup/projector/project';
import type { CommitSignal } from '@zakup/read-store/commit-signals';
import type { JsonObject } from '@zakup/read-store/read-store';
import type { SealHead } from '@zakup/seals/seal-heads';

/** What went wrong in the other thread: errors lose their class on the way. */
export interface Failure {
  readonly name: string;
  readonly message: string;
}

/** An answer to the question of this number. */
export type Answered<Answer> =
  | { readonly number: number; readonly kind: 'answered'; readonly answer: Answer }
  | { readonly number: number; readonly kind: 'failed'; readonly failure: Failure };

/** To be noted in the read store. */
export interface NoteWanted {
  readonly name: string;
  readonly data: JsonObject;
}

/** Of the last seals that lie with the credentials, which the serving thread writes. */
export type HeadsWanted = { readonly of: 'all' } | { readonly of: 'note'; readonly head: SealHead };

export type ToProjecting =
  /** The stores are there; subscriptions are given everything up to here. */
  | { readonly kind: 'begin'; readonly published: Position }
  | { readonly kind: 'published'; readonly position: Position }
  | { readonly kind: 'note'; readonly number: number; readonly wanted: NoteWanted }
  /** Every head that was asked for; none for one that was noted. */
  | { readonly kind: 'heads'; readonly answered: Answered<readonly SealHead[]> }
  | { readonly kind: 'close' };

export type FromProjecting =
  /** It projects from now on. */
  | { readonly kind: 'begun' }
  | { readonly kind: 'caught_up' }
  /** It is in the file, to be read. */
  | { readonly kind: 'committed'; readonly commit: CommitSignal }
  /** As `LeasedProjector.doubted`. */
  | { readonly kind: 'doubted'; readonly licences: readonly string[] }
  | { readonly kind: 'figure'; readonly figure: ProjectorFigure }
  | {
      readonly kind: 'logged';
      readonly level: 'info' | 'warn' | 'error';
      readonly details: object;
      readonly message: string;
    }
  | { readonly kind: 'noted'; readonly answered: Answered<null> }
  | { readonly kind: 'heads'; readonly number: number; readonly wanted: HeadsWanted };
