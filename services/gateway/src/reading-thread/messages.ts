import type { Problem } from '@zakup/contracts/problems';
import type { Moment, MomentAsked } from '@zakup/projections/past/licence-fold';
import type { JsonObject } from '@zakup/read-store/read-store';
import type { FileAnswer, Taken } from '../exports/send-file.ts';
import type { LineColumns } from '../live/campaign-lines.ts';
import type { Scope } from '../live/scope.ts';
import type { View } from '../live/view.ts';
import type { LoadEnd, WrittenPart } from '../live/whole-load.ts';
import type { Looked, Question } from './reading-thread.ts';

/** What is wanted of a question; told with a number that everything about it carries. */
export type Wanted =
  | { readonly of: 'look'; readonly question: Question }
  | { readonly of: 'answer'; readonly question: Question; readonly query: unknown }
  | {
      readonly of: 'scope';
      readonly licenceId: string;
      readonly scope: Scope;
      readonly view: ToldView;
      /** Whether the lines of its placements come with its messages. */
      readonly withLines: boolean;
    }
  | { readonly of: 'lines'; readonly licenceId: string; readonly scope: Scope }
  | { readonly of: 'is_near' | 'fold'; readonly licenceId: string; readonly asked: MomentAsked };

/** Codes are in no campaign's scope. */
export type ToldView = Omit<View, 'showsCode' | 'codes'>;

export type ToThread =
  | { readonly kind: 'ask'; readonly number: number; readonly wanted: Wanted }
  /** Nobody waits for it any more, or for the rest of its file. */
  | { readonly kind: 'stop'; readonly number: number }
  /** There is room for one more part of its file. */
  | { readonly kind: 'more'; readonly number: number }
  | { readonly kind: 'close' };

/** A short answer as it is, a long one written. */
export type ToldAnswer =
  | { readonly kind: 'short'; readonly data: object; readonly top?: object | undefined }
  | {
      readonly kind: 'written';
      readonly data: readonly Uint8Array[];
      readonly top: readonly (readonly [name: string, value: readonly Uint8Array[]])[];
    };

export type ToldPast =
  | { readonly kind: 'found'; readonly moment: Moment }
  | { readonly kind: 'before_beginning' }
  | { readonly kind: 'unfoldable'; readonly failedAt: number; readonly reason: string };

export type Result =
  | { readonly of: 'look'; readonly looked: Looked }
  | {
      readonly of: 'answer';
      readonly told: ToldAnswer;
      readonly position?: number | undefined;
      readonly taken?: Taken | undefined;
    }
  /** Its parts follow. */
  | { readonly of: 'file'; readonly file: Omit<FileAnswer, 'content'> }
  /** Its parts came before. */
  | { readonly of: 'scope'; readonly end: LoadEnd }
  /** All of them came before. */
  | { readonly of: 'lines'; readonly position: number }
  | { readonly of: 'is_near'; readonly near: boolean }
  | { readonly of: 'fold'; readonly past: ToldPast };

/** Why there is no answer. */
export type Failure =
  | { readonly kind: 'refused'; readonly problem: Problem }
  | { readonly kind: 'error'; readonly name: string; readonly message: string; readonly stack: string | undefined };

export type FromThread =
  | { readonly kind: 'done'; readonly number: number; readonly result: Result }
  | { readonly kind: 'failed'; readonly number: number; readonly failure: Failure }
  | { readonly kind: 'part'; readonly number: number; readonly part: Uint8Array }
  | { readonly kind: 'end'; readonly number: number }
  /** A scope is being read, at this position. */
  | { readonly kind: 'begun'; readonly number: number; readonly position: number }
  /** Of placements of the scope, in no order, before its next message or its end. */
  | { readonly kind: 'lines'; readonly number: number; readonly lines: LineColumns }
  /** The next message of its load. */
  | ({ readonly kind: 'load_part'; readonly number: number; readonly frame: Uint8Array | null } & Pick<
      WrittenPart,
      'progress'
    >)
  /** To be noted in the read store, which the thread only reads. */
  | { readonly kind: 'note'; readonly name: string; readonly data: JsonObject };
