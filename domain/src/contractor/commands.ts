import type { ContractorVerdict, Note } from './state.ts';

export interface ContractorChanges {
  readonly contact?: { readonly nick: string; readonly adminUsername: string };
  readonly channelName?: string;
  readonly category?: string;
  readonly isActive?: boolean;
  /** Null = on no list. */
  readonly verdict?: ContractorVerdict | null;
}

export type ContractorCommand =
  | {
      readonly type: 'CreateContractor';
      /** Canonical, lower case, without `@`. */
      readonly nick: string;
      /** `@` + the nick as spelled. */
      readonly adminUsername: string;
      readonly channelName: string;
      readonly category: string;
      readonly automatic: boolean;
    }
  | { readonly type: 'ChangeContractor'; readonly changes: ContractorChanges }
  | {
      readonly type: 'AddNote';
      readonly noteId: string;
      readonly note: string;
      readonly authorName: string;
      /** Who wrote it, and when, of a note that comes back; absent = the one who gives the command, now. */
      readonly written?: { readonly authorId: string; readonly createdAt: string };
    }
  | { readonly type: 'RemoveNote'; readonly noteId: string }
  /** To the one that becomes a part of another. */
  | { readonly type: 'MergeContractor'; readonly contractorId: string; readonly intoId: string }
  /** To the other one. */
  | {
      readonly type: 'ReceiveContractor';
      readonly contractorId: string;
      readonly nicks: readonly string[];
      readonly notes: readonly Note[];
      /** The list that the other one stands on; absent = on none. */
      readonly verdict?: ContractorVerdict | undefined;
    }
  /** Undoing of `MergeContractor`. */
  | { readonly type: 'SeparateContractor' }
  /** Undoing of `ReceiveContractor`: with the notes that came. */
  | { readonly type: 'ReturnContractor'; readonly contractorId: string; readonly noteIds: readonly string[] };

export interface ContractorFacts {
  /** Who gives the command; used by `RemoveNote` only. */
  readonly actor: { readonly id: string; readonly role: string };
  /** Into whom it is merged; used by `MergeContractor` only; absent or null = there is none. */
  readonly into?: { readonly isActive: boolean; readonly mergedInto?: string } | null;
}
