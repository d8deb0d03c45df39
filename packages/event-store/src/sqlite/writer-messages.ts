import type { FileFault } from '@zakup/sqlite/unusable-file';
import type { Position, Revision, StreamName } from '../event-store.ts';
import type { EngineSettings } from './log-file.ts';
import type { PackedEvent } from './payload.ts';

/** Stands for `no_stream` where a revision is a number. */
export const noStream = -1;
/** Stands for `any` where an expected revision is a number. */
export const anyRevision = -2;

export type PackedWrite = readonly [stream: StreamName, expected: number, events: readonly PackedEvent[]];

/** An append on its way to the writer; arrays because they cross threads cheaper than objects. */
export type PackedAppend = readonly [
  ticket: number,
  writes: readonly PackedWrite[],
  unchanged: readonly (readonly [stream: StreamName, revision: number])[],
  commandKey: string | null,
];

export type Outcome =
  | readonly [ticket: number, kind: 'appended', first: Position, revisions: readonly Revision[]]
  | readonly [ticket: number, kind: 'wrong_revision' | 'changed', stream: StreamName, actual: number]
  | readonly [ticket: number, kind: 'command_known'];

export type ToWriter =
  | { readonly kind: 'append'; readonly now: number; readonly appends: readonly PackedAppend[] }
  | { readonly kind: 'close' };

export type FromWriter =
  | { readonly kind: 'ready'; readonly head: Position; readonly settings: EngineSettings }
  | { readonly kind: 'refused'; readonly file: string; readonly fault: FileFault; readonly reason: string }
  | { readonly kind: 'committed'; readonly recordedAt: number; readonly outcomes: readonly Outcome[] }
  /** Nothing of these appends was acknowledged; `final`: the writer takes no more. */
  | { readonly kind: 'failed'; readonly tickets: readonly number[]; readonly reason: string; readonly final: boolean }
  | { readonly kind: 'closed' };
