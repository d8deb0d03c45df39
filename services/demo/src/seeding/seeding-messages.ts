import type { AppendOptions, Position, RecordedEvent, StreamWrite } from '@zakup/event-store/event-store';
import type { LogLevel } from '@zakup/service-kit/log';
import type { Scale } from '../story/plan.ts';

/** What the thread that tells a story is started with. */
export interface SeedingData {
  readonly scale: Scale;
  /** Days that were told before, all that is in them. */
  readonly told: number;
  readonly logLevel: LogLevel;
  /** 32 bytes. */
  readonly accessCodesKey: Uint8Array;
}

/** An append that the rules of the log accept. */
export interface AcceptedAppend {
  readonly writes: readonly [StreamWrite, ...StreamWrite[]];
  readonly options: AppendOptions;
  /** Of its last event. */
  readonly position: Position;
}

export type ToSeeding =
  /** What is in the log already, in order. */
  | { readonly kind: 'history'; readonly events: readonly RecordedEvent[] }
  /** That was all of it. */
  | { readonly kind: 'tell' }
  /** Everything up to the next of the told days is durable. */
  | { readonly kind: 'noted' };

export type FromSeeding =
  /** In the order of the log; `at`: the instant of the last of them, in UTC milliseconds. */
  | { readonly kind: 'appends'; readonly at: number; readonly appends: readonly AcceptedAppend[] }
  /** All of the first so many days was sent. */
  | { readonly kind: 'days'; readonly told: number }
  | { readonly kind: 'whole' }
  | { readonly kind: 'broken'; readonly reason: string };
