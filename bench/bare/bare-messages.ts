/** What the bare writer writes for one command: a row of events and one of commands, and one of streams where it is new. */
export interface BareRow {
  /** The stream's number; absent = a new one. */
  readonly stream?: number;
  readonly payload: Uint8Array;
}

export type ToBareWriter =
  /** Loops transactions of `size` rows for so long, rows taken in turn: every second one begins a stream, the others go on in one. */
  | {
      readonly kind: 'loop';
      readonly milliseconds: number;
      readonly size: number;
      readonly payloads: readonly Uint8Array[];
    }
  /** Writes what has been queued as one transaction. */
  | { readonly kind: 'rows'; readonly rows: readonly (readonly [ticket: number, row: BareRow])[] };

export type FromBareWriter =
  | { readonly kind: 'ready' }
  | {
      readonly kind: 'looped';
      readonly rows: number;
      readonly milliseconds: number;
      readonly transactions: readonly number[];
    }
  | {
      readonly kind: 'written';
      readonly rows: readonly (readonly [ticket: number, stream: number, position: number])[];
    };
